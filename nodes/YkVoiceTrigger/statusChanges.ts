import { instant } from './cursor';
import { isObject } from '../YkVoice/core/objects';
import type { JsonObject } from '../YkVoice/core/pages';

/** Every order begins here. Reference: "Order", states. */
const INITIAL = 'pending';

/** Orders remembered at the most, some 40 bytes each. */
export const MAX_ORDERS = 3000;

/**
 * The statuses last seen, of the orders that have left `pending` since: an order that is not named
 * is pending, so an idle poll has nothing to save. Times in ms on the API's clock.
 */
export interface Statuses {
	v: 1;
	scope: string;
	/** When the list was read. */
	at: number;
	/** Orders created before this are not watched. */
	since: number;
	/** Order id without dashes → status. */
	known: Record<string, string>;
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
	if (typeof at !== 'number' || typeof since !== 'number') return undefined;
	if (!Object.values(known).every((status) => typeof status === 'string')) return undefined;
	return { v: 1, scope, at, since, known: known as Record<string, string> };
}

/** The statuses of all orders as they are; nothing has changed yet. */
export function takeStatuses(
	orders: JsonObject[],
	scope: string,
	at: number,
	since: number,
): Statuses {
	return bounded({ v: 1, scope, at, since, known: {} }, orders, statusOf);
}

/**
 * What has changed since `live`, oldest order first, at most `limit`; the others stay as they were
 * known and come with the next poll. A list read before `live` was is out of date and says nothing.
 */
export function changesSince(
	live: Statuses,
	orders: JsonObject[],
	at: number,
	since: number,
	limit: number,
	isWanted: (change: Change) => boolean,
): { state: Statuses; changes: Change[] } {
	if (at < live.at) return { state: live, changes: [] };
	const before = (order: JsonObject) => live.known[keyOf(order)] ?? INITIAL;
	const postponed = new Set<JsonObject>();
	const changes: Change[] = [];
	for (const order of orders.toSorted(byAge)) {
		if (created(order) < live.since) continue;
		const wanted = moves(before(order), statusOf(order))
			.map((move) => ({ order, ...move }))
			.filter(isWanted);
		if (wanted.length > 0 && changes.length >= limit) postponed.add(order);
		else changes.push(...wanted);
	}
	const state = { ...live, at, since: Math.max(live.since, since) };
	const statusNow = (order: JsonObject) => (postponed.has(order) ? before(order) : statusOf(order));
	return { state: bounded(state, orders, statusNow), changes };
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

/** Keeps the newest orders where there are too many: that shortens the time they are watched. */
function bounded(
	state: Statuses,
	orders: JsonObject[],
	status: (order: JsonObject) => string,
): Statuses {
	const left = orders
		.filter((order) => created(order) >= state.since && status(order) !== INITIAL)
		.toSorted(byAge);
	const dropped = left.slice(0, Math.max(0, left.length - MAX_ORDERS));
	const newestDropped = dropped.at(-1);
	const since = newestDropped === undefined ? state.since : created(newestDropped) + 1;
	const kept = left.filter((order) => created(order) >= since);
	return {
		...state,
		since,
		known: Object.fromEntries(kept.map((order) => [keyOf(order), status(order)])),
	};
}

const keyOf = (order: JsonObject) => String(order.id).replaceAll('-', '');

const statusOf = (order: JsonObject) => String(order.status);

const created = (order: JsonObject) => instant(String(order.created_at));

function byAge(one: JsonObject, other: JsonObject): number {
	return created(one) - created(other) || (String(one.id) < String(other.id) ? -1 : 1);
}
