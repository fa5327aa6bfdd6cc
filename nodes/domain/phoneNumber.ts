/** A phone number without spaces, brackets and other separators. */
const bare = (text: string) => text.replace(/[\s().\-/]/g, '');

/** The digits of a number in international form. Undefined for any other text, such as a masked number. */
export const dialled = (text = ''): string | undefined =>
	/^(?:\+|00)([1-9]\d{6,14})$/.exec(bare(text))?.[1];

/** A text with fewer characters is no phone number, but an extension or a word. */
const SHORTEST = 7;

/**
 * Whether a number that a record shows is the wanted one. It is unclear if it has no country code or has
 * hidden digits, and the digits that it shows fit the wanted number.
 *
 * @param wanted in E.164 form
 */
export function isNumber(shown: string, wanted: string): 'yes' | 'no' | 'unclear' {
	const target = wanted.replace('+', '');
	const whole = dialled(shown);
	if (whole !== undefined) return whole === target ? 'yes' : 'no';
	const text = bare(shown);
	if (text === target) return 'yes';
	if (text.length < SHORTEST || !/^[+\d*xX#•]*\d[+\d*xX#•]*$/.test(text)) return 'no';
	const start = /^(\+|00)/.test(text) ? '^' : '';
	const digits = text.replace(/^(\+|0+)/, '').replace(/\D+/g, '\\d*');
	return new RegExp(`${start}${digits}$`).test(target) ? 'unclear' : 'no';
}
