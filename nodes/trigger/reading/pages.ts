import { isDated, type Listed } from './record';

/** One answer of the list (reference: "Response envelope", meta). */
export interface Page {
	records: Listed[];
	/** total_items, where the answer has it. */
	total?: number;
	/** The page size that the server says it used. */
	limit?: number;
}

export type Ask = (offset: number, limit: number) => Promise<Page>;

/** The next records of the list. All that are older than `until` (ms) have been read. */
export interface Part {
	records: Listed[];
	until: number;
}

/** How far and how fast to read. */
export interface Pace {
	/** Whether the poll's time is used up. */
	isOver(): boolean;
	/** How many of the oldest records are likely to be needed. */
	wanted: number;
	/** Where to go on, counted from the oldest, if that is further; asked before each round of pages. */
	skip?(): number | undefined;
}

/** The list's first page, and what it tells of the list. */
export interface Top {
	records: Listed[];
	total: number | undefined;
	/** How many records a page really holds. */
	size: number;
	/** Whether it is all there is. */
	isAll: boolean;
}

/** Which way a list runs by its dates. */
export type Order = 'newestFirst' | 'oldestFirst';

/** The largest page that the API serves. Reference: "Limits". */
const PAGE_SIZE = 100;

/** Pages under way at once, reached by doubling. */
const MAX_ROUND = 10;

/** Tries to find where a shifting list goes on, each further back; and pages that bring nothing new. */
const MAX_TRIES = 12;

/** The time of one poll is used up: what was read counts, and the next poll goes on. */
export class OutOfTimeError extends Error {
	override message = 'The poll ran out of time';
}

/** The dates do not run the way that the first page showed. */
class DisorderError extends Error {}

/**
 * The first page. A page that is not full ends the list only if the server does not cap its pages
 * below what was asked for: where its meta leaves that open, one more request tells.
 */
export async function topOf(ask: Ask): Promise<Top> {
	const { records, total: claimed = -1, limit } = await ask(0, PAGE_SIZE);
	const count = records.length;
	const total = claimed >= count ? claimed : undefined;
	const isFull = count >= PAGE_SIZE || (count > 0 && count === limit);
	const isAll = !isFull && (count === 0 || total === count || (await isEnd(ask, count)));
	return { records, total, size: count, isAll };
}

const isEnd = async (ask: Ask, offset: number) =>
	(await ask(offset, PAGE_SIZE)).records.length === 0;

/** Which way records run; undefined where they are all of one date, or in no order. */
export function orderOf(records: Listed[]): Order | undefined {
	const dates = records.filter(isDated).map(({ at }) => at);
	const steps = dates.slice(1).map((at, index) => Math.sign(at - dates[index]!));
	const [rises, falls] = [steps.includes(1), steps.includes(-1)];
	if (rises === falls) return undefined;
	return rises ? 'oldestFirst' : 'newestFirst';
}

/**
 * A list from its oldest record on, part by part, while records come and go. Only the documented
 * order is asked for (reference: "Other endpoints", polling pattern sort=-created_at), and which way
 * the answer runs is read off its dates: a list that runs newest first is read from its end. One
 * that cannot be turned, or is in no order, is one part, read from its start.
 *
 * @param documented which way it runs where the dates of the first page do not show it
 * @throws OutOfTimeError, or what `ask` threw, behind the parts that were read until then
 */
export async function* oldestFirst(ask: Ask, pace: Pace, documented?: Order): AsyncGenerator<Part> {
	const top = await topOf(ask);
	if (top.isAll) {
		yield { records: top.records, until: Infinity };
		return;
	}
	const order = orderOf(top.records) ?? documented;
	const canTurn = order === 'oldestFirst' || (order === 'newestFirst' && top.total !== undefined);
	try {
		if (canTurn) return yield* inOrder(joined(ask, top, pace, order));
	} catch (caught) {
		const error: unknown = caught;
		if (!(error instanceof DisorderError)) throw error;
		// What was said of it rested on its order.
		yield { records: [], until: -Infinity };
	}
	// The oldest of a list that runs newest first cannot be reached by their count.
	yield* asOne(joined(ask, top, order === 'newestFirst' ? { ...pace, skip: undefined } : pace));
}

/** The next page of a list, with what of it is new. */
interface Link {
	page: Listed[];
	fresh: Listed[];
	/** Whether nothing was skipped before it. */
	isGapless: boolean;
}

/**
 * A list page by page, from its start or, if it runs newest first, from its end. Neighbouring pages
 * share a record; where they do not, the list has shifted, and the next request reaches further
 * back. From its end the first request counts one record more than there are: so its page is not
 * full, which proves the end.
 *
 * @throws DisorderError where the end is not where the total says
 */
export async function* joined(
	ask: Ask,
	top: Top,
	{ isOver, wanted, skip }: Pace,
	order: Order = 'oldestFirst',
): AsyncGenerator<Link> {
	const isFromEnd = order === 'newestFirst';
	const { size } = top;
	const stride = size - 1 || 1;
	const seen = new Set<string>();
	const link = (page: Listed[]): Link => {
		const fresh = page.filter(({ key }) => !seen.has(key));
		for (const { key } of page) seen.add(key);
		return { page, fresh, isGapless };
	};
	const isKnown = ({ key }: Listed) => seen.has(key);

	let { total } = top;
	let isGapless = true;
	let isEndProven = !isFromEnd;
	/** Of the next page's first record, counted from where the reading began. */
	let position = isFromEnd ? -1 : stride;
	let tries = 0;
	if (!isFromEnd) yield link(top.records);
	for (let round = 1; ; round = Math.min(2 * round, MAX_ROUND)) {
		const target = skip?.() ?? -Infinity;
		if (target > position) {
			position = target;
			isGapless = false;
			seen.clear();
		}
		const offsetOf = (at: number) => (isFromEnd ? Math.max(0, total! - at - size) : at);
		const isTopNext = isFromEnd && offsetOf(position) === 0 && isEndProven;
		if (isTopNext && (seen.size === 0 || top.records.some(isKnown))) {
			yield link(top.records.toReversed());
			return;
		}

		if (isOver()) throw new OutOfTimeError();
		// The first page holds the newest already.
		const last = (total ?? position) - (isFromEnd ? size : 0);
		const needed = Math.ceil((Math.min(last, wanted) - position) / stride);
		const count = isEndProven ? Math.max(1, Math.min(round, needed)) : 1;
		const positions = Array.from({ length: count }, (_, at) => position + at * stride);
		const offsets = [...new Set(positions.map(offsetOf))];
		const answers = await Promise.allSettled(
			offsets.map(async (offset) => await ask(offset, size)),
		);
		for (const [index, answer] of answers.entries()) {
			if (answer.status === 'rejected') throw answer.reason;
			const page = isFromEnd ? answer.value.records.toReversed() : answer.value.records;
			total = answer.value.total ?? total;
			if (!isEndProven && (page.length === 0 || page.length >= size)) throw new DisorderError();
			isEndProven = true;
			if (seen.size > 0 && !page.some(isKnown)) {
				position = Math.max(0, positions[index]! - 4 ** ++tries);
				round = 1;
				break;
			}
			const next = link(page);
			yield next;
			if (isFromEnd ? offsets[index] === 0 : page.length < size) return;
			tries = next.fresh.length > 0 ? 0 : tries + 1;
			position = positions[index]! + stride;
		}
		if (tries > MAX_TRIES) {
			throw new Error(
				'The list answers each page alike, or changes faster than it can be read. Where that lasts, the API does not heed "offset".',
			);
		}
	}
}

async function* inOrder(links: AsyncGenerator<Link>): AsyncGenerator<Part> {
	let until = -Infinity;
	let isGapless = true;
	for await (const { page, fresh, ...link } of links) {
		const dates = page.filter(isDated).map(({ at }) => at);
		const newest = dates.at(-1) ?? until;
		const isBack = fresh.length > 0 && newest < until;
		if (isBack || dates.some((at, index) => at < (dates[index - 1] ?? at)))
			throw new DisorderError();
		({ isGapless } = link);
		if (isGapless) until = newest;
		yield { records: fresh, until };
	}
	yield { records: [], until: isGapless ? Infinity : until };
}

async function* asOne(links: AsyncGenerator<Link>): AsyncGenerator<Part> {
	const records: Listed[] = [];
	let isWhole = true;
	let failure: { error: unknown } | undefined;
	try {
		for await (const { fresh, isGapless } of links) {
			records.push(...fresh);
			isWhole &&= isGapless;
		}
	} catch (error) {
		failure = { error };
	}
	yield { records, until: isWhole && !failure ? Infinity : -Infinity };
	if (failure) throw failure.error;
}
