import { NodeApiError } from 'n8n-workflow';

import type { JsonObject } from '../../json';
import type { Part } from '../reading/pages';
import { byAge, isDated, shorten, type Dated } from '../reading/record';
import { secondOf } from '../reading/state';
import { isNew, type Known, type Verdict } from '../reading/window';

const DAY = 24 * 3_600_000;

/** Requests under way at once. */
export const CONCURRENCY = 10;

/** How new records are judged. */
export interface Judge {
	/** What of a record fires by itself, where that is not the record: told from what is known. */
	eventsOf?(record: Dated, state: Known): Dated[];
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

/** How far one poll judges. */
interface Extent {
	/** The most that it emits. */
	limit: number;
	/** How long a record may wait for what cannot be read, in ms. */
	lookBack: number;
	isOver(): boolean;
	/** On the API's clock (ms). */
	now(): number;
}

/** What one poll finds: what is new to a state, judged as far as the poll's time and limit go. */
export class Judging {
	readonly fresh: Dated[] = [];

	readonly verdicts = new Map<string, Verdict>();

	/** All that is older has been read (ms); undefined where nothing was. */
	until: number | undefined;

	/** Whether a record came that the state is done with. */
	hasKnown = false;

	/** Records without an id or a date. */
	private readonly unusable: JsonObject[] = [];

	/** What records lacked that were left out. */
	private readonly lacking = new Set<string>();

	/** Why what belongs to a record could not be read, by the record's key. */
	private readonly failed = new Map<string, unknown>();

	private ready = 0;

	private readonly judge: Judge;

	private readonly state: Known;

	private readonly extent: Extent;

	constructor(judge: Judge, state: Known, extent: Extent) {
		this.judge = judge;
		this.state = state;
		this.extent = extent;
	}

	/** Whether no more has to be read: the others come with the next polls. */
	get isEnough(): boolean {
		return this.ready >= this.extent.limit || this.fresh.length > this.verdicts.size;
	}

	/** Whether time ran out before all that is new was judged. */
	get isLate(): boolean {
		return this.fresh.length > this.verdicts.size && this.extent.isOver();
	}

	/** Why the first of those was not read that could not be. */
	get error(): unknown {
		return [...this.failed.values()][0];
	}

	/** The next part of the list, oldest first. */
	take = async ({ records, until }: Part): Promise<boolean> => {
		this.until = until;
		this.unusable.push(...records.filter((one) => !isDated(one)).map(({ record }) => record));
		const { eventsOf } = this.judge;
		const { done, floor } = this.state;
		const events = records
			.filter(isDated)
			.flatMap((one) => eventsOf?.(one, this.state) ?? [one])
			.sort(byAge);
		this.hasKnown ||= events.some(({ key, at }) => done.get(key) === secondOf(at, floor));
		await this.add(events.filter((event) => isNew(event, this.state)));
		return this.isEnough;
	};

	/** One that waits below the floor, read by itself; null where it is gone, and has nothing to wait for. */
	async takeOpen(id: string, at: number, record: JsonObject | null): Promise<void> {
		const one = { key: shorten(id), at, record: record ?? { id } };
		if (record !== null) return await this.add([one]);
		this.fresh.push(one);
		this.verdicts.set(one.key, 'unwanted');
	}

	/** One that waits below the floor, and could not be read. */
	failOpen(id: string, error: unknown): void {
		this.failed.set(shorten(id), error);
	}

	/** Judges records in batches that are under way at once. */
	private async add(found: Dated[]): Promise<void> {
		// One that waits below the floor may come twice: by itself, and at the edge of the list.
		const fresh = found.filter(({ key }) => !this.verdicts.has(key));
		this.fresh.push(...fresh);
		const { cost = 0 } = this.judge;
		const size = cost > 0 ? Math.max(1, Math.floor(CONCURRENCY / cost)) : Infinity;
		for (let from = 0; from < fresh.length && this.ready < this.extent.limit; from += size) {
			if (cost > 0 && this.verdicts.size > 0 && this.extent.isOver()) return;
			await Promise.all(fresh.slice(from, from + size).map(this.judgeOne));
		}
	}

	private judgeOne = async ({ key, record }: Dated): Promise<void> => {
		const what = this.judge.lacks?.(record);
		if (what !== undefined) this.lacking.add(what);
		const verdict = what === undefined ? await this.verdictOn(key, record) : 'unwanted';
		if (typeof verdict === 'object') this.ready += 1;
		this.verdicts.set(key, verdict);
	};

	private async verdictOn(key: string, record: JsonObject): Promise<Verdict> {
		try {
			return await this.judge.judge(record, this.extent.now());
		} catch (error) {
			this.failed.set(key, error);
			return 'waiting';
		}
	}

	/**
	 * What could not be read waits. Where the floor would pass it, it is emitted as far as it is known,
	 * unless nothing at all was answered: then the API is down, or the key may not read, and the floor
	 * waits too, for a day at the most. The floor of a quiet account does not move: there the clock counts.
	 *
	 * @throws LackingError where no record carries what is filtered by
	 */
	close(horizon: number): void {
		const [what] = this.lacking;
		if (what !== undefined && this.fresh.every(({ record }) => this.judge.lacks?.(record)))
			throw new LackingError(what);
		const isAnswering = [...this.verdicts.keys()].some((key) => !this.failed.has(key));
		const { lookBack } = this.extent;
		const now = this.extent.now();
		for (const { key, at, record } of this.fresh) {
			const error = this.failed.get(key);
			if (error === undefined) continue;
			const isPassed = at < horizon;
			const isGivenUp =
				(isPassed && isAnswering) ||
				((isPassed || at < now - lookBack) && isOfRecord(error)) ||
				at < now - Math.max(DAY, lookBack);
			if (isGivenUp) this.verdicts.set(key, { item: this.judge.incomplete?.(record) ?? record });
			else if (isPassed) this.verdicts.delete(key);
		}
	}

	/** What the user has to know of what was left out. */
	notices(): string[] {
		const [{ id, created_at } = {}] = this.unusable;
		const undated = `${this.unusable.length} left out, because they have no id or no created_at that is a date and time, such as ${JSON.stringify({ id, created_at })}.`;
		return [
			...(this.unusable.length > 0 ? [undated] : []),
			...[...this.lacking].map((what) => `Records that do not carry their ${what} were left out.`),
		];
	}
}

/** Whether an error says something of one record, and nothing of the API or the key. */
const isOfRecord = (error: unknown) =>
	error instanceof NodeApiError && /^4(?!01|03|29)/.test(error.httpCode ?? '');
