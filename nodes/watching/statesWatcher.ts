import { isNotFound } from '../api/apiError';
import { readAll, type RecordsIn } from '../api/lists';
import type { Api } from '../api/session';
import { digest } from '../digest';
import { FullRecord } from '../domain/simplify';
import { fitting, isObject, textIn, type JsonObject } from '../json';
import { HOUR, SECOND, toMillis } from '../time';
import { doInBatches, LackingError, mayBeOfOther, whileInTime } from './watcher';
import type { Watcher, Watching } from './watcher';

/** A record that is new, or whose state differs from the last poll. */
interface Change {
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
	records?: RecordsIn;
	/** Reads the whole record, if the list does not show what is compared. Null if it is gone. */
	readWhole?(id: string, api: Api): Promise<unknown>;
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
	isWanted?(change: Omit<Change, 'newFields'>): boolean;
	/** Reads the parts of a record that the list does not show, but the item needs. */
	complete?(record: JsonObject): Promise<FullRecord>;
	/** Fields that say what changed. */
	added?(change: Change): JsonObject;
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

interface Shown {
	key: string;
	state: string;
	record: JsonObject;
}

/** Returns a record when it is new or shows another state than at the last poll. */
export function statesWatcher(watching: Watching, watched: WatchedStates): Watcher {
	const owner = { account: watching.account, key: watching.key };
	const { isWanted = () => true, complete, added } = watched;
	return {
		async poll(stored) {
			const memory = memoryIn(stored);
			if (memory === undefined || mayBeOfOther(stored, watching)) {
				// What is stored fills no gap here, because it may be that of another account.
				const { shown, notices } = await readStates(watching, watched);
				const isKnown = ({ key, state }: Shown) => memory?.known[key] === state;
				// Everything that exists counts as known.
				const fields = fieldNamesOf(shown);
				const state = { ...owner, known: statesOf(shown), failing: {}, fields };
				if (memory === undefined || !shown.some(isKnown))
					return { state, records: [], notices, isBeginning: true };
			}
			const { shown, notices, error } = await readStates(watching, watched, memory.known);
			const { known, fields } = memory;
			const changed = shown
				.filter(({ key, state }) => known[key] !== state)
				.filter((entry) => isWanted({ ...entry, before: known[entry.key] }))
				.sort(byDate);
			const made = await makeItems(changed, memory, watching, watched);
			// A change that was not returned stays unseen, so that the next poll finds it again.
			const waiting = changed.filter((entry) => !made.items.has(entry));
			const unseen = new Set(waiting.map(({ key }) => key));
			const state = {
				...owner,
				known: {
					...statesOf(shown.filter(({ key }) => !unseen.has(key))),
					...fitting(known, (key) => unseen.has(key)),
				},
				failing: made.failing,
				fields: unseen.size > 0 ? fields : [...new Set([...fields, ...fieldNamesOf(shown)])],
			};
			return { state, records: [...made.items.values()], notices, error: error ?? made.error };
		},

		async sample() {
			const { shown } = await readStates(watching, watched);
			// If several are equally new, the first in the list counts.
			const byAge = shown.reverse().sort(byDate);
			const newest = byAge.findLast(isWanted) ?? byAge.at(-1);
			if (newest === undefined) return undefined;
			const entry = await complete?.(newest.record);
			return (entry ?? new FullRecord(newest.record)).with(
				added?.({ ...newest, newFields: [] }) ?? {},
			);
		},
	};
}

/** Makes items until the limit or the time is reached. A change whose parts cannot be read waits. */
async function makeItems(
	changed: Shown[],
	{ known, failing, fields }: Memory,
	{ limit, deadline }: Watching,
	{ complete, added, stateOf }: WatchedStates,
) {
	const unknown = fieldNamesOf(changed).filter((name) => !fields.includes(name));
	const keys = new Set(changed.map(({ key }) => key));
	const stillFailing = fitting(failing, (key) => keys.has(key));
	// What failed before comes last, so that it takes no time from the others.
	const hasFailed = ({ key }: Shown) => Number(Object.hasOwn(failing, key));
	const inOrder = changed.toSorted((a, b) => hasFailed(a) - hasFailed(b));
	const made = new Map<Shown, FullRecord>();
	let error: unknown;
	const make = async (entry: Shown) => {
		const { key } = entry;
		const before = known[key];
		let full;
		try {
			full = (await complete?.(entry.record)) ?? new FullRecord(entry.record);
			delete stillFailing[key];
		} catch (thrown) {
			const failingSince = (stillFailing[key] ??= Date.now());
			if (Date.now() - failingSince < PATIENCE) {
				// It may have been deleted meanwhile (test/model/saved.ts).
				if (key in failing || !isNotFound(thrown)) error ??= thrown;
				return;
			}
			full = new FullRecord(entry.record, { incomplete: true });
		}
		const isOnlyNew = before !== undefined && stateOf(entry.record, before, unknown) === before;
		const newFields = isOnlyNew ? unknown : [];
		made.set(entry, full.with(added?.({ ...entry, before, newFields }) ?? {}));
	};
	await doInBatches(inOrder, make, deadline, () => made.size >= limit);
	const returned = changed.filter((entry) => made.has(entry)).slice(0, limit);
	for (const { key } of returned) delete stillFailing[key];
	const items = new Map(returned.map((entry) => [entry, made.get(entry)!]));
	return { items, failing: stillFailing, error };
}

/**
 * Reads the whole list. If a calendar shows an event several times, always the same state counts.
 * @throws Error if the list is too long to be read with each poll, or if no record shows what is compared
 */
async function readStates(watching: Watching, watched: WatchedStates, known?: Memory['known']) {
	const { readWhole, shows, stateOf, idOf = ({ id }) => textIn(id) } = watched;
	const { path, query, most = MOST, records: recordsIn } = watched;
	// If the event has no advice of its own.
	const { tooMany = 'Use a schedule with Get Many instead.' } = watched;
	const api = whileInTime(watching, tooMany);
	const request = { method: 'GET', path, query } as const;
	const records = await readAll(api, request, { wanted: most + 1, records: recordsIn });
	if (records.length > most)
		throw new Error(
			`The list has more than ${most} records, which is too much to read with each poll. ${tooMany}`,
		);
	const found = new Map<string, Shown>();
	let lacking = 0;
	let error: unknown;

	/** A record with its state, if it shows them. One that cannot be read counts as unchanged. */
	async function shownBy(record: JsonObject): Promise<Shown | undefined> {
		const id = idOf(record);
		if (id === undefined) {
			lacking += 1;
			return undefined;
		}
		// Records of two accounts may have the same ID.
		const key = digest(
			JSON.stringify([id, Math.floor((toMillis(record.created_at) ?? 0) / SECOND)]),
		);
		const before = known?.[key];
		let whole = record;
		if (readWhole !== undefined) {
			const detail = await readWhole(id, api).catch((thrown: unknown) => {
				// At a beginning there is nothing that it could be compared with.
				if (known === undefined) throw thrown;
				error ??= thrown;
				return undefined;
			});
			if (detail === undefined && before !== undefined) return { key, state: before, record };
			if (!isObject(detail)) return undefined;
			whole = { ...record, ...detail };
		}
		const state = stateOf(whole, before, []);
		if (state === undefined) lacking += 1;
		return typeof state === 'string' ? { key, state, record: whole } : undefined;
	}

	const look = async (record: JsonObject) => {
		const entry = await shownBy(record);
		const same = entry && found.get(entry.key);
		if (entry && (same === undefined || entry.state < same.state)) found.set(entry.key, entry);
	};
	await doInBatches(records, look, Infinity);
	const needed = shows === undefined ? ['id'] : [shows, 'id'];
	if (lacking > 0 && lacking === records.length) throw new LackingError(needed.join(' and '));
	const notice = `Records were left out, because they show no ${needed.join(' or no ')}.`;
	return { shown: [...found.values()], notices: lacking > 0 ? [notice] : [], error };
}

const statesOf = (shown: Shown[]): Memory['known'] =>
	Object.fromEntries(shown.map(({ key, state }) => [key, state]));

const fieldNamesOf = (shown: Shown[]): string[] => [
	...new Set(shown.flatMap(({ record }) => Object.keys(record))),
];

function memoryIn(raw: unknown): Memory | undefined {
	if (!isObject(raw)) return undefined;
	const isMemory = isObject(raw.known) && isObject(raw.failing) && Array.isArray(raw.fields);
	return isMemory ? (raw as unknown as Memory) : undefined;
}

/** Oldest first if records show when they were created, otherwise in their order. */
const byDate = ({ record: a }: Shown, { record: b }: Shown): number =>
	(toMillis(a.created_at) ?? 0) - (toMillis(b.created_at) ?? 0);
