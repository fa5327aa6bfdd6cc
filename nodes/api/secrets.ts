/**
 * Removes secrets from a JSON value: from its texts and from the names of its fields. A list or object is
 * changed itself and returned, because answers are large.
 */
export type Conceal = <T>(value: T) => T;

/** Which characters nobody sees, by their numbers. Halves of a pair count too, if they stand alone. */
let unseen: Uint8Array | undefined;

/** A text without the characters that nobody sees. `replace` would take a second for 16 MB of them. */
function withoutUnseen(text: string): string {
	unseen ??= Uint8Array.from({ length: 2 ** 16 }, (_, code) =>
		Number(/[\p{Cc}\p{Cf}\p{Cs}]/u.test(String.fromCharCode(code))),
	);
	let first = 0;
	while (first < text.length && unseen[text.charCodeAt(first)] === 0) first++;
	if (first === text.length) return text;
	const codes = new Uint16Array(text.length);
	let length = 0;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (unseen[code] === 0) codes[length++] = code;
	}
	return Buffer.from(codes.buffer, 0, length * 2).toString('utf16le');
}

/** What stands in the place of a secret. */
export const REMOVED = '[secret]';

/** The shortest piece of a secret that is removed. A shorter secret is removed as a whole. */
const PIECE = 12;

/** A piece is found by a part of it. Each piece contains a part that begins at a multiple of STEP. */
const PART = 6;
const STEP = PIECE - PART + 1;

/** One part has no more places in a random secret. Each place costs time wherever a text has the part. */
const MOST_PLACES = 8;

/**
 * Finds every piece of the secrets with 12 characters or more, in capital or small letters, also in a web
 * address, in JSON inside a text, in Base64 and in hex. A sender may cut a text in the middle of a secret, so it
 * is not enough to look for whole ones.
 */
export function concealing(secrets: readonly string[]): Conceal {
	const forms = [...new Set(secrets.flatMap(formsOf))].filter(Boolean);
	const long = forms.filter(({ length }) => length >= PIECE);
	const short = forms.filter(({ length }) => length < PIECE);
	const withoutLong = removingPieces(long);
	const without = (hidden: string[]) => {
		const removing = (text: string) =>
			hidden.reduce((left, secret) => left.replaceAll(secret, REMOVED), withoutLong(text));
		return (text: string) => {
			const left = removing(text);
			// What cleans a text later, such as a file's name, would join the pieces of a secret.
			const seen = withoutUnseen(left);
			if (seen.length === left.length) return left;
			const leftOfSeen = removing(seen);
			return leftOfSeen === seen ? left : leftOfSeen;
		};
	};
	// A short secret without digits may be an ordinary word, such as the name of a field.
	return mapping(without(short), without(short.filter((secret) => /\d/.test(secret))));
}

/** How a secret may be written. */
function formsOf(secret: string): string[] {
	const encoded = [0, 1, 2].map((before) => {
		const text = Buffer.from('-'.repeat(before) + secret).toString('base64');
		// The first and the last characters also depend on what stands beside the secret.
		return text.replace(/={1,2}$/, '').slice(before && before + 1, -1);
	});
	const forWeb = encoded.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
	const asJson = JSON.stringify(secret).slice(1, -1);
	const inHex = Buffer.from(secret).toString('hex');
	// A token may hold half of a pair.
	const forAddress = encodeURIComponent(Buffer.from(secret).toString());
	const strict = forAddress.replace(
		/[!'()*]/g,
		(letter) => `%${letter.charCodeAt(0).toString(16)}`,
	);
	const plain = [
		secret,
		asJson,
		asJson.replaceAll('/', '\\/'),
		asJson.replace(/[<>&]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`),
		inHex.replace(/../g, '\\u00$&'),
		forAddress,
		strict,
		strict.replaceAll('%2F', '/'),
	];
	const hidden = [...encoded, ...forWeb, inHex, inHex.replace(/../g, '%$&')];
	return secret.length < PIECE ? plain : [...plain, ...hidden];
}

/**
 * Looks at every seventh character of a text only, with a table of numbers, because answers are large:
 * thousands of pages with 100 records each.
 */
function removingPieces(forms: string[]): (text: string) => string {
	const folded = forms.map((form) => form.toLowerCase());
	const places = new Map<string, Array<{ form: string; at: number }>>();
	// A long token has many parts. In a small table, most texts would seem to have one of them.
	const isPossible = new Uint8Array(folded.join('').length > 10_000 ? 2 ** 20 : 2 ** 16);
	const numberOf = (text: string, at: number) => numberAt(text, at) & (isPossible.length - 1);
	for (const form of folded) {
		for (let at = 0; at + PART <= form.length; at++) {
			const part = form.slice(at, at + PART);
			const known = places.get(part);
			if (known === undefined) places.set(part, [{ form, at }]);
			else if (known.length < MOST_PLACES) known.push({ form, at });
			isPossible[numberOf(part, 0)] = 1;
		}
	}
	/** The longest piece around the part at a place. */
	const pieceAt = (text: string, at: number, least: number): Extent | undefined => {
		if (isPossible[numberOf(text, at)] === 0) return undefined;
		return (places.get(text.slice(at, at + PART).toLowerCase()) ?? [])
			.map((place) => extentOf(text, at, least, place))
			.reduce<Extent | undefined>(
				(one, other) => (one && size(one) >= size(other) ? one : other),
				undefined,
			);
	};
	return (text) => {
		let left = '';
		let end = 0;
		for (let at = 0; at + PART <= text.length; at += STEP) {
			const piece = pieceAt(text, at, end);
			if (piece === undefined || size(piece) < PIECE) continue;
			left += text.slice(end, piece.from) + REMOVED;
			end = piece.to;
			// The loop goes on behind the piece.
			at = end - STEP;
		}
		return end === 0 ? text : left + text.slice(end);
	};
}

interface Extent {
	from: number;
	to: number;
}

const size = ({ from, to }: Extent) => to - from;

/** A number for the four characters at a place, equal for capital and small letters. */
function numberAt(text: string, at: number): number {
	let number = 0;
	for (let each = at; each < at + 4; each++) number = number * 31 + (text.charCodeAt(each) | 32);
	return number;
}

/** How far a text agrees with a secret around a common part, but not before `least`. */
function extentOf(
	text: string,
	at: number,
	least: number,
	{ form, at: inForm }: { form: string; at: number },
): Extent {
	const agrees = (offset: number) => text[at + offset]?.toLowerCase() === form[inForm + offset];
	let before = 0;
	while (at - before > least && before < inForm && agrees(-before - 1)) before++;
	let after = PART;
	while (inForm + after < form.length && agrees(after)) after++;
	return { from: at - before, to: at + after };
}

/** Changes all texts in a value, and all names of fields. Any depth is safe. */
function mapping(change: (text: string) => string, changeName: (text: string) => string) {
	return <T>(value: T): T => {
		const root = { value };
		const open: unknown[] = [root];
		for (let part; (part = open.pop()) !== undefined;) {
			const holder = part as Record<string, unknown>;
			for (const name of Object.keys(holder)) {
				const held = holder[name];
				const told = typeof held === 'string' ? change(held) : held;
				const newName = Array.isArray(part) || part === root ? name : changeName(name);
				if (newName !== name) delete holder[name];
				if (newName !== name || told !== held) holder[newName] = told;
				if (typeof told === 'object' && told !== null) open.push(told);
			}
		}
		return root.value;
	};
}
