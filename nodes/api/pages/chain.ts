import type { JsonObject } from '../../json';
import { Counting } from './counting';
import { isSaidToEnd, MAX_REPEATS, type Page } from './page';

/** A page, where it was read, and the keys of its records. */
export interface Span extends Page {
	offset: number;
	keys: string[];
}

/** After so many requests that bring nothing new, a shifting list is given up. */
const MAX_MISSES = 100;

/** Pages that were joined without a gap, from the start of the list to the page that was added last. */
export class Chain {
	/** The offset of the next page. */
	next = 0;

	private readonly found = new Set<string>();

	private waiting: JsonObject[] = [];

	private last!: Span;

	private hasEnded = false;

	/** Requests so far that brought nothing new. */
	private missed = 0;

	/** How far to step back if the next page misses the chain too. */
	private back = 1;

	/** How many answers in a row were equal. */
	private repeats = 0;

	private readonly first: Span;

	private readonly asked: number;

	private readonly counting: Counting;

	constructor(first: Span, asked: number) {
		this.first = first;
		this.asked = asked;
		this.counting = new Counting(first, asked);
		this.take(first);
	}

	/** The records are in groups. */
	get isGrouped(): boolean {
		return this.counting.isGrouped;
	}

	/** How far it is from one page to the next, which shares a record with it. */
	get stride(): number {
		return this.strideOf(this.first);
	}

	strideOf(span: Span): number {
		return this.counting.strideOf(span);
	}

	/** The records that are new since the last call. */
	fresh(): JsonObject[] {
		const records = this.waiting;
		this.waiting = [];
		return records;
	}

	/** Whether the list is read. A server that answers every offset with the same page has no more. */
	reachedEnd(): boolean {
		return this.hasEnded || this.repeats === MAX_REPEATS;
	}

	/** Whether the span leaves no gap: it shares a record with the end of the chain, or lies within. */
	touches(span: Span): boolean {
		const final = span.keys.at(-1);
		return final !== undefined && (this.found.has(final) || overlap(this.last, span));
	}

	/** Adds a span that touches the chain. If it lies within, it can only show that the list ends there. */
	add(span: Span): void {
		const final = span.keys.at(-1) as string;
		if (!this.found.has(final)) this.take(span);
		else if (final === this.last.keys.at(-1)) this.hasEnded ||= this.counting.isPart(span);
	}

	/** Whether the server counts more records than were found. */
	lacks(): boolean {
		return !this.isGrouped && (this.last.total ?? 0) > this.found.size;
	}

	/** Adds the records of a span, wherever it lies. Returns whether any of them is new. */
	fill(span: Span): boolean {
		const before = this.found.size;
		this.find(span);
		this.last = { ...this.last, total: span.total };
		return this.found.size > before;
	}

	/**
	 * Reads the page where the chain goes on. If it misses the chain, the next call tries elsewhere.
	 * @throws Error if the list changes faster than it can be read
	 */
	async walk(read: (offset: number) => Promise<Span>): Promise<void> {
		const span = await read(this.next);
		const before = this.found.size;
		this.counting.see(span);
		if (span.offset === 0 || overlap(this.last, span)) this.goOn(span);
		else this.next = this.placeAfterMiss(span);
		if (this.found.size > before) return;
		this.missed += 1;
		if (this.missed > MAX_MISSES) {
			throw new Error(
				'The list changes faster than it can be read, so records would be missing. Use a filter, or run again at a quieter time.',
			);
		}
	}

	/** Takes a span that shares a record with the end of the chain. */
	private goOn(span: Span): void {
		const isRepeated = span.offset !== this.last.offset && sameKeys(span, this.last);
		this.repeats = isRepeated ? this.repeats + 1 : 0;
		const before = this.found.size;
		this.take(span);
		if (this.found.size > before) return;
		this.hasEnded ||= this.counting.isPart(span) || this.counting.isLastGroup(span);
	}

	/** Where to read next, after a span that shares no record with the end of the chain. */
	private placeAfterMiss(span: Span): number {
		if (span.keys.some((key) => this.found.has(key))) return span.offset + this.strideOf(span);
		if (this.counting.mayCountGroups()) {
			this.counting.countGroups();
			return this.last.offset + this.strideOf(this.last);
		}
		this.back *= 2;
		return Math.max(0, span.offset - this.back);
	}

	private find(span: Span): void {
		span.records.forEach((record, at) => {
			const key = span.keys[at] as string;
			if (!this.found.has(key)) this.waiting.push(record);
			this.found.add(key);
		});
	}

	private take(span: Span): void {
		this.find(span);
		const endsWithin =
			this.last !== undefined &&
			!this.counting.isPart(span) &&
			this.last.keys.slice(0, -1).includes(span.keys.at(-1) as string);
		if (!endsWithin) this.last = span;
		const full = span === this.first ? this.asked : this.first.records.length;
		this.hasEnded ||= isSaidToEnd(span, span.offset, Math.min(full, this.asked));
		this.next = span.offset + this.strideOf(span);
		this.back = 1;
	}
}

function overlap(one: Span, other: Span): boolean {
	const keys = new Set(one.keys);
	return other.keys.some((key) => keys.has(key));
}

export const sameKeys = (one: Span, other: Span) =>
	one.keys.length === other.keys.length && one.keys.every((key, at) => key === other.keys[at]);
