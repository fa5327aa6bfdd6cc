/** Names for a sentence, each in quotation marks. They may come from outside: only the first ones are shown. */
export const quoted = (names: readonly string[], between = ', '): string =>
	[
		...names.slice(0, 20).map((name) => `"${shortened(name)}"`),
		...(names.length > 20 ? ['…'] : []),
	].join(between);

/** A name for a sentence, on one line. */
export const shortened = (name: string) => {
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

/** Joins two sentences with one full stop between them. The second may be empty. */
export const sentences = (one: string, other: string) =>
	`${one}${/[.!?]$/.test(one) ? '' : '.'} ${other}`.trim();

/** The longest text of an error, in characters. */
const LONGEST = 5000;

/** A text that came from outside, cut to a length. */
export const cut = (text: string, longest = LONGEST): string =>
	text.length > longest ? `${text.slice(0, longest)}…` : text;

/**
 * An error as it leaves a node. Its texts may repeat what an item or the API said, so they are cut here,
 * wherever they come from. Secrets were removed before.
 */
export function withShortTexts(error: unknown): unknown {
	if (!(error instanceof Error)) return error;
	const texts = error as unknown as Record<string, unknown>;
	for (const name of ['message', 'description', 'stack']) {
		const text = texts[name];
		if (typeof text === 'string' && text.length > LONGEST) texts[name] = cut(text);
	}
	return error;
}

/** A field's name as a label: `response_length` is `Response Length`. */
export const titleOf = (name: string): string =>
	name.replace(/_/g, ' ').replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

/** Values of the API with their labels. */
export const titled = <Name extends string>(...names: Name[]): Record<Name, string> =>
	Object.fromEntries(names.map((name) => [name, titleOf(name)])) as Record<Name, string>;
