import { NodeApiError } from 'n8n-workflow';

import type { JsonObject } from '../json';
import { plainFields } from '../table/simplify';
import type { Api } from '../api/session';
import { withParts, type CallPart } from '../resources/call';
import { guard, instant, type Entry, type Readiness, type State } from './reading/cursor';
import { CONCURRENCY, type Settings } from './settings';
import { activate, sweep, type Options, type Ports, type Swept } from './reading/sweep';
import type { Found, Watcher } from './watcher';

type Row = Entry & JsonObject;

/** What has become of a new record. */
interface Outcome {
	is: Readiness;
	/** The record as it is emitted. */
	whole?: JsonObject;
	/** Whether the API answered for it, though there is more to wait for. */
	isAnswered?: boolean;
	/** Why it could not be read. */
	caught?: unknown;
}

/** A list of the API that is followed by created_after, and what becomes of its new records. */
interface List {
	path: string;
	query: JsonObject;
	/** Records that never fire. */
	isWanted: (record: JsonObject) => boolean;
	/** Whether a record may have to wait until it is complete. */
	mayWait: boolean;
	/** Whether there is nothing to read of a record yet. */
	mustWait: (record: JsonObject, now: number) => boolean;
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
		simplify ? plainFields('summary', 'transcript', 'line_items')(record) : record;
	const asListed = { mayWait: false, mustWait: () => false, cost: 0, incomplete: shape };

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
			const isLate = (call: JsonObject, now: number) =>
				now >= instant(String(call.created_at)) + patience;
			return {
				path: '/call-history',
				query: { sort: '-created_at' },
				isWanted: (call) => {
					assertCarries(filters.call_status.length > 0 && 'status', statusOf(call));
					assertCarries(filters.agent_id !== undefined && 'agent', call.agent_id);
					const isAgent = filters.agent_id === undefined || sameId(filters.agent_id, call.agent_id);
					return isAgent && (isUnderWay(call) || isAmong(filters.call_status, statusOf(call)));
				},
				mayWait: true,
				mustWait: (call, now) =>
					isUnderWay(call) && (!isLate(call, now) || filters.call_status.length > 0),
				cost: parts.length,
				complete: async (call, now) => {
					const whole = await withParts(call, parts, api);
					if (event === 'newCall') return shape(whole);
					const ready = waitFor.every((part) => isThere(whole[part]));
					return ready || isLate(call, now) ? { ...shape(whole), ready } : undefined;
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

/** Whether an error says something of one record, and nothing of the API or the key. */
const isOfRecord = (error: unknown) =>
	error instanceof NodeApiError && /^4(?!01|03|29)/.test(error.httpCode ?? '');

const sameId = (one: string, other: unknown) => one.toLowerCase() === String(other).toLowerCase();

/** Whether a part of a call says anything. */
const isThere = (part: unknown) =>
	typeof part === 'object' && part !== null
		? Object.keys(part).length > 0
		: part !== null && part !== undefined && part !== '';

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

	/** What becomes of the new records, oldest first, by id. */
	async function completeAll({ fresh, lastChance }: Swept<Row>) {
		const now = serverTime ?? Date.now();
		const found = new Map<string, Outcome>();
		let error: unknown;
		const completeOne = async (record: Row): Promise<Outcome> => {
			if (list.mustWait(record, now)) return { is: 'waiting' };
			try {
				const whole = await list.complete(record, now);
				return whole ? { is: 'ready', whole } : { is: 'waiting', isAnswered: true };
			} catch (caught) {
				error ??= caught;
				return { is: 'waiting', caught };
			}
		};
		// Batches that are under way at once, so that the clock is looked at often enough.
		const size = list.cost > 0 ? Math.floor(CONCURRENCY / list.cost) : Infinity;
		let count = 0;
		for (let from = 0; from < fresh.length && count < settings.limit; from += size) {
			if (from > 0 && Date.now() >= deadline) break;
			const batch = fresh.slice(from, from + size);
			const outcomes = await Promise.all(batch.map(completeOne));
			outcomes.forEach((outcome, at) => found.set(batch[at]!.id, outcome));
			count += outcomes.filter(({ is }) => is === 'ready').length;
		}

		// What fails waits. At its last chance it is emitted as far as it is known, unless nothing at
		// all was answered: then the API is down, or the key may not read.
		const isAnswering = [...found.values()].some((one) => one.is === 'ready' || one.isAnswered);
		for (const record of fresh) {
			const caught = found.get(record.id)?.caught;
			if (caught === undefined || instant(record.created_at) >= lastChance) continue;
			found.set(
				record.id,
				isAnswering || isOfRecord(caught)
					? { is: 'ready', whole: list.incomplete(record) }
					: { is: 'stuck' },
			);
		}
		return { found, error };
	}

	async function settle(swept: Swept<Row>): Promise<Found<State>> {
		const { found, error } = await completeAll(swept);
		const readiness = ({ id }: Row): Readiness => found.get(id)?.is ?? 'unseen';
		return {
			error: swept.error ?? error,
			commit: (live) => {
				const { state, emit, shortened } = swept.commit(live, readiness);
				return {
					state,
					emit: emit.map(({ id }) => found.get(id)!.whole!),
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
