/** Names for a sentence, each in quotation marks. */
export const quoted = (names: readonly string[], between = ', '): string =>
	names.map((name) => `"${name}"`).join(between);

/** A number with its noun: "1 contact", "2 contacts". */
export const plural = (count: number, noun: string): string =>
	`${count} ${noun}${count === 1 ? '' : 's'}`;

/** Joins two sentences with one full stop between them. */
export const sentences = (one: string, other: string) =>
	`${one}${/[.!?]$/.test(one) ? '' : '.'} ${other}`;
