/** One of what a picker offers, in words: "an agent". */
export const oneOfThese = (displayName: string): string =>
	`${/^[aeiou]/i.test(displayName) ? 'an' : 'a'} ${displayName.toLowerCase()}`;

/** Whether a parameter as the editor has it is an expression: what it stands for is known at run time. */
export const isExpression = (value: string) => value.startsWith('=');

/** What a resource locator holds, also while it is an expression or plain text. */
export function locatorValue(parameter: unknown): string {
	const value =
		typeof parameter === 'object' && parameter !== null && 'value' in parameter
			? parameter.value
			: parameter;
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
