import { isNotFound } from '../api/apiError';
import { readPages } from '../api/lists';
import { PAGE_SIZE } from '../api/pages';
import { digest } from '../digest';
import { FullRecord } from '../domain/simplify';
import { firstOf, fitting, isObject, textIn, type JsonObject } from '../json';
import { DAY, MINUTE, SECOND, since, toMillis } from '../time';
import { CONCURRENCY, doInBatches, LackingError, mayBeOfOther, whileInTime } from './watcher';
import type { Watcher, Watching } from './watcher';

/** A verdict that holds only after some time (ms), because the record may show more until then. */
interface Later {
	waitFor: number;
	verdict: 'unwanted' | { item: FullRecord };
}

/** The verdict on a record, or the field that the event needs and that the record does not show. */
export type Judged = 'unwanted' | { item: FullRecord } | Later | { lacks: string };

/** A list whose records have a date, and how to judge its new records. */
export interface FollowedList {
	path: string;
	query?: JsonObject;
	/** The fields that may hold the date. Default: created_at. */
	dateFields?: readonly string[];
	/** Whether a record is not over yet, such as a call in progress. It is judged when it is over. */
	isOpen?(record: JsonObject): boolean;
	/** Needed if records may be open. */
	readOne?(id: string): Promise<JsonObject>;
	/** @param waited for how long the record has been pending (ms): 0 if it is judged for the first time */
	judge(record: JsonObject, waited: number): Judged | Promise<Judged>;
	/** What the user can do if records do not show a field that the event needs. */
	wayOut?: string;
	/** The item for a record whose parts could not be read within Look Back. */
	incomplete?(record: JsonObject): FullRecord;
}

/** How many records one poll looks through. So many keys are stored at the most. */
const MOST = 50_000;

const LONGEST_OPEN = DAY;

/** How many open records may be older than the window. More hold the window open. */
const MOST_OPEN = 100;

/** Returns each new record of a list once. */
export function listWatcher(watching: Watching, list: FollowedList): Watcher {
	const { account, key, lookBack, deadline } = watching;
	const { dateFields = ['created_at'] } = list;
	const dateNames = dateFields.join(' or ');
	const leftOut = `Records were left out, because they have no id or no ${dateNames} that is a date and time.`;

	/** Reads the list. The records with an ID and a date come oldest first, each once. */
	async function read(query: JsonObject, wanted = MOST + 1) {
		const wayOut = "Set a shorter 'Look Back', or find out why the API answers slowly.";
		const request = { method: 'GET', path: list.path, query: { ...list.query, ...query } } as const;
		const keyOf = (record: JsonObject) => textIn(record.id) ?? JSON.stringify(record);
		const options = { wanted, keyOf, ahead: CONCURRENCY };
		const dated = new Map<string, Listed>();
		const undated: JsonObject[] = [];
		for await (const { records } of readPages(whileInTime(watching, wayOut), request, options)) {
			for (const record of records) {
				const entry = listed(record, dateFields);
				if (entry === undefined) undated.push(record);
				else dated.set(entry.key, entry);
			}
		}
		if (dated.size + undated.length > MOST) throw new Error(TOO_MANY);
		return { dated: [...dated.values()].sort(byAge), undated };
	}

	/** Asks for the next open record that is older than the window. The others have their turn later. */
	async function askNext({ open }: Progress): Promise<{ asked: Listed[]; error?: unknown }> {
		const next = open.shift();
		if (next === undefined) return { asked: [] };
		open.push(next);
		const [id, second] = next;
		const record = { key: digest(id), id, created: second * SECOND };
		try {
			return { asked: [{ ...record, record: await list.readOne!(id) }] };
		} catch (error) {
			if (isNotFound(error)) return { asked: [{ ...record, record: {}, isGone: true }] };
			return { asked: [], error };
		}
	}

	return {
		async poll(stored) {
			const now = Date.now();
			const before = progressIn(stored);
			const progress = before ?? progressFrom(windowBefore(now, lookBack));
			const { dated, undated } = await read({ created_after: since(progress.windowStart) });
			const isKnown = ({ key, created }: Listed) => progress.done[key] === secondOf(created);
			if (before && mayBeOfOther(stored, watching) && !dated.some(isKnown))
				return await this.poll();
			const unseen = dated.filter((record) => isNew(record, progress));
			const { asked, error: notAsked } = await askNext(progress);
			const fresh = [...asked, ...unseen];
			// What exists at the beginning counts as done, unless it is not over yet.
			const atBeginning = ({ key, record }: Listed): [string, Verdict] => [
				key,
				list.isOpen?.(record) ? 'open' : 'unwanted',
			];
			const { verdicts, notices, error } = before
				? await judgeAll(fresh, progress.pending, now, watching, list)
				: { verdicts: new Map(fresh.map(atBeginning)), notices: [] };
			const { progress: after, items } = advance(progress, fresh, verdicts, watching, now);
			return {
				state: { account, key, ...after },
				records: items,
				notices: [...(undated.length > 0 ? [leftOut] : []), ...notices],
				error: error ?? notAsked,
				isBeginning: before === undefined,
			};
		},

		/** Of the first page, the newest record that is wanted and complete, or one that is not, if none is. */
		async sample() {
			const { dated, undated } = await read({}, PAGE_SIZE);
			let incomplete: FullRecord | undefined;
			if (dated.length === 0 && undated.length > 0)
				throw new LackingError(`id or ${dateNames}`, "Use a schedule with 'Get Many' instead.");
			for (const { record } of dated.reverse()) {
				if (Date.now() >= deadline) break;
				if (list.isOpen?.(record)) continue;
				const judged = await list.judge(record, 0);
				if (isItem(judged)) return judged.item;
				if (isLater(judged) && isItem(judged.verdict)) incomplete ??= judged.verdict.item;
			}
			return incomplete;
		},
	};
}

/**
 * Judges the oldest records, until the limit or the time is reached. A record whose parts cannot be read waits
 * for Look Back, and is then returned as it is.
 * @param pending since when records wait. It gets those that wait from now on
 * @throws LackingError if no record shows a field that the event needs: all would be left out
 */
async function judgeAll(
	fresh: Listed[],
	pending: Progress['pending'],
	startedAt: number,
	{ limit, lookBack, deadline }: Watching,
	list: FollowedList,
) {
	const verdicts = new Map<string, Verdict>();
	const notices = new Set<string>();
	let [items, isShown] = [0, false];
	let lacks: string | undefined;
	let error: unknown;

	async function judge(record: JsonObject, waited: number): Promise<Verdict | Later> {
		try {
			const judged = await list.judge(record, waited);
			if (typeof judged !== 'object' || !('lacks' in judged)) {
				isShown = true;
				return judged;
			}
			lacks = judged.lacks;
			notices.add(`Records that do not show their ${lacks} were left out. ${list.wayOut ?? ''}`);
			return 'unwanted';
		} catch (thrown) {
			// It may have been deleted meanwhile (test/model/saved.ts). If it is listed again, something is wrong.
			const isGone = waited === 0 && isNotFound(thrown);
			if (waited < lookBack && !isGone) error ??= thrown;
			const item = list.incomplete?.(record) ?? new FullRecord(record);
			return { waitFor: lookBack, verdict: { item } };
		}
	}

	async function verdictOn({ key, record, created, isGone }: Listed): Promise<Verdict> {
		if (isGone || list.isOpen?.(record)) {
			if (startedAt - created <= LONGEST_OPEN) return 'open';
			if (!isGone) notices.add(STILL_OPEN);
			return 'unwanted';
		}
		const now = Date.now();
		const pendingSince = pending[key] ?? secondOf(now);
		const waited = key in pending ? Math.max(0, now - pendingSince * SECOND) : 0;
		const judged = await judge(record, waited);
		if (!isLater(judged)) return judged;
		if (waited >= judged.waitFor) return judged.verdict;
		pending[key] = pendingSince;
		return 'waiting';
	}

	// What was pending before comes last, so that it takes no time from the others.
	const isPending = ({ key }: Listed) => Number(Object.hasOwn(pending, key));
	const inOrder = fresh.toSorted((a, b) => isPending(a) - isPending(b));
	const work = async (record: Listed) => {
		const verdict = await verdictOn(record);
		if (isItem(verdict)) items += 1;
		verdicts.set(record.key, verdict);
	};
	await doInBatches(inOrder, work, deadline, () => items >= limit);
	if (lacks !== undefined && !isShown) throw new LackingError(lacks, list.wayOut);
	return { verdicts, notices: [...notices], error };
}

const TOO_MANY = `There are more than ${MOST.toLocaleString('en')} records to look through, which is too much at once. Set a shorter 'Look Back', or start again from now.`;

const STILL_OPEN =
	'A call that was still in progress a day after it began was left out. If it ends, it does not start the workflow.';

const isItem = (judged: unknown): judged is { item: FullRecord } =>
	isObject(judged) && 'item' in judged;

const isLater = (judged: Judged | Verdict): judged is Later =>
	typeof judged === 'object' && 'waitFor' in judged;

/** How much longer than Look Back the window is (ms), because n8n's clock may be minutes ahead of the API's. */
const MARGIN = 15 * MINUTE;

/** How far a list is done, as plain JSON. A record is new if it is in the window and not done. */
interface Progress {
	/** Nothing older is read (ms, a whole second). */
	windowStart: number;
	/** Key of each record that was returned or not wanted → the second in which it was created. */
	done: Record<string, number>;
	/** Key of each record that waits for a part of it → since which second. */
	pending: Record<string, number>;
	/** The open records that are older than the window: the ID, and the second in which it was created. */
	open: Array<[id: string, second: number]>;
}

interface Listed {
	/** Short text that stands for the id. */
	key: string;
	id: string;
	/** In ms. */
	created: number;
	record: JsonObject;
	/** Whether the API did not find it. It may have been deleted, or come back. */
	isGone?: boolean;
}

/** What to do with a new record. A record without a verdict comes again with the next poll. */
type Verdict = 'unwanted' | 'waiting' | 'open' | { item: FullRecord };

export function listed(record: JsonObject, dateFields: readonly string[]): Listed | undefined {
	const [id, created] = [textIn(record.id), toMillis(firstOf(record, dateFields))];
	if (id === undefined || created === undefined) return undefined;
	return { key: digest(id), id, created, record };
}

const byAge = (a: Listed, b: Listed) => a.created - b.created || (a.id < b.id ? -1 : 1);

export const isNew = ({ key, created }: Listed, { windowStart, done }: Progress): boolean =>
	created >= windowStart && !Object.hasOwn(done, key);

export const progressFrom = (from: number): Progress => ({
	windowStart: secondOf(from) * SECOND,
	done: {},
	pending: {},
	open: [],
});

/** Where the window of a list begins whose newest record was created then (ms). */
const windowBefore = (newest: number, lookBack: number) =>
	secondOf(newest - lookBack - MARGIN) * SECOND;

const secondOf = (ms: number) => Math.floor(ms / SECOND);

/**
 * How far the list is done after a poll. Records that are returned or not wanted are done, and the others
 * stay new. The window follows the newest done record, and leaves behind only open records.
 * @param now the time at which the poll began (ms): a date in the future does not move the window
 */
function advance(
	before: Progress,
	found: Listed[],
	verdicts: ReadonlyMap<string, Verdict>,
	{ limit, lookBack }: Watching,
	now: number,
) {
	const done = { ...before.done };
	const items: FullRecord[] = [];
	const undone: Listed[] = [];
	for (const record of found.toSorted(byAge)) {
		const verdict = verdicts.get(record.key);
		if (typeof verdict === 'object' && items.length < limit) items.push(verdict.item);
		else if (verdict !== 'unwanted') {
			undone.push(record);
			continue;
		}
		done[record.key] = secondOf(record.created);
	}
	const newest = Object.values(done).reduce((most, second) => Math.max(most, second), -Infinity);
	let places = MOST_OPEN - before.open.length;
	const holdsWindow = ({ key, created }: Listed) =>
		created >= before.windowStart && (verdicts.get(key) !== 'open' || --places < 0);
	const wanted = windowBefore(Math.min(newest * SECOND, now), lookBack);
	const highest = secondOf(undone.find(holdsWindow)?.created ?? Infinity) * SECOND;
	const windowStart = Math.max(before.windowStart, Math.min(wanted, highest));
	const keys = new Set(found.map(({ key }) => key));
	const open = [
		...before.open.filter(([id]) => !keys.has(digest(id))),
		...undone
			.filter(({ created }) => created < windowStart)
			.map(({ id, created }): [string, number] => [id, secondOf(created)]),
	];
	const waiting = new Set([...undone.map(({ key }) => key), ...open.map(([id]) => digest(id))]);
	const progress = {
		windowStart,
		done: fitting(done, (_key, second) => second * SECOND >= windowStart),
		pending: fitting(before.pending, (key) => waiting.has(key)),
		open,
	};
	return { progress, items };
}

function progressIn(raw: unknown): Progress | undefined {
	const { windowStart, done, pending, open } = isObject(raw) ? raw : {};
	const isProgress = typeof windowStart === 'number' && isObject(done) && isObject(pending);
	if (!isProgress || !Array.isArray(open)) return undefined;
	// A copy: what n8n stores changes at the end of a poll only.
	return { windowStart, done, pending: { ...pending }, open: [...open] } as Progress;
}
