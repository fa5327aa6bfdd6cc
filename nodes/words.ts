/** Names for a sentence, each in quotation marks. They may come from outside: only the first ones are shown. */
export const quoted = (names: readonly string[], between = ', '): string =>
	[
		...names.slice(0, 20).map((name) => `"${shortened(name)}"`),
		...(names.length > 20 ? ['…'] : []),
	].join(between);

/** A name for a sentence, on one line. */
const shortened = (name: string) => {
	const line = name.slice(0, 200).replace(/\s+/g, ' ');
	return line.length > 100 ? `${line.slice(0, 100)}…` : line;
};

/**
 * A sentence for n8n, which shows hints and descriptions of errors as HTML. Words of the API or of a caller
 * must not become a link there.
 */
export const withoutMarkup = (sentence: string): string => sentence.replaceAll('<', '‹');

/** A number with its noun: "1 contact", "2 contacts". */
export const plural = (count: number, noun: string): string =>
	`${count} ${noun}${count === 1 ? '' : 's'}`;

/** Joins two sentences with one full stop between them. */
export const sentences = (one: string, other: string) =>
	`${one}${/[.!?]$/.test(one) ? '' : '.'} ${other}`;
