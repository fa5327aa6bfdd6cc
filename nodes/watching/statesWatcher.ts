import { readAll } from '../api/lists';
import type { Api } from '../api/session';
import { digest } from '../digest';
import { fitting, isObject, textIn, type JsonObject } from '../json';
import { HOUR, toMillis } from '../time';
import { doInBatches, isOfOther, LackingError, whileInTime } from './watcher';
import type { PollResult, Watcher, Watching } from './watcher';

// Reads a whole list with each poll and compares it with the last one: which records are new or changed.

/** A record that is new, or whose state differs from the last poll. */
export interface Change {
	record: JsonObject;
	/** Undefined for a new record. */
	before?: string;
	state: string;
	/** Fields that no record showed before, if the record differs by these alone. */
	newFields: string[];
}

/** A list that is read as a whole with each poll, and compared with the last one. */
export interface WatchedStates {
	path: string;
	query?: JsonObject;
	/** Finds the records in the data, if they are not the data itself. */
	records?: (data: unknown) => unknown;
	/** Reads the whole record, if the list does not show what is compared. Null if it is gone. */
	readWhole?(id: string, api: Api): Promise<unknown>;
	/** How many requests that takes for a record. Default: 1. */
	cost?: number;
	/** The id of a record. Default: its `id`. */
	idOf?(record: JsonObject): string | undefined;
	/**
	 * The state that is compared. Null if the record has none yet, undefined if it does not show it.
	 * @param before the state at the last poll; undefined for a new record
	 * @param without fields that do not count
	 */
	stateOf(
		record: JsonObject,
		before: string | undefined,
		without: readonly string[],
	): string | null | undefined;
	/** What the state is called in messages, for example "status". */
	shows?: string;
	/** Whether a change is wanted. `before` is undefined for a new record. */
	isWanted?(change: { before?: string; state: string; record: JsonObject }): boolean;
	/** Reads the parts of a record that the list does not show, but the item needs. */
	complete?(record: JsonObject): Promise<JsonObject>;
	itemOf(change: Change): JsonObject;
	/** The most records that one poll reads, and what the user can do if there are more. */
	most?: number;
	tooMany?: string;
}

/** How many records one poll reads, if the event does not say. */
const MOST = 5000;

/** How long a change waits for parts of its record that cannot be read (ms). */
const PATIENCE = 3 * HOUR;

/** What the trigger remembers of a list, as plain JSON. Keys of records are short texts that stand for their ids. */
interface Memory {
	/** Key of each record → what it showed last. */
	known: Record<string, string>;
	/** Key of a record of which a part cannot be read → since when (ms). */
	failing: Record<string, number>;
	/** The names of all fields that records have shown. */
	fields: string[];
}

/** One record of an answer. */
interface Shown {
	key: string;
	state: string;
	record: JsonObject;
}

/** Returns a record when it is new or shows another state than at the last poll. */
export class StatesWatcher implements Watcher {
	readonly #watched: WatchedStates;

	readonly #watching: Watching;

	/** The account, as long as there is time. */
	readonly #api: Api;

	/** Why a record, or a part of it, could not be read. */
	#error: unknown;

	/** How many records show no id or no state. */
	#lacking = 0;

	constructor(watching: Watching, watched: WatchedStates) {
		this.#watched = watched;
		this.#watching = watching;
		this.#api = whileInTime(watching, watched.tooMany ?? INSTEAD);
	}

	async poll(stored?: unknown): Promise<PollResult> {
		const memory = memoryIn(stored);
		const owner = { account: this.#watching.account, key: this.#watching.key };
		const { shown, notices } = await this.#read(memory?.known);
		const { known, fields }: Omit<Memory, 'failing'> = memory ?? { known: {}, fields: [] };
		const isOther = isOfOther(stored, this.#watching, Object.keys(known).length > 0);
		const isUnknown = shown.length > 0 && !shown.some(({ key }) => Object.hasOwn(known, key));
		if (memory === undefined || (isOther && isUnknown)) {
			// Everything that exists counts as known.
			const all = Object.fromEntries(shown.map(({ key, state }) => [key, state]));
			const state = { ...owner, known: all, failing: {}, fields: namesIn(shown) };
			return { state, records: [], notices, isBeginning: true };
		}
		const { isWanted = () => true } = this.#watched;
		const changed = shown
			.filter(({ key, state }) => known[key] !== state)
			.filter((one) => isWanted({ ...one, before: known[one.key] }))
			.sort(byDate);
		const { items, failing } = await this.#itemsOf(changed, memory);
		// A change that was not returned stays unseen, so that the next poll finds it again.
		const unseen = new Set(changed.filter((one) => !items.has(one)));
		const seen = shown.filter((one) => !unseen.has(one)).map(({ key, state }) => [key, state]);
		const before = [...unseen].map(({ key }) => [key, known[key]]).filter(([, state]) => state);
		const state = {
			...owner,
			known: Object.fromEntries([...seen, ...before]) as Memory['known'],
			failing,
			fields: unseen.size > 0 ? fields : [...new Set([...fields, ...namesIn(shown)])],
		};
		return { state, records: [...items.values()], notices, error: this.#error };
	}

	async sample(): Promise<JsonObject | undefined> {
		const { complete = async (record) => record, itemOf, isWanted = () => true } = this.#watched;
		const { shown } = await this.#read();
		// If several are equally new, the first in the list counts.
		const byAge = shown.reverse().sort(byDate);
		const newest = byAge.findLast(isWanted) ?? byAge.at(-1);
		if (newest === undefined) return undefined;
		return itemOf({ ...newest, record: await complete(newest.record), newFields: [] });
	}

	/** Makes items until the limit or the time is reached. What cannot be read waits, and then comes without it. */
	async #itemsOf(changed: Shown[], { known, failing, fields }: Memory) {
		const { limit, deadline } = this.#watching;
		const { complete, itemOf } = this.#watched;
		const unknown = namesIn(changed).filter((name) => !fields.includes(name));
		const keys = new Set(changed.map(({ key }) => key));
		const stillFailing = fitting(failing, (key) => keys.has(key));
		// What failed before comes last, so that it takes no time from the others.
		const hasFailed = ({ key }: Shown) => Number(Object.hasOwn(failing, key));
		const inOrder = changed.toSorted((a, b) => hasFailed(a) - hasFailed(b));
		const made = new Map<Shown, JsonObject>();
		const make = async (one: Shown) => {
			const { key } = one;
			let { record } = one;
			try {
				record = (await complete?.(record)) ?? record;
				delete stillFailing[key];
			} catch (error) {
				const failingSince = (stillFailing[key] ??= Date.now());
				if (Date.now() - failingSince < PATIENCE) {
					this.#error ??= error;
					return;
				}
				record = { ...record, incomplete: true };
			}
			const before = known[key];
			const newFields = this.#differsOnlyBy(unknown, one, before) ? unknown : [];
			made.set(one, itemOf({ ...one, record, before, newFields }));
		};
		const cost = complete === undefined ? 0 : 1;
		await doInBatches(inOrder, make, { cost, deadline, isEnough: () => made.size >= limit });
		const returned = changed.filter((one) => made.has(one)).slice(0, limit);
		const items = new Map(returned.map((one) => [one, made.get(one)!]));
		for (const { key } of returned) delete stillFailing[key];
		return { items, failing: stillFailing };
	}

	#differsOnlyBy(fields: string[], { record }: Shown, before?: string): boolean {
		if (fields.length === 0 || before === undefined) return false;
		return this.#watched.stateOf(record, before, fields) === before;
	}

	/**
	 * Reads the whole list. If a calendar shows an event several times, always the same state counts.
	 * @throws LackingError if no record shows what is compared
	 */
	async #read(known?: Memory['known']): Promise<{ shown: Shown[]; notices: string[] }> {
		const { readWhole, shows, cost = 1 } = this.#watched;
		const records = await this.#readList();
		const found = new Map<string, Shown>();
		const look = async (record: JsonObject) => {
			const one = await this.#look(record, known);
			const same = one && found.get(one.key);
			if (one && (same === undefined || one.state < same.state)) found.set(one.key, one);
		};
		await doInBatches(records, look, {
			cost: readWhole === undefined ? 0 : cost,
			deadline: Infinity,
			isEnough: () => false,
		});
		const needed = shows === undefined ? ['id'] : [shows, 'id'];
		const lacking = this.#lacking;
		if (lacking > 0 && lacking === records.length) throw new LackingError(needed.join(' and '));
		const notice = `Records were left out, because they show no ${needed.join(' or no ')}.`;
		return { shown: [...found.values()], notices: lacking > 0 ? [notice] : [] };
	}

	/** A record with its state, if it shows them. One that cannot be read counts as unchanged. */
	async #look(record: JsonObject, known?: Memory['known']): Promise<Shown | undefined> {
		const { stateOf, readWhole, idOf = ({ id }) => textIn(id) } = this.#watched;
		const id = idOf(record);
		if (id === undefined) {
			this.#lacking += 1;
			return undefined;
		}
		const key = digest(id);
		const before = known?.[key];
		let whole = record;
		if (readWhole !== undefined) {
			const detail = await readWhole(id, this.#api).catch((error: unknown) => {
				// At a beginning there is nothing that it could be compared with.
				if (known === undefined) throw error;
				this.#error ??= error;
				return undefined;
			});
			if (detail === undefined && before !== undefined) return { key, state: before, record };
			if (!isObject(detail)) return undefined;
			whole = { ...record, ...detail };
		}
		const state = stateOf(whole, before, []);
		if (state === undefined) this.#lacking += 1;
		return typeof state === 'string' ? { key, state, record: whole } : undefined;
	}

	/** @throws Error if the list is too long to be read with each poll */
	async #readList(): Promise<JsonObject[]> {
		const { path, query, most = MOST, tooMany = INSTEAD, records: recordsIn } = this.#watched;
		const request = { method: 'GET', path, query } as const;
		const records = await readAll(this.#api, request, { wanted: most + 1, records: recordsIn });
		if (records.length <= most) return records;
		throw new Error(
			`The list has more than ${most} records, which is too much to read with each poll. ${tooMany}`,
		);
	}
}

/** What the user can do if a list is too long and the event has no advice of its own. */
const INSTEAD = 'Use a schedule with Get Many instead.';

/** The names of all fields of these records. */
const namesIn = (shown: Shown[]): string[] => [
	...new Set(shown.flatMap(({ record }) => Object.keys(record))),
];

/** The memory in a stored value. Undefined if it is missing or has another form. */
function memoryIn(raw: unknown): Memory | undefined {
	if (!isObject(raw)) return undefined;
	const isMemory = isObject(raw.known) && isObject(raw.failing) && Array.isArray(raw.fields);
	return isMemory ? (raw as unknown as Memory) : undefined;
}

/** Oldest first if records show when they were created, otherwise in their order. */
const byDate = ({ record: a }: Shown, { record: b }: Shown): number =>
	(toMillis(a.created_at) ?? 0) - (toMillis(b.created_at) ?? 0);
