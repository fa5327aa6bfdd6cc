import { listAll } from '../api/lists';
import { toMillis } from '../time';
import { shorten } from './fingerprint';
import { isObject, textIn, type JsonObject } from '../json';
import { LackingError, type PollResult, type Watcher, type Watching } from './watcher';
import { areReshaped, BOUNDS, changesIn, fieldsOf, memoryIn, packMemory, remember } from './memory';
import type { Delayed, Memory, Shown } from './memory';

/** A list that is read as a whole with each poll, and compared with the last one. */
export interface WatchedStates {
	path: string;
	query?: JsonObject;
	/** Finds the records in the data, if they are not the data itself. */
	records?: (data: unknown) => unknown;
	/** Path of the whole record, if the list does not show what is compared. */
	pathOf?(id: string): string;
	/** The id of a record. Default: its `id`. */
	idOf?(record: JsonObject): string | undefined;
	/** The state that is compared. Null if the record has none yet, undefined if it does not show it. */
	stateOf(record: JsonObject): string | null | undefined;
	/** What the state is called in messages, for example "status". */
	shows?: string;
	/** Whether all states change when the API shows more fields. */
	isOfShape?: boolean;
	/** Whether a change starts the workflow. `before` is undefined for a new record. */
	isWanted?(before: string | undefined, state: string): boolean;
	/** Whether a change that Limit per Poll delays is emitted even if the record has changed again. */
	queues?: boolean;
	/** Makes the item. If it fails, the poll fails, and the next one tries again. */
	itemOf(
		record: JsonObject,
		state: string,
		before: string | undefined,
	): JsonObject | Promise<JsonObject>;
	/** The most records that one poll reads, and what the user can do if there are more. */
	most?: number;
	tooMany?: string;
}

/** Emits a record when it is new or shows another state than at the last poll. */
export class StatesWatcher implements Watcher {
	private readonly watched: WatchedStates;

	private readonly watching: Watching;

	constructor(watching: Watching, watched: WatchedStates) {
		this.watched = watched;
		this.watching = watching;
	}

	async poll(stored?: unknown): Promise<PollResult> {
		const { account, limit } = this.watching;
		const memory = memoryIn(stored);
		const { shown, notices } = await this.read();
		const isOther = isObject(stored) && stored.account !== account;
		const isUnknown = shown.length > 0 && !shown.some(({ key }) => memory?.known.has(key));
		if (memory === undefined || (isOther && isUnknown)) {
			return this.begin(shown, notices);
		}

		const { isWanted = () => true, queues = false } = this.watched;
		const now = Math.floor(Date.now() / 1000);
		const changed = changesIn(shown, memory, now).sort(byDate);
		const { due, isReshaped } = this.dueOf(changed, shown, memory);
		const all = [
			...memory.delayed.filter(([, before, state]) => isWanted(before ?? undefined, state)),
			...due.map(({ id, key, state }): Delayed => [id, memory.known.get(key) ?? null, state]),
		];
		// Without a queue, the changes beyond the limit stay unseen, so that the next poll finds them again.
		const held = new Set(queues ? [] : due.slice(limit));
		const seen = changed.filter((one) => !held.has(one));
		const delayed = queues ? all.slice(limit) : [];
		const fields = shown.length > 0 ? fieldsOf(shown) : memory.fields;
		const emitted = all.slice(0, limit);
		return {
			state: { account, ...packMemory({ ...remember(memory, shown, seen, now), delayed, fields }) },
			emit: await Promise.all(emitted.map(async (one) => await this.itemOf(one, shown))),
			notices,
			quietNotices: isReshaped ? [RESHAPED] : [],
		};
	}

	/** The changes that start the workflow. If the API shows other fields, only new records do. */
	private dueOf(changed: Shown[], shown: Shown[], memory: Memory) {
		const { isWanted = () => true, isOfShape = false } = this.watched;
		const isReshaped = isOfShape && areReshaped(shown, changed, memory);
		const due = changed.filter(({ key, state }) => {
			const before = memory.known.get(key);
			return isWanted(before, state) && !(isReshaped && before !== undefined);
		});
		return { due, isReshaped };
	}

	/** Everything that exists counts as known. */
	private begin(shown: Shown[], quietNotices: string[]): PollResult {
		const known = new Map(shown.map(({ key, state }) => [key, state]));
		const memory = { known, gone: {}, left: {}, delayed: [], fields: fieldsOf(shown) };
		const state = { account: this.watching.account, ...packMemory(memory) };
		return { state, emit: [], notices: [], quietNotices, isBeginning: true };
	}

	async sample(): Promise<JsonObject | undefined> {
		const { shown } = await this.read();
		// If several are equally new, the first in the list counts.
		const newest = shown.reverse().sort(byDate).at(-1);
		return newest && (await this.watched.itemOf(newest.record, newest.state, undefined));
	}

	private async itemOf([id, before, state]: Delayed, shown: Shown[]): Promise<JsonObject> {
		const one = shown.find((other) => other.id === id);
		return await this.watched.itemOf(
			one?.record ?? { id, incomplete: true },
			state,
			before ?? undefined,
		);
	}

	/**
	 * Reads the whole list. A calendar may show an event several times, in different states. Then always the
	 * same state counts, in whichever order they come.
	 *
	 * @throws LackingError if no record shows what is compared
	 */
	private async read(): Promise<{ shown: Shown[]; notices: string[] }> {
		const { idOf = ({ id }) => textIn(id), stateOf, shows } = this.watched;
		const records = await this.readList();
		const found = new Map<string, Shown>();
		let left = 0;
		for (const record of await this.wholeOf(records)) {
			const id = idOf(record);
			const state = stateOf(record);
			if (id === undefined || state === undefined) left += 1;
			if (id === undefined || typeof state !== 'string') continue;
			const key = shorten(id);
			const other = found.get(key);
			if (other === undefined || state < other.state) found.set(key, { key, id, state, record });
		}
		const needed = shows === undefined ? ['id'] : [shows, 'id'];
		if (left > 0 && left === records.length) throw new LackingError(needed.join(' and '));
		const notice = `${left} left out, because they show no ${needed.join(' or no ')}.`;
		return { shown: [...found.values()], notices: left > 0 ? [notice] : [] };
	}

	/** @throws Error if the list is too long to be read with each poll */
	private async readList(): Promise<JsonObject[]> {
		const { path, query, most = BOUNDS.most, tooMany } = this.watched;
		const request = { method: 'GET', path, query } as const;
		const options = { wanted: most + 1, records: this.recordsIn };
		const records = await listAll(this.watching.api, request, options);
		if (records.length <= most) return records;
		throw new Error(
			`The list has more than ${most} records, which is too much to read with each poll. ${tooMany ?? INSTEAD}`,
		);
	}

	/** The records with their details, if the event needs them. A record that is gone by now is left out. */
	private async wholeOf(records: JsonObject[]): Promise<JsonObject[]> {
		const { pathOf } = this.watched;
		if (pathOf === undefined) return records;
		const read = async (record: JsonObject): Promise<JsonObject[]> => {
			const path = pathOf(encodeURIComponent(textIn(record.id) ?? ''));
			const detail = await this.watching.api.find({ method: 'GET', path });
			return isObject(detail) ? [{ ...record, ...detail }] : [];
		};
		return (await Promise.all(records.map(read))).flat();
	}

	private readonly recordsIn = (data: unknown): unknown => {
		if (Date.now() >= this.watching.deadline) {
			throw new Error(
				`There was not enough time to read the whole list. ${this.watched.tooMany ?? INSTEAD}`,
			);
		}
		return this.watched.records?.(data) ?? data;
	};
}

/** What the user can do if a list is too long and the event has no advice of its own. */
const INSTEAD = 'Use a schedule with Get Many instead.';

const RESHAPED =
	"All records changed at the same time, probably because the API now shows more of each record. These changes did not start the workflow. If this happens again, add the field that changes by itself to 'Ignore Fields'.";

/** Oldest first if records show when they were created, otherwise in their order. */
const byDate = ({ record: one }: Shown, { record: other }: Shown): number =>
	(toMillis(one.created_at) ?? 0) - (toMillis(other.created_at) ?? 0);
