import type { JsonObject } from '../json';
import { cut } from '../words';
import { isExpression, valueOfLocator } from './locator';
import { valueBehind, wordsFor, type Schema } from './schema';

/** What one error shows. */
const MOST_COMPLAINTS = 10;

/** A complaint may quote what an item holds. */
const LONGEST_COMPLAINT = 400;

/** What the reading of an item depends on besides its parameters. */
type Circumstances = Partial<Pick<Reading, 'zone' | 'item' | 'isTool'>>;

/** How the parameters of one item are read, and what is wrong with them. */
export class Reading {
	/** The time zone of dates that name none. */
	readonly zone: string;

	/** The input item, for parameters that take its fields. */
	readonly item: JsonObject;

	/** Whether an AI model gave the values. It leaves blank what it does not set. */
	readonly isTool: boolean;

	/** The first complaints. A long list may have a mistake in each entry. */
	readonly #complaints: string[] = [];

	#refused = 0;

	/** Labels of parameters whose expression gave nothing. */
	readonly #lacking: string[] = [];

	constructor({ zone = 'utc', item = {}, isTool = false }: Circumstances = {}) {
		this.zone = zone;
		this.item = item;
		this.isTool = isTool;
	}

	complain(complaint: string): void {
		this.#refused += 1;
		if (this.#refused <= MOST_COMPLAINTS) this.#complaints.push(cut(complaint, LONGEST_COMPLAINT));
	}

	lacks(label: string): void {
		this.#lacking.push(label);
	}

	/** How many mistakes were found so far. */
	get faults(): number {
		return this.#refused + this.#lacking.length;
	}

	/** All that is wrong, for one error. Empty if nothing is. */
	get problems(): string {
		const more = this.#refused - this.#complaints.length;
		const names = this.#lacking.map((label) => `'${label}'`).join(', ');
		return [
			...this.#complaints,
			// A long list is not read to its end, so the number would be wrong.
			...(more > 0 ? [`and ${more > 500 ? 'many' : more} more`] : []),
			...(names === '' ? [] : [`${names} has no value. Remove it, or correct its expression`]),
		].join('; ');
	}
}

/** Where a value stands: it knows the label that the user sees, such as "Filters → Created After". */
export class Place {
	readonly reading: Reading;

	readonly #label: string;

	/** What the node has stored here, before n8n evaluated it. */
	readonly #stored: unknown;

	/** The place of all parameters. `stored`: the parameters of the node */
	constructor(reading: Reading, stored?: unknown, label = '') {
		this.reading = reading;
		this.#stored = stored;
		this.#label = label;
	}

	/** The place of a parameter inside. */
	inside(label: string, name: string | number): Place {
		const whole = this.#label === '' ? label : `${this.#label} → ${label}`;
		return new Place(this.reading, this.#storedAt(name), whole);
	}

	/** The place of a group. It has no label of its own. */
	group(name: string): Place {
		return new Place(this.reading, this.#storedAt(name), this.#label);
	}

	/** If an expression gives the whole, it gives its parts as well. */
	#storedAt(name: string | number): unknown {
		const stored = this.#stored;
		const isWhole = typeof stored === 'object' && stored !== null;
		return isWhole ? (stored as JsonObject)[name] : stored;
	}

	entry(index: number): Place {
		return this.inside(`entry ${index + 1}`, index);
	}

	/** Whether an expression gave the value, and not the user's own hand. */
	get isExpression(): boolean {
		const stored = valueOfLocator(this.#stored);
		return typeof stored === 'string' && isExpression(stored);
	}

	/** Notes what is wrong. What is returned is never used. */
	refuse(words: string): never {
		this.reading.complain(this.#label === '' ? words : `'${this.#label}' ${words}`);
		return undefined as never;
	}

	/** Notes that an expression gave nothing. Without this, a filter would silently match more. */
	lack(): never {
		this.reading.lacks(this.#label);
		return undefined as never;
	}

	parse<T>(schema: Schema<T>, value: unknown): T {
		const parsed = schema.safeParse(value);
		if (parsed.success) return parsed.data;
		for (const issue of parsed.error.issues) {
			const entries = issue.path.filter((step) => typeof step === 'number');
			const place = entries.reduce<Place>((at, index) => at.entry(index), this);
			place.refuse(wordsFor(issue, valueBehind(value, issue.path)));
		}
		return undefined as never;
	}
}
