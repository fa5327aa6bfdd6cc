/** The part of Node's streams that is used here. */
export interface Stream {
	on(event: string, listener: (given: never) => void): unknown;
	destroy(): void;
}

export const isStream = (body: unknown): body is Stream =>
	typeof (body as Stream | undefined)?.on === 'function';

/**
 * The most that an answer may hold. No page of 100 records comes near it. Of the answer to a request that
 * failed, only the beginning is read.
 */
export const MOST = {
	bytes: 8 * 2 ** 20,
	/** Of a file or a text. */
	bytesOfFile: 16 * 2 ** 20,
	bytesOfFailure: 2 ** 18,
	values: 200_000,
	levels: 64,
	/** Of one object. */
	fields: 5000,
	/** Characters of the name of a field. JavaScript needs very long to tell many long names apart. */
	name: 1000,
};

/** What a value takes in memory beside its text, about. `{}` is 20 times as large as it is written. */
export const BYTES_OF_VALUE = 32;

/**
 * The first bytes of an answer. They are counted after the answer is unzipped.
 *
 * @param most how many bytes are read; then the connection is closed
 * @param signal ends the reading and closes the connection
 * @throws Error if the answer breaks off
 */
export async function readBytes(
	body: Stream,
	most: number,
	signal: AbortSignal,
): Promise<{ bytes: Buffer; isWhole: boolean }> {
	const chunks: Buffer[] = [];
	let size = 0;
	const stop = () => body.destroy();
	signal.addEventListener('abort', stop);
	try {
		return await new Promise((resolve, reject) => {
			const finish = (isWhole: boolean) =>
				resolve({ bytes: Buffer.concat(chunks, Math.min(size, most)), isWhole });
			body.on('data', (chunk: Buffer) => {
				if (size > most) return;
				chunks.push(chunk);
				size += chunk.length;
				if (size <= most) return;
				finish(false);
				stop();
			});
			body.on('end', () => finish(true));
			body.on('error', reject);
			body.on('close', () => reject(new Error('closed before its end')));
			if (signal.aborted) stop();
		});
	} finally {
		signal.removeEventListener('abort', stop);
	}
}

/** What a text holds: JSON with the number of its values, the text itself if it is not JSON, or too much. */
export type Content = { body?: unknown; values?: number; excess?: string };

/**
 * Reads a text as JSON. It is measured before it is parsed, because parsing some megabytes of brackets
 * takes seconds. Everything that works on an answer later may rely on these bounds.
 */
export function parseText(text: string): Content {
	// A page may have any number of commas.
	const values = text.trimStart().startsWith('<') ? 0 : valuesIn(text);
	if (typeof values === 'string') return { excess: values };
	try {
		return { body: JSON.parse(text) as unknown, values };
	} catch {
		return { body: text };
	}
}

/**
 * How many values a JSON text holds, or what is too much in it. It is looked through once; what stands
 * between quotes is skipped.
 */
function valuesIn(text: string): number | string {
	let values = 1;
	let level = 0;
	/** For each level: how many fields its object has so far, or nothing if it is a list. */
	const fields: Array<number | undefined> = [];
	for (let at = 0; at < text.length; at++) {
		const character = text.charCodeAt(at);
		if (character === QUOTE) {
			const end = endOfText(text, at);
			if (end - at - 1 > MOST.name && isName(text, end)) {
				return `it has a name of more than ${MOST.name} characters`;
			}
			at = end;
		} else if (character === COMMA) {
			values++;
			if (fields[level] !== undefined && ++fields[level]! > MOST.fields)
				return `an object in it has more than ${MOST.fields} fields`;
		} else if (character === BRACE || character === BRACKET) {
			values++;
			level++;
			fields[level] = character === BRACE ? 1 : undefined;
			if (level > MOST.levels) return `it is nested more than ${MOST.levels} deep`;
		} else if (character === END_OF_BRACE || character === END_OF_BRACKET) {
			level--;
		}
		if (values > MOST.values) return `it holds more than ${MOST.values} values`;
	}
	return values;
}

/** Whether the text that ends here is the name of a field. */
function isName(text: string, end: number): boolean {
	let after = end + 1;
	while (text.charCodeAt(after) <= SPACE) after++;
	return text.charCodeAt(after) === COLON;
}

/** The quote that ends a text in JSON: the first one that has an even number of backslashes before it. */
function endOfText(text: string, start: number): number {
	for (let from = start + 1; ;) {
		const quote = text.indexOf('"', from);
		if (quote === -1) return text.length;
		let first = quote;
		while (first > from && text.charCodeAt(first - 1) === BACKSLASH) first--;
		if ((quote - first) % 2 === 0) return quote;
		from = quote + 1;
	}
}

const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BRACKET = 91;
const BACKSLASH = 92;
const END_OF_BRACKET = 93;
const BRACE = 123;
const END_OF_BRACE = 125;
