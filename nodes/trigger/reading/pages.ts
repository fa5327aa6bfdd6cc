import { isSaidToEnd, PAGE_SIZE, streamPages } from '../../api/pages';
import type { FetchPage, Page, Take } from '../../api/pages';
import { isDated, keyOf, listed, type Listed } from './record';

/** The next records of a list. All that are older than `until` (ms) have been read. */
export interface Part {
	records: Listed[];
	until: number;
}

/** Takes the next part; true where that is enough. */
export type TakePart = (part: Part) => boolean | Promise<boolean>;

/** How far to read. */
export interface Reach {
	/** Whether the time for it is used up. */
	isOver(): boolean;
	/** How many of the oldest records are likely to be needed. */
	wanted: number;
	/** How many of the first are left out; what comes then proves nothing of what is older. */
	start?: number;
}

/** Pages under way at once: the more, the more were read, as few may be enough. */
export const ahead = (taken: number) => Math.min(taken, 10);

/** The time of one poll is used up: what was read counts, and the next poll goes on. */
export class OutOfTimeError extends Error {
	override message = 'The poll ran out of time';
}

/** The list does not run by date, or does not end where its total says. */
class DisorderError extends Error {}

/** Whether no record is newer than the one before it. */
export function runNewestFirst(records: Listed[]): boolean {
	const dates = records.filter(isDated).map(({ at }) => at);
	return dates.every((at, index) => at <= (dates[index - 1] ?? at));
}

/** Records of one date say nothing of the order. */
const hasSeveralDates = (records: Listed[]) =>
	new Set(records.filter(isDated).map(({ at }) => at)).size > 1;

/**
 * A list from its oldest record on, part by part, while records come and go. Only the documented
 * order is asked for (reference: "Other endpoints", polling pattern sort=-created_at): a list that
 * should run newest first, and does by its dates, is read from its end. Any other, or one whose total
 * names no more than its first page, is one part, read from its start.
 *
 * @param isNewestFirst whether it is documented to run newest first
 * @throws OutOfTimeError, or what `ask` threw, behind the parts that were read until then
 */
export async function readOldestFirst(
	ask: FetchPage,
	reach: Reach,
	take: TakePart,
	isNewestFirst: boolean,
): Promise<void> {
	const top = await ask(0, PAGE_SIZE);
	const records = top.records.map(listed);
	if (isSaidToEnd(top, 0, PAGE_SIZE)) return void (await take({ records, until: Infinity }));
	const rest = following(top, inTime(ask, reach.isOver));
	const isTurnable = isNewestFirst && runNewestFirst(records) && hasSeveralDates(records);
	const oldestFirst = isTurnable ? turned(top, rest) : undefined;
	const wanted = Math.max(records.length, reach.wanted);
	try {
		if (oldestFirst !== undefined)
			return await readInOrder(oldestFirst, { ...reach, wanted }, take);
	} catch (caught) {
		const error: unknown = caught;
		if (!(error instanceof DisorderError)) throw error;
		// What was said of it rested on its order.
		await take({ records: [], until: -Infinity });
	}
	await readAsOne(rest, reach, take);
}

/** A list that is read for as long as there is time. */
export const inTime =
	(ask: FetchPage, isOver: () => boolean): FetchPage =>
	async (offset, limit) => {
		if (isOver()) throw new OutOfTimeError();
		return await ask(offset, limit);
	};

/** A list whose first page was read already: it is not asked for twice. */
export function following(top: Page, ask: FetchPage): FetchPage {
	let unused: Page | undefined = top;
	return async (offset, limit) => {
		if (offset > 0 || unused === undefined) return await ask(offset, limit);
		const page = unused;
		unused = undefined;
		return page;
	};
}

/**
 * A list that runs newest first, from its end: each page turned over, and counted from where the last
 * total puts the end; undefined where it names no more than the first page. One record that does not
 * exist is counted behind the end: so the first of its pages is not full, which proves that nothing
 * lies behind it.
 *
 * @throws DisorderError where the end is not where the total says
 */
function turned({ records: { length: size }, total = 0 }: Page, ask: FetchPage) {
	if (total <= size) return undefined;
	let count = total + 1;
	return async (offset: number): Promise<Page> => {
		const from = count - offset - size;
		if (from <= -size) return { records: [], total: count };
		const page = await ask(Math.max(0, from), size);
		count = (page.total ?? count - 1) + 1;
		const { length } = page.records;
		if (offset === 0 && (length === 0 || length >= size)) throw new DisorderError();
		const records = page.records.slice(0, Math.min(size, size + from)).reverse();
		return { records, total: count };
	};
}

async function readInOrder(fetch: FetchPage, reach: Reach, take: TakePart): Promise<void> {
	const { start = 0, wanted } = reach;
	let until = -Infinity;
	let isEnough = false;
	const takePage: Take = async (found) => {
		const records = found.map(listed);
		const newest = records.findLast(isDated)?.at ?? until;
		if (newest < until || !runNewestFirst(records.toReversed())) throw new DisorderError();
		until = newest;
		isEnough = await take({ records, until: start > 0 ? -Infinity : until });
		return isEnough;
	};
	await streamPages(from(start, fetch), () => takePage, { wanted, ahead, keyOf });
	if (!isEnough) await take({ records: [], until: start > 0 ? -Infinity : Infinity });
}

async function readAsOne(fetch: FetchPage, { start = 0 }: Reach, take: TakePart): Promise<void> {
	const found = new Map<string, Listed>();
	const takePage: Take = (records) => {
		for (const one of records.map(listed)) found.set(one.key, one);
		return false;
	};
	const failure = await streamPages(from(start, fetch), () => takePage, {
		ahead,
		keyOf,
	}).then(
		() => undefined,
		(error: unknown) => ({ error }),
	);
	const isWhole = failure === undefined && start === 0;
	await take({ records: [...found.values()], until: isWhole ? Infinity : -Infinity });
	if (failure !== undefined) throw failure.error;
}

/** A list without its first records. */
const from =
	(start: number, fetch: FetchPage): FetchPage =>
	async (offset, limit) =>
		await fetch(start + offset, limit);
