import { listAll } from '../api/lists';
import type { JsonObject } from '../json';
import { plainFields } from '../table/simplify';
import type { Api } from '../api/session';
import { guardAlert, wasAbove, type Alert } from './balance';
import { since } from './reading/cursor';
import type { Settings } from './settings';
import {
	changesSince,
	guardStatuses,
	takeStatuses,
	type Reading,
	type Statuses,
} from './reading/statusChanges';
import type { Watcher } from './watcher';

const SECOND = 1000;

/** Follows the statuses of recent orders. Reference: GET /orders and "Order", states. */
export function watchStatuses(settings: Settings, scope: string, api: Api): Watcher<Statuses> {
	const { filters, limit, orderMs, simplify } = settings;
	const isAmong = (wanted: readonly string[], status: string) =>
		wanted.length === 0 || wanted.includes(status);
	const shape = (order: JsonObject) => (simplify ? plainFields('line_items')(order) : order);

	async function read(from: number): Promise<Reading> {
		const began = Date.now();
		const query = { sort: '-created_at', created_after: since(from) };
		const orders = await listAll(api, { method: 'GET', path: '/orders', query }, Infinity);
		// What is no status would show as a move to it.
		if (!orders.every(isOrder)) throw api.malformed('an order has no id, created_at or status');
		return { orders, began, since: from };
	}

	return {
		guard: (raw) => guardStatuses(raw, scope),
		async begin() {
			const reading = await read(Date.now() - orderMs);
			return {
				commit: (live) => ({
					state: live ?? takeStatuses(reading, scope, Date.now()),
					emit: [],
				}),
			};
		},
		async poll(saved) {
			const reading = await read(Math.max(saved.since, Date.now() - orderMs));
			return {
				commit: (live = saved) => {
					const { state, changes } = changesSince(
						live,
						reading,
						Date.now(),
						limit,
						(change) => isAmong(filters.from, change.from) && isAmong(filters.to, change.to),
					);
					const emit = changes.map(({ order, from: previous, to }) => ({
						...shape(order),
						previous_status: previous,
						new_status: to,
					}));
					return { state, emit };
				},
			};
		},
		async sample() {
			const { data } = await api.send({
				method: 'GET',
				path: '/orders',
				query: { sort: '-created_at', limit: 100 },
			});
			if (!Array.isArray(data)) throw api.malformed('its data is no list of records');
			const shown = (data as JsonObject[]).map((order) => ({
				...shape(order),
				previous_status: order.status === 'completed' ? 'confirmed' : 'pending',
				new_status: String(order.status),
			}));
			return shown.find(
				({ previous_status: from, new_status: to }) =>
					from !== to && isAmong(filters.from, from) && isAmong(filters.to, to),
			);
		},
	};
}

/** Follows the balance. Reference: GET /wallet. */
export function watchBalance(settings: Settings, scope: string, api: Api): Watcher<Alert> {
	const { threshold } = settings;

	async function read() {
		const { data, at = 0 } = await api.send({ method: 'GET', path: '/wallet' });
		const wallet = (data ?? {}) as JsonObject;
		// An empty text, a list or false would count as 0, and raise an alarm.
		const isNumber = typeof wallet.balance === 'number' || /\d/.test(textOf(wallet.balance));
		const balance = isNumber ? Number(wallet.balance) : NaN;
		if (Number.isNaN(balance)) throw api.malformed('the wallet has no balance');
		return { wallet, balance, at };
	}

	const item = (wallet: JsonObject) => ({ ...wallet, threshold });

	return {
		guard: (raw) => guardAlert(raw, scope),
		async begin() {
			// A wrong key shows when the workflow is switched on.
			await read();
			return {
				commit: (live) => ({ state: live ?? { v: 1, scope, fired: false, at: 0 }, emit: [] }),
			};
		},
		async poll(saved) {
			const { wallet, balance, at } = await read();
			const isBelow = balance < threshold;
			// The alert's second is in part before it.
			const after = saved.at + SECOND;
			const query = { created_after: since(after) };
			const hasRisen =
				isBelow &&
				saved.fired &&
				saved.at > 0 &&
				wasAbove(
					balance,
					threshold,
					await listAll(api, { method: 'GET', path: '/wallet/transactions', query }, Infinity),
					after,
				);
			return {
				commit: (live = saved) => {
					if (at > 0 && at < live.at) return { emit: [] };
					const fires = isBelow && (!live.fired || (hasRisen && live.at === saved.at));
					const state: Alert = fires || !isBelow ? { v: 1, scope, fired: isBelow, at } : live;
					return { state, emit: fires ? [item(wallet)] : [] };
				},
			};
		},
		sample: async () => item((await read()).wallet),
	};
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

const isOrder = (order: JsonObject) =>
	order.id !== undefined &&
	typeof order.created_at === 'string' &&
	typeof order.status === 'string';
