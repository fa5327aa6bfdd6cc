import { isObject, type JsonObject } from '../../json';
import { instant, shorten } from './cursor';

/** Every order begins here. Reference: "Order", states. */
const INITIAL = 'pending';

/** Orders remembered at the most, some 30 bytes each. */
export const MAX_ORDERS = 3000;

/**
 * The statuses last seen, of the orders that have left `pending` since: an order that is not named
 * is pending, so an idle poll has nothing to save. Times in ms, `at` on n8n's clock.
 */
export interface Statuses {
	v: 1;
	scope: string;
	/** When this was stored. */
	at: number;
	/** Orders created before this are not watched. */
	since: number;
	/** Key that stands for the order's id → status. */
	known: Record<string, string>;
}

/** The list of orders as it was read. */
export interface Reading {
	orders: JsonObject[];
	/** When the reading began, in ms on n8n's clock. */
	began: number;
	/** Orders created before this were not asked for. */
	since: number;
}

export interface Change {
	order: JsonObject;
	from: string;
	to: string;
}

/** A stored value as statuses of this scope, or undefined where it cannot be used. */
export function guardStatuses(raw: unknown, scope: string): Statuses | undefined {
	if (!isObject(raw) || raw.v !== 1 || raw.scope !== scope || !isObject(raw.known))
		return undefined;
	const { at, since, known } = raw;
	if (!isTime(at) || !isTime(since)) return undefined;
	if (!Object.values(known).every((status) => typeof status === 'string')) return undefined;
	return { v: 1, scope, at, since, known: known as Record<string, string> };
}

/** The statuses of all orders as they are; nothing has changed yet. `now` is n8n's clock (ms). */
export function takeStatuses(
	{ orders, since }: Reading,
	scope: string,
	now: number,
	max = MAX_ORDERS,
): Statuses {
	const state: Statuses = { v: 1, scope, at: now, since, known: {} };
	return remember(state, oldestFirst(orders), Infinity, max);
}

/**
 * What has changed since `live`, oldest order first, at most `limit`. Where there is more, that
 * order and all newer ones stay as they were known, and come with the next poll. `now` is n8n's
 * clock (ms).
 */
export function changesSince(
	live: Statuses,
	{ orders, began, since }: Reading,
	now: number,
	limit: number,
	isWanted: (change: Change) => boolean,
	max = MAX_ORDERS,
): { state: Statuses; changes: Change[] } {
	// Another poll has stored since this one began, and knows better. A time that is still to come
	// is of a clock that was set back, and says nothing.
	if (began <= live.at && live.at <= now) return { state: live, changes: [] };

	const changes: Change[] = [];
	const seen = oldestFirst(orders).filter(({ at }) => at >= live.since);
	let rest = Infinity;
	for (const entry of seen) {
		const { order, key, at, status } = entry;
		entry.status = live.known[key] ?? INITIAL;
		if (rest < Infinity) continue;
		for (const move of moves(entry.status, status)) {
			const change = { order, ...move };
			if (isWanted(change) && changes.length >= limit) {
				rest = at;
				break;
			}
			if (isWanted(change)) changes.push(change);
			entry.status = move.to;
		}
	}
	const state = { ...live, at: now, since: Math.max(live.since, since) };
	return { state: remember(state, seen, rest, max), changes };
}

/**
 * The moves between two statuses. An order is completed only after it was confirmed (reference:
 * "Order", states), so that step shows even where no poll fell between the two.
 */
function moves(from: string, to: string): Array<{ from: string; to: string }> {
	if (from === to) return [];
	if (from !== INITIAL || to !== 'completed') return [{ from, to }];
	return [
		{ from, to: 'confirmed' },
		{ from: 'confirmed', to },
	];
}

/**
 * Keeps the newest `max` orders where there are more. That shortens the time they are watched, but
 * not below `rest` (ms): from there on, changes are still to come.
 *
 * @param seen oldest first
 */
function remember(state: Statuses, seen: Seen[], rest: number, max: number): Statuses {
	const left = seen.filter(({ at, status }) => at >= state.since && status !== INITIAL);
	const dropped = left.at(-max - 1);
	const since = dropped ? Math.max(state.since, Math.min(dropped.at + 1, rest)) : state.since;
	const kept = left.filter(({ at }) => at >= since);
	return {
		...state,
		since,
		known: Object.fromEntries(kept.map(({ key, status }) => [key, status])),
	};
}

/** An order with what of it matters here. */
interface Seen {
	order: JsonObject;
	/** Its id, shortened. */
	key: string;
	/** When it was created (ms). */
	at: number;
	status: string;
}

const oldestFirst = (orders: JsonObject[]): Seen[] =>
	orders
		.map((order) => ({
			order,
			key: shorten(String(order.id)),
			at: instant(String(order.created_at)),
			status: String(order.status),
		}))
		.sort((a, b) => a.at - b.at || (String(a.order.id) < String(b.order.id) ? -1 : 1));

/** A time that a date can show. */
const isTime = (raw: unknown): raw is number => typeof raw === 'number' && Math.abs(raw) <= 8.64e15;
