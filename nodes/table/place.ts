import { USUAL_NAMES, type Names } from '../api/names';
import { isObject, type JsonObject } from '../json';
import { cut } from '../words';
import { valueBehind, wordsFor, type Schema } from './schema';

/** Whether a stored parameter is an expression. Its value is known only at run time. */
export const isExpression = (value: string) => value.startsWith('=');

/** Whether it is n8n's value of a parameter that chooses a record. `mode` says how it was chosen. */
export const isLocator = (value: unknown): value is { mode: string; value: unknown } =>
	isObject(value) && 'mode' in value && 'value' in value;

export const valueOfLocator = (value: unknown): unknown => (isLocator(value) ? value.value : value);

/** The value of a resource locator, or of a plain text or expression in its place; otherwise ''. */
export function textOfLocator(parameter: unknown): string {
	const value = isObject(parameter) ? parameter.value : parameter;
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** What one error shows. A complaint may quote what an item holds. */
const [MOST_COMPLAINTS, LONGEST_COMPLAINT] = [10, 400];

/** A value was refused, and its place has noted why. */
class Refused extends Error {}

function assertRefused(error: unknown): asserts error is Refused {
	if (!(error instanceof Refused)) throw error;
}

/** What the reading of an item depends on besides its parameters, and what is wrong with them. */
export interface Reading {
	/** The time zone of dates that name none. */
	zone: string;
	/** The input item, for parameters that take its fields. */
	item: JsonObject;
	/** The fields of the input item that hold a file. */
	files: readonly string[];
	/** Whether an AI model gave the values. It leaves blank what it does not set. */
	isTool: boolean;
	/** Whether the user wants an item for a record that does not exist. */
	mayBeMissing: boolean;
	names: Names;
	complaints: string[];
}

/** @param known what differs from the usual */
export const readingOf = (known: Partial<Reading>): Reading => ({
	zone: 'utc',
	item: {},
	files: [],
	isTool: false,
	mayBeMissing: false,
	names: USUAL_NAMES,
	complaints: [],
	...known,
});

export function problemsIn({ complaints }: Reading): string {
	const more = complaints.length - MOST_COMPLAINTS;
	const shown = complaints.slice(0, MOST_COMPLAINTS);
	return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/** Where a value stands: it knows the label that the user sees, such as "Filters → Created After". */
export class Place {
	readonly reading: Reading;

	readonly #labels: readonly string[];

	/** What the node has stored here, before n8n evaluated it. */
	readonly #stored: unknown;

	constructor(reading: Reading, stored?: unknown, labels: readonly string[] = []) {
		this.reading = reading;
		this.#stored = stored;
		this.#labels = labels;
	}

	/** The place of something inside. A group has no label of its own: ''. */
	inside(label: string, name: string | number): Place {
		const stored = this.#stored;
		const isWhole = typeof stored === 'object' && stored !== null;
		// If an expression gives the whole, it gives its parts as well.
		const part = isWhole ? (stored as JsonObject)[name] : stored;
		return new Place(this.reading, part, label === '' ? this.#labels : [...this.#labels, label]);
	}

	entry(index: number): Place {
		return this.inside(`entry ${index + 1}`, index);
	}

	/** Whether an expression gave the value, and not the user's own hand. */
	get isExpression(): boolean {
		const stored = valueOfLocator(this.#stored);
		return typeof stored === 'string' && isExpression(stored);
	}

	complain(words: string): void {
		const label = this.#labels.join(' → ');
		const complaint = label === '' ? words : `'${label}' ${words}`;
		this.reading.complaints.push(cut(complaint, LONGEST_COMPLAINT));
	}

	/** Notes what is wrong, and ends the reading of this value. */
	refuse(words: string): never {
		this.complain(words);
		throw new Refused();
	}

	/** Notes that an expression gave nothing. Without this, a filter would silently match more. */
	lack(): never {
		return this.refuse('has no value. Correct its expression, or remove it');
	}

	/** Reads one of several things. What is wrong with it is noted, and the others are read too. */
	attempt<T>(read: () => T): T | undefined {
		try {
			return read();
		} catch (error) {
			assertRefused(error);
			return undefined;
		}
	}

	/** @throws Refused if something is wrong with what is read */
	whole<T>(read: () => T): T {
		const { complaints } = this.reading;
		const before = complaints.length;
		const result = read();
		if (complaints.length > before) throw new Refused();
		return result;
	}

	/** @throws Refused if the schema refuses the value; `advice` follows what is wrong */
	parse<T>(schema: Schema<T>, value: unknown, advice = ''): T {
		const { success, data, error } = schema.safeParse(value);
		if (success) return data;
		for (const issue of error.issues) {
			const entries = issue.path.filter((step) => typeof step === 'number');
			const place = entries.reduce<Place>((at, index) => at.entry(index), this);
			place.complain(wordsFor(issue, valueBehind(value, issue.path)) + advice);
		}
		throw new Refused();
	}
}
