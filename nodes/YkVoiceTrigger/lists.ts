import type { JsonObject } from '../YkVoice/core/pages';
import { flat } from '../YkVoice/core/simplify';
import type { Api } from '../YkVoice/core/transport';
import { withParts, type CallPart } from '../YkVoice/resources/call';
import { guard, instant, type Entry, type State } from './cursor';
import { CONCURRENCY, type Settings } from './settings';
import { activate, sweep, type Options, type Ports, type Swept } from './sweep';
import type { Found, Watcher } from './watcher';

type Row = Entry & JsonObject;

/** A list of the API that is followed by created_after, and what becomes of its new records. */
interface List {
	path: string;
	query: JsonObject;
	/** Records that never fire. */
	isWanted: (record: JsonObject) => boolean;
	/** Whether a record may have to wait until it is complete. */
	mayWait: boolean;
	/** Requests that it takes to complete a record. */
	cost: number;
	/** The record as it is emitted; undefined where it must wait. */
	complete: (record: JsonObject, now: number) => Promise<JsonObject | undefined>;
	/** The record as it is emitted where the rest of it cannot be read. */
	incomplete: (record: JsonObject) => JsonObject;
}

export type ListEvent = 'newCall' | 'callReady' | 'newOrder' | 'newTransaction';

/** The list behind an event. Reference: GET /call-history, /orders and /wallet/transactions. */
function listOf(event: ListEvent, settings: Settings, api: Api): List {
	const { filters, simplify, include, waitFor, waitMs, lookBackMs } = settings;
	const shape = (record: JsonObject) =>
		simplify ? flat('summary', 'transcript', 'line_items')(record) : record;
	const asListed = { mayWait: false, cost: 0, incomplete: shape };

	switch (event) {
		case 'newOrder':
			return {
				path: '/orders',
				query: { sort: '-created_at' },
				...asListed,
				isWanted: ({ status }) => isAmong(filters.status, status),
				complete: async (order) => shape(order),
			};
		case 'newTransaction':
			return {
				path: '/wallet/transactions',
				// No sort: the reference names none for this list. The API filters by type, because the
				// field's name in the record is not shown.
				query: { transaction_type: filters.transaction_type },
				...asListed,
				isWanted: () => true,
				complete: async (transaction) => transaction,
			};
		default: {
			const parts = [...new Set<CallPart>([...include, ...(event === 'callReady' ? waitFor : [])])];
			const patience = event === 'callReady' ? waitMs : lookBackMs;
			return {
				path: '/call-history',
				query: { sort: '-created_at' },
				isWanted: (call) => {
					assertCarries(filters.call_status.length > 0 && 'status', statusOf(call));
					assertCarries(filters.agent_id !== undefined && 'agent', call.agent_id);
					const isAgent = filters.agent_id === undefined || filters.agent_id === call.agent_id;
					return isAgent && (isUnderWay(call) || isAmong(filters.call_status, statusOf(call)));
				},
				mayWait: true,
				cost: parts.length,
				complete: async (call, now) => {
					const isLate = now >= instant(String(call.created_at)) + patience;
					if (isUnderWay(call) && (!isLate || filters.call_status.length > 0)) return undefined;
					const whole = await withParts(call, parts, api);
					if (event === 'newCall') return shape(whole);
					const ready = waitFor.every((part) => whole[part] !== null && whole[part] !== '');
					return ready || isLate ? { ...shape(whole), ready } : undefined;
				},
				incomplete: (call) => ({
					...shape(call),
					...(event === 'callReady' && { ready: false }),
					incomplete: true,
				}),
			};
		}
	}
}

/** Which field of a call holds its status is not shown; the filter is named call_status. */
const statusOf = (call: JsonObject) => call.call_status ?? call.status;

/** In Progress is the one status besides Cancelled that the filter does not know, and not an end. */
const isUnderWay = (call: JsonObject) => normal(statusOf(call)) === 'inprogress';

const isAmong = (wanted: readonly string[], value: unknown) =>
	wanted.length === 0 || wanted.some((status) => normal(status) === normal(value));

const normal = (status: unknown) =>
	String(status)
		.toLowerCase()
		.replace(/[^a-z]/g, '');

/** A filter by what records do not carry would drop all of them without a word. */
function assertCarries(filtered: string | false, value: unknown): void {
	if (filtered && value === undefined) {
		throw new Error(
			`The calls of this account do not carry their ${filtered}, so the trigger cannot filter by it. Remove the filter.`,
		);
	}
}

/** Follows a list by its cursor. */
export function watchList(
	event: ListEvent,
	settings: Settings,
	scope: string,
	api: Api,
	deadline: number,
): Watcher<State> {
	const list = listOf(event, settings, api);
	let serverTime: number | undefined;
	const ports: Ports<Row> = {
		now: () => Date.now(),
		deadline,
		page: async ({ after, offset, limit }) => {
			const { data, meta, at } = await api.send({
				method: 'GET',
				path: list.path,
				query: { ...list.query, created_after: after, limit, offset },
			});
			serverTime ??= at;
			if (!Array.isArray(data)) throw api.malformed('its data is no list of records');
			if (!data.every(isRow)) throw api.malformed('a record has no id or created_at');
			const total = typeof meta?.total_items === 'number' ? meta.total_items : undefined;
			return { records: data, total, now: at };
		},
	};
	const options: Options<Row> = {
		scope,
		// A call must not leave the look-back while it waits to be complete.
		lookBack: Math.max(settings.lookBackMs, event === 'callReady' ? settings.waitMs : 0),
		limit: settings.limit,
		patient: list.mayWait,
		keep: list.isWanted,
	};

	/** The new records as they will be emitted, by id. What fails waits, until it is old enough. */
	async function completeAll(records: Row[]) {
		const now = serverTime ?? Date.now();
		const done = new Map<string, JsonObject>();
		let error: unknown;
		const completeOne = async (record: Row) => {
			try {
				const whole = await list.complete(record, now);
				if (whole !== undefined) done.set(record.id, whole);
			} catch (caught) {
				error ??= caught;
				const isTooOld = instant(record.created_at) < now - options.lookBack / 2;
				if (isTooOld) done.set(record.id, list.incomplete(record));
			}
		};
		// Batches that are under way at once, so that the clock is looked at often enough.
		const size = list.cost > 0 ? Math.floor(CONCURRENCY / list.cost) : Infinity;
		for (let from = 0; from < records.length && done.size < settings.limit; from += size) {
			if (from > 0 && Date.now() >= deadline) break;
			await Promise.all(records.slice(from, from + size).map(completeOne));
		}
		return { done, error };
	}

	async function settle(swept: Swept<Row>): Promise<Found<State>> {
		const { done, error } = await completeAll(swept.fresh);
		return {
			error: swept.error ?? error,
			commit: (live) => {
				const { state, emit, shortened } = swept.commit(live, ({ id }) => done.has(id));
				return {
					state,
					emit: emit.map(({ id }) => done.get(id) as JsonObject),
					...(shortened !== undefined && {
						warning: `More records than the trigger can remember: those created before ${new Date(shortened).toISOString()} no longer fire when they show up late.`,
					}),
				};
			},
		};
	}

	return {
		guard: (raw) => guard(raw, scope),
		begin: async () => await settle(await activate(ports, options)),
		poll: async (state) => await settle(await sweep(state, ports, options)),
		sample: async () => {
			const { records } = await ports.page({ offset: 0, limit: 100 });
			const newestFirst = records.toSorted(
				(one, other) => instant(other.created_at) - instant(one.created_at),
			);
			const newest = newestFirst.find((record) => list.isWanted(record) && !isUnderWay(record));
			return newest && (await list.complete(newest, Infinity));
		},
	};
}

const isRow = (record: unknown): record is Row =>
	typeof (record as Row | null)?.id === 'string' && typeof (record as Row).created_at === 'string';
