import { NodeApiError } from 'n8n-workflow';

import type { JsonObject } from '../../json';
import type { Dated } from '../reading/record';
import type { Verdict } from '../reading/window';

/** Requests under way at once. */
export const CONCURRENCY = 10;

/** How new records are judged. */
export interface Judge {
	/** What a record has to have and has not, such as "status": it is left out. */
	lacks?(record: JsonObject): string | undefined;
	/** What becomes of a record; `now` on the API's clock (ms), Infinity where it is not to wait. */
	judge(record: JsonObject, now: number): Verdict | Promise<Verdict>;
	/** Requests that it takes to judge a record that fires. */
	cost?: number;
	/** The record as it is emitted where the rest of it cannot be read. */
	incomplete?(record: JsonObject): JsonObject;
}

/** Records that lack what a filter asks for: it would drop all of them without a word. */
export class LackingError extends Error {
	constructor(what: string) {
		super(
			`The records of this account do not carry their ${what}, by which the trigger chooses. Remove the filter by it, or watch another event.`,
		);
	}
}

/** The new records of one poll, judged as far as its time and its limit go. */
export class Judging {
	readonly fresh: Dated[] = [];

	readonly verdicts = new Map<string, Verdict>();

	/** What records lacked that were left out. */
	readonly lacking = new Set<string>();

	/** Why the first of those was not read that could not be. */
	error: unknown;

	private readonly failed = new Map<string, unknown>();

	private ready = 0;

	private readonly judge: Judge;

	private readonly limit: number;

	private readonly isOver: () => boolean;

	constructor(judge: Judge, limit: number, isOver: () => boolean) {
		this.judge = judge;
		this.limit = limit;
		this.isOver = isOver;
	}

	/** Whether no more has to be read: the others come with the next polls. */
	get isEnough(): boolean {
		return this.ready >= this.limit || this.fresh.length > this.verdicts.size;
	}

	/** A record that is gone: it has nothing left to wait for. */
	drop(one: Dated): void {
		this.fresh.push(one);
		this.verdicts.set(one.key, 'unwanted');
	}

	/**
	 * Judges records, oldest first, in batches that are under way at once. One that waits below the
	 * floor may come twice: by itself, and at the edge of the list.
	 */
	async add(found: Dated[], now: number): Promise<void> {
		const fresh = found.filter(({ key }) => !this.verdicts.has(key));
		this.fresh.push(...fresh);
		const { cost = 0 } = this.judge;
		const size = cost > 0 ? Math.max(1, Math.floor(CONCURRENCY / cost)) : Infinity;
		for (let from = 0; from < fresh.length && this.ready < this.limit; from += size) {
			if (cost > 0 && this.verdicts.size > 0 && this.isOver()) return;
			const batch = fresh.slice(from, from + size);
			await Promise.all(batch.map(async (one) => await this.judgeOne(one, now)));
		}
	}

	private async judgeOne({ key, record }: Dated, now: number): Promise<void> {
		const what = this.judge.lacks?.(record);
		if (what !== undefined) this.lacking.add(what);
		const verdict = what === undefined ? await this.verdictOn(key, record, now) : 'unwanted';
		if (typeof verdict === 'object') this.ready += 1;
		this.verdicts.set(key, verdict);
	}

	private async verdictOn(key: string, record: JsonObject, now: number): Promise<Verdict> {
		try {
			return await this.judge.judge(record, now);
		} catch (error) {
			this.error ??= error;
			this.failed.set(key, error);
			return 'waiting';
		}
	}

	/**
	 * What could not be read waits. Where the floor would pass it, it is emitted as far as it is known,
	 * unless nothing at all was answered: then the API is down, or the key may not read, and the floor
	 * waits too.
	 *
	 * @throws LackingError where no record carries what is filtered by
	 */
	close(horizon: number): void {
		const [what] = this.lacking;
		if (what !== undefined && this.fresh.every(({ record }) => this.judge.lacks?.(record)))
			throw new LackingError(what);
		const isAnswering = [...this.verdicts.keys()].some((key) => !this.failed.has(key));
		for (const { key, at, record } of this.fresh) {
			const error = this.failed.get(key);
			if (error === undefined || at >= horizon) continue;
			const isGivenUp = isAnswering || isOfRecord(error);
			if (isGivenUp) this.verdicts.set(key, { item: this.judge.incomplete?.(record) ?? record });
			else this.verdicts.delete(key);
		}
	}
}

/** Whether an error says something of one record, and nothing of the API or the key. */
const isOfRecord = (error: unknown) =>
	error instanceof NodeApiError && /^4(?!01|03|29)/.test(error.httpCode ?? '');
