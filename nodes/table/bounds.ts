import { DateTime } from 'luxon';

/** What a parameter may hold. Expressions bring in whatever stands in an item. */
const MOST = { characters: 1_000_000, depth: 50, values: 1_000_000, fields: 5000 };

/** Stands for a value that is too large to be read. */
export class Excess {
	readonly words: string;

	constructor(words: string) {
		this.words = words;
	}
}

/** The value, or what is too much of it. Patterns and recursion may then be used on it. */
export function bounded(value: unknown): unknown {
	let left = MOST.values;
	const excess = (held: unknown, depth: number): string | undefined => {
		left -= 1;
		if (left < 0) return `must hold at most ${MOST.values} values`;
		if (typeof held === 'string') {
			return held.length > MOST.characters
				? `must have at most ${MOST.characters} characters`
				: undefined;
		}
		if (typeof held !== 'object' || held === null || isMoment(held)) return undefined;
		if (depth === MOST.depth) return `must be nested at most ${MOST.depth} levels deep`;
		if (!Array.isArray(held) && Object.keys(held).length > MOST.fields)
			return `must have at most ${MOST.fields} fields`;
		for (const inner of Object.values(held)) {
			const found = excess(inner, depth + 1);
			if (found !== undefined) return found;
		}
		return undefined;
	};
	const words = excess(value, 0);
	return words === undefined ? value : new Excess(words);
}

/**
 * The path of the first value in a bounded one that JSON leaves out or turns into null, such as
 * `extras.guests`. An expression without a value leaves such a one, and it would clear the field.
 */
export function lackingIn(value: unknown): string | undefined {
	if (typeof value !== 'object' || value === null || isMoment(value)) return undefined;
	for (const [name, inner] of Object.entries(value)) {
		if (isLacking(inner)) return name;
		const deeper = lackingIn(inner);
		if (deeper !== undefined) return `${name}.${deeper}`;
	}
	return undefined;
}

/** What n8n makes of a date of an expression that is none. */
const INVALID = 'Invalid DateTime';

const isLacking = (value: unknown) =>
	value === undefined ||
	value === INVALID ||
	(typeof value === 'number' && !Number.isFinite(value)) ||
	(typeof value === 'object' && value !== null && isMoment(value) && Number.isNaN(Number(value)));

/** An item can hold an object that only looks like a date. It has no functions. */
const isMoment = (value: object) =>
	value instanceof Date || (DateTime.isDateTime(value) && typeof value.toMillis === 'function');
