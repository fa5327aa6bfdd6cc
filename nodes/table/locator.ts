import { isObject } from '../json';

/** A label with its article: "an agent". */
export const oneOfThese = (displayName: string): string =>
	`${/^[aeiou]/i.test(displayName) ? 'an' : 'a'} ${displayName.toLowerCase()}`;

/** Whether a stored parameter is an expression. Its value is known only at run time. */
export const isExpression = (value: string) => value.startsWith('=');

/** n8n's value of a parameter that chooses a record. `mode` says how it was chosen. */
export interface Locator {
	mode: string;
	value: unknown;
}

export const isLocator = (value: unknown): value is Locator => isObject(value) && '__rl' in value;

/** The value inside a resource locator. Other values stay as they are. */
export const valueOfLocator = (value: unknown): unknown => (isLocator(value) ? value.value : value);

/** The value of a resource locator, or of a plain text or expression in its place; otherwise ''. */
export function textOfLocator(parameter: unknown): string {
	const value =
		typeof parameter === 'object' && parameter !== null && 'value' in parameter
			? parameter.value
			: parameter;
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
