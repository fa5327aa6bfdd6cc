/** A label with its article: "an agent". */
export const oneOfThese = (displayName: string): string =>
	`${/^[aeiou]/i.test(displayName) ? 'an' : 'a'} ${displayName.toLowerCase()}`;

/** Whether a stored parameter is an expression. Its value is known only at run time. */
export const isExpression = (value: string) => value.startsWith('=');

/** The value of a resource locator, or of a plain text or expression in its place; otherwise ''. */
export function locatorValue(parameter: unknown): string {
	const value =
		typeof parameter === 'object' && parameter !== null && 'value' in parameter
			? parameter.value
			: parameter;
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
