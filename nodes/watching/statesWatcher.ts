import { readAll } from '../api/lists';
import type { Api } from '../api/session';
import { isObject, textIn, type JsonObject } from '../json';
import { SECOND, toMillis } from '../time';
import { digest } from '../digest';
import {
	BOUNDS,
	changesIn,
	fieldsOf,
	rotatedAfter,
	memoryIn,
	newFieldsIn,
	packMemory,
	remember,
	type Delayed,
	type Memory,
	type Shown,
} from './memory';
import { LIMITS } from './progress';
import { doInBatches, isOfOther, LackingError, whileInTime } from './watcher';
import type { PollResult, Watcher, Watching } from './watcher';

/** A record that is new, or whose state differs from the last poll. */
export interface Change {
	record: JsonObject;
	/** Undefined for a new record. */
	before?: string;
	state: string;
	/** Fields that no record showed before, if the record differs by these alone. */
	newFields: string[];
}

/** What else decides on the state of a record. */
export interface View {
	/** How many records the list has. */
	count: number;
	/** The state at the last poll. Undefined for a new record. */
	before?: string;
	/** Fields that do not count. */
	without: readonly string[];
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
	/** The state that is compared. Null if the record has none yet, undefined if it does not show it. */
	stateOf(record: JsonObject, view: View): string | null | undefined;
	/** What the state is called in messages, for example "status". */
	shows?: string;
	/** Whether a change is wanted. `before` is undefined for a new record, `record` for one that is gone. */
	isWanted?(change: { before?: string; state: string; record?: JsonObject }): boolean;
	/** Whether a change that Limit per Poll delays is returned even if the record has changed again. */
	queues?: boolean;
	/** Reads the parts of a record that the list does not show, but the item needs. */
	complete?(record: JsonObject): Promise<JsonObject>;
	itemOf(change: Change): JsonObject;
	/** The most records that one poll reads, and what the user can do if there are more. */
	most?: number;
	tooMany?: string;
}

/** A change that is to be returned: of one record, found by this poll or by an earlier one. */
interface Due {
	key: string;
	id: string;
	before?: string;
	state: string;
	/** Undefined if the record is gone. */
	shown: Shown | undefined;
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

	/** How many records the list has. */
	#count = 0;

	constructor(watching: Watching, watched: WatchedStates) {
		this.#watched = watched;
		this.#watching = watching;
		this.#api = whileInTime(watching, watched.tooMany ?? INSTEAD);
	}

	async poll(stored?: unknown): Promise<PollResult> {
		const memory = memoryIn(stored);
		const { shown, notices } = await this.#read(memory);
		const isOther = isOfOther(stored, this.#watching, Boolean(memory?.known.size));
		const isUnknown = shown.length > 0 && !shown.some(({ key }) => memory?.known.has(key));
		if (memory === undefined || (isOther && isUnknown)) return this.#begin(shown, notices);

		const now = Math.floor(Date.now() / SECOND);
		const byAge = changesIn(shown, memory, now).sort(byDate);
		const changed =
			memory.turn === undefined ? byAge : rotatedAfter(byAge, shown.toSorted(byDate), memory.turn);
		const due = this.#dueOf(changed, shown, memory);
		const { items, rest, failing, last } = await this.#itemsOf(due, shown, memory, now);
		// Without a queue, the other changes stay unseen, so that the next poll finds them again.
		const places = this.#watched.queues === true ? BOUNDS.delayed : 0;
		const delayed = rest
			.slice(0, places)
			.map(({ id, before, state }): Delayed => [id, before ?? null, state]);
		const unseen = new Set(rest.slice(places).map((one) => one.shown));
		const seen = changed.filter((one) => !unseen.has(one));
		if (places > 0 && unseen.size > 0) notices.push(QUEUE_IS_FULL);
		const fields =
			shown.length === 0 || unseen.size > 0 ? memory.fields : fieldsOf(shown, memory.fields);
		const next: Memory = { ...remember(memory, shown, seen, now), delayed, failing, fields };
		if (rest.length > 0) next.turn = last;
		return { state: this.#stateOf(next), records: items, notices, error: this.#error };
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

	/** Everything that exists counts as known. */
	#begin(shown: Shown[], notices: string[]): PollResult {
		const known = new Map(shown.map(({ key, state }) => [key, state]));
		const fields = fieldsOf(shown);
		const state = this.#stateOf({ known, gone: {}, left: {}, delayed: [], failing: {}, fields });
		return { state, records: [], notices, isBeginning: true };
	}

	readonly #stateOf = (memory: Memory) => ({
		account: this.#watching.account,
		key: this.#watching.key,
		...packMemory(memory),
	});

	/** What is to be returned: first the changes that wait, then those that this poll found. */
	#dueOf(changed: Shown[], shown: Shown[], { delayed, known }: Memory): Due[] {
		const { isWanted = () => true } = this.#watched;
		const byId = new Map(shown.map((one) => [one.id, one]));
		const waiting = delayed.map(([id, before, state]): Due => {
			return { key: digest(id), id, before: before ?? undefined, state, shown: byId.get(id) };
		});
		const found = changed.map((one): Due => {
			return { ...one, before: known.get(one.key), shown: one };
		});
		return [...waiting, ...found].filter(({ before, state, shown: one }) =>
			isWanted({ before, state, record: one?.record }),
		);
	}

	/**
	 * Makes items until the limit or the time is reached. If a part of a record cannot be read, its
	 * changes wait, and the others go on. After three hours they come without it.
	 */
	async #itemsOf(due: Due[], shown: Shown[], memory: Memory, now: number) {
		const { limit, deadline } = this.#watching;
		const newFields = newFieldsIn(shown, memory);
		const failing: Memory['failing'] = {};
		for (const { key } of due)
			if (memory.failing[key] !== undefined) failing[key] = memory.failing[key];
		// What failed before comes last, so that it takes no time from the others.
		const hasFailed = ({ key }: Due) => Number(Object.hasOwn(failing, key));
		const inOrder = due.toSorted((one, other) => hasFailed(one) - hasFailed(other));
		const read = this.#completer(failing, now);
		const made = new Map<Due, JsonObject>();
		const make = async (one: Due) => {
			const record = await read(one);
			if (record === undefined) return;
			const fields = this.#differsOnlyBy(newFields, one) ? newFields : [];
			made.set(one, this.#watched.itemOf({ ...one, record, newFields: fields }));
		};
		const cost = this.#watched.complete === undefined ? 0 : 1;
		await doInBatches(inOrder, make, { cost, deadline, isEnough: () => made.size >= limit });
		const returned = new Set(due.filter((one) => made.has(one)).slice(0, limit));
		const rest = due.filter((one) => !returned.has(one));
		const last = [...returned].at(-1)?.key;
		return { items: [...returned].map((one) => made.get(one)!), rest, failing, last };
	}

	/** Reads the parts of records, of each one once. Undefined if a record has to wait for its parts. */
	#completer(failing: Memory['failing'], now: number) {
		const { complete = async (record) => record } = this.#watched;
		const whole = new Map<string, Promise<JsonObject>>();
		return async ({ key, id, shown }: Due): Promise<JsonObject | undefined> => {
			if (shown === undefined) return { id, incomplete: true };
			try {
				if (!whole.has(key)) whole.set(key, complete(shown.record));
				const record = await whole.get(key)!;
				delete failing[key];
				return record;
			} catch (error) {
				failing[key] ??= now;
				const isGivenUp = now - failing[key] >= BOUNDS.patience;
				if (!isGivenUp) this.#error ??= error;
				return isGivenUp ? { ...shown.record, incomplete: true } : undefined;
			}
		};
	}

	#differsOnlyBy(fields: string[], { before, shown }: Due): boolean {
		if (fields.length === 0 || before === undefined || shown === undefined) return false;
		return this.#watched.stateOf(shown.record, { count: this.#count, without: fields }) === before;
	}

	/**
	 * Reads the whole list. A calendar may show an event several times, in different states. Then always the
	 * same state counts, in whichever order they come.
	 *
	 * @throws LackingError if no record shows what is compared
	 */
	async #read(memory?: Memory): Promise<{ shown: Shown[]; notices: string[] }> {
		const { readWhole, shows, cost = 1 } = this.#watched;
		const records = await this.#readList();
		this.#count = records.length;
		const found = new Map<string, Shown>();
		const look = async (record: JsonObject) => {
			const one = await this.#look(record, memory).catch((error: unknown) => {
				if (memory === undefined) throw error;
				return this.#asBefore(record, memory, error);
			});
			const other = one && found.get(one.key);
			if (one && (other === undefined || one.state < other.state)) found.set(one.key, one);
		};
		await doInBatches(records, look, {
			cost: readWhole === undefined ? 0 : cost,
			deadline: Infinity,
			isEnough: () => false,
		});
		const needed = shows === undefined ? ['id'] : [shows, 'id'];
		const lacking = this.#lacking;
		if (lacking > 0 && lacking === records.length) throw new LackingError(needed.join(' and '));
		const notice = `${lacking} left out, because they show no ${needed.join(' or no ')}.`;
		return { shown: [...found.values()], notices: lacking > 0 ? [notice] : [] };
	}

	/** A record with its id and state. Undefined if it does not show them, or is gone by now. */
	async #look(record: JsonObject, memory?: Memory): Promise<Shown | undefined> {
		const { stateOf, readWhole } = this.#watched;
		const id = this.#idOf(record);
		if (id === undefined) this.#lacking += 1;
		if (id === undefined) return undefined;
		const detail = await readWhole?.(id, this.#api);
		if (readWhole && !isObject(detail)) return undefined;
		const whole = isObject(detail) ? { ...record, ...detail } : record;
		const key = digest(id);
		const before = memory?.known.get(key);
		const state = stateOf(whole, { count: this.#count, before, without: [] });
		if (state === undefined) this.#lacking += 1;
		return typeof state === 'string' ? { key, id, state, record: whole } : undefined;
	}

	/** A record that cannot be read counts as unchanged, so that the others go on. */
	#asBefore(record: JsonObject, { known }: Memory, error: unknown): Shown | undefined {
		this.#error ??= error;
		const id = this.#idOf(record) ?? '';
		const key = digest(id);
		const state = known.get(key);
		return state === undefined ? undefined : { key, id, state, record };
	}

	#idOf(record: JsonObject): string | undefined {
		const id = (this.#watched.idOf ?? (({ id: own }) => textIn(own)))(record);
		return id !== undefined && id.length <= LIMITS.id ? id : undefined;
	}

	/** @throws Error if the list is too long to be read with each poll */
	async #readList(): Promise<JsonObject[]> {
		const {
			path,
			query,
			most = BOUNDS.most,
			tooMany = INSTEAD,
			records: recordsIn,
		} = this.#watched;
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

const QUEUE_IS_FULL = `More than ${BOUNDS.delayed} changes wait, because of 'Limit per Poll' or because their records cannot be read. Of other records that change, only the last change starts the workflow.`;

/** Oldest first if records show when they were created, otherwise in their order. */
const byDate = ({ record: one }: Shown, { record: other }: Shown): number =>
	(toMillis(one.created_at) ?? 0) - (toMillis(other.created_at) ?? 0);
