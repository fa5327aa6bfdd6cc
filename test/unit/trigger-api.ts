import { DAY, HOUR, MINUTE, SECOND } from '../../nodes/time.ts';
import { watchesValue, type Change, type PollStep, type Setup } from './trigger-histories.ts';

export const START = Date.UTC(2026, 0, 15, 9);

/** Which statuses of an order can follow each. Reference: "Order", states. Customers can always cancel. */
export const ORDER_MOVES: Readonly<Record<string, readonly string[]>> = {
	pending: ['confirmed', 'refused', 'cancelled'],
	confirmed: ['completed', 'cancelled'],
	refused: ['cancelled'],
	completed: ['cancelled'],
	cancelled: [],
};

/** The trigger's thresholds. */
export const BELOW = { lowBalance: 10, lowMinutes: 60 };

/** A record of any list. Times are in ms on the server's clock. */
export interface Row {
	/** Its number: the first record has 1. */
	n: number;
	id: string;
	/** When it was created. */
	at: number;
	/** When it shows up in the list. */
	visibleAt: number;
	/** When it has ended and when it has its summary, if it is a call. */
	endsAt: number;
	summaryAt: number;
	/** Until when its parts cannot be read. */
	brokenUntil: number;
	/** Whether it matches the filter of the trigger, if there is one. */
	isWanted: boolean;
	/** The field that the API does not show. */
	lacks?: 'id' | 'created_at';
	/** The states that it has had, and since when. The last one is its state now. */
	visits: Array<{ state: string; at: number }>;
}

/** A value that an alert watches, from a moment on. `period` is the number of its billing period. */
export interface Level {
	at: number;
	value: number;
	period: number;
}

/** The requests of one poll, and what it has learned from the answers. */
export interface Requests {
	count: number;
	/** What it was told of the watched value. */
	levels: Level[];
	/** @param more holds the credential with the key that is used */
	send(
		credential: string,
		options: { url: string },
		more: { credentialsDecrypted: { data: { apiKey: string } } },
	): Promise<unknown>;
}

/** Waits before an answer is sent, if the answer with this number is to be held. */
export type Gate = (index: number) => Promise<void>;

/** The API with one account, whose records appear, change and vanish, also while they are read. */
export class FakeApi {
	/** What the watched value was, from the beginning until now. */
	readonly levels: Level[] = [];

	/** The records that were not removed, oldest first. */
	private rows: Row[] = [];

	private readonly everyRow = new Map<string, Row>();

	private readonly setup: Setup;

	private readonly clock: { now: number };

	/** The number of the record before the first one. */
	private readonly before: number;

	/** @param clock may be that of several accounts */
	constructor(setup: Setup, clock = { now: START }, before = 0) {
		this.setup = setup;
		this.clock = clock;
		this.before = before;
		const { event, initial } = setup;
		if (watchesValue(event)) {
			const [low, high] = event === 'lowBalance' ? [5, 20] : [30, 100];
			const value = initial.length % 2 > 0 ? low : high;
			this.levels.push({ at: START, value, period: 0 });
			return;
		}
		for (const [minutes, lag, wait] of initial) {
			const at = START - minutes * MINUTE;
			const row = this.insert(at, at + lag, Math.max(at + lag, at + wait));
			if (event === 'orderStatusChanged' && minutes % 2 > 0)
				row.visits.push({ state: 'confirmed', at });
		}
	}

	/** Its clock. */
	get now(): number {
		return this.clock.now;
	}

	set now(now: number) {
		this.clock.now = now;
	}

	/** A record, also one that was removed. */
	rowOf = (id: unknown): Row => this.everyRow.get(id as string)!;

	listed = (): Row[] => this.rows.filter(({ visibleAt }) => visibleAt <= this.now);

	get level(): Level {
		return this.levels.at(-1)!;
	}

	/** The credential that reaches it. */
	readonly credential = { apiKey: 'yk_model' };

	change(change: Change): void {
		if (change.kind === 'add') this.add(change);
		else if (change.kind === 'addFuture') this.addFuture(change.ahead);
		else if (change.kind === 'addBad')
			this.insert(this.now, this.now, this.now).lacks = change.lacks;
		else if (change.kind === 'move') this.move(change);
		else if (change.kind === 'changeValue') this.changeValue(change);
		else {
			const gone = this.listed().at(-1 - change.index);
			this.rows = this.rows.filter((row) => row !== gone);
		}
	}

	/** The requests of a new poll. */
	requests({ during, latency }: Pick<PollStep, 'during' | 'latency'>, gate: Gate): Requests {
		const requests: Requests = {
			count: 0,
			levels: [],
			send: async (_credential, { url }) => {
				const index = requests.count++;
				await gate(index);
				this.now += latency;
				for (const [at, event] of during) {
					if (at !== index) continue;
					if (event.kind === 'fault') return this.fault();
					this.change(event);
				}
				return this.respond(new URL(url), requests);
			},
		};
		return requests;
	}

	private add({ count, lag, wait, broken, apart }: Extract<Change, { kind: 'add' }>): void {
		for (let i = 0; i < count; i += 1) {
			const at = this.now - i * apart;
			const visibleAt = Math.max(this.now, at + lag);
			const row = this.insert(at, visibleAt, Math.max(visibleAt, at + wait));
			row.brokenUntil = visibleAt + broken;
		}
	}

	private addFuture(ahead: number): void {
		this.insert(this.now + ahead, this.now, this.now);
	}

	private insert(at: number, visibleAt: number, summaryAt: number): Row {
		const { event, isFiltered } = this.setup;
		const n = this.before + this.everyRow.size + 1;
		const isFilterOfRecords = ['newOrder', 'newCall', 'callReady'].includes(event) && isFiltered;
		const row: Row = {
			n,
			// Ids of records that were created at the same time are in no order.
			id: `${scattered(n).toString(36)}-${n}`,
			at,
			visibleAt,
			// If the summary takes more than an hour, every other call itself has ended at once.
			endsAt: summaryAt > visibleAt + HOUR && n % 2 > 0 ? visibleAt : summaryAt,
			summaryAt,
			brokenUntil: -Infinity,
			isWanted: !isFilterOfRecords || n % 3 > 0,
			visits: [{ state: event === 'newContact' ? '' : 'pending', at: visibleAt }],
		};
		this.rows.push(row);
		this.rows.sort((one, other) => one.at - other.at);
		this.everyRow.set(row.id, row);
		return row;
	}

	private move({ index, count, way }: Extract<Change, { kind: 'move' }>): void {
		for (const { visits } of this.listed().slice(index, index + count)) {
			const last = visits.at(-1)!.state;
			const isOrder = this.setup.event === 'orderStatusChanged';
			// A campaign may return to an earlier state.
			const ways = isOrder ? ORDER_MOVES[last]! : Object.keys(ORDER_MOVES);
			const state = ways[way % ways.length];
			if (state !== undefined && state !== last) visits.push({ state, at: this.now });
		}
	}

	private changeValue({ by, isNewPeriod }: Extract<Change, { kind: 'changeValue' }>): void {
		// No two changes happen at the same moment, so that their order is known.
		this.now += 1;
		const { value, period } = this.level;
		const isNext = isNewPeriod && this.setup.event === 'lowMinutes';
		this.levels.push({ at: this.now, value: value + by, period: isNext ? period + 1 : period });
	}

	private respond({ pathname, searchParams }: URL, requests: Requests) {
		const [, , list, id, part] = pathname.split('/');
		if (list === 'usage' || (list === 'wallet' && id === undefined))
			return this.respondWithLevel(requests);
		if (id !== undefined && list === 'call-history') return this.respondWithCall(id, part);
		if (id !== undefined && list === 'orders') return this.respondWithOrder(id);
		return this.respondWithPage(searchParams);
	}

	private respondWithLevel(requests: Requests) {
		const { value, period } = this.level;
		requests.levels.push(this.level);
		const period_start = new Date(START + period * 31 * DAY).toISOString();
		const usage = { minutes_remaining: value, ...(this.setup.showsPeriod && { period_start }) };
		return this.answer(200, { ok: true, data: { balance: value, ...usage } });
	}

	private respondWithCall(id: string, part: string | undefined) {
		const row = this.rows.find((one) => one.id === id);
		if (row !== undefined && part !== undefined && row.brokenUntil > this.now) return this.fault();
		const isThere = row !== undefined && (part === undefined || row.summaryAt <= this.now);
		if (!isThere) return this.answer(404, { ok: false, error: { code: 'NOT_FOUND' } });
		const data = part === 'summary' ? { summary: `Of ${id}` } : this.shown(row);
		return this.answer(200, { ok: true, data });
	}

	private respondWithOrder(id: string) {
		const row = this.rows.find((one) => one.id === id);
		if (row === undefined) return this.answer(404, { ok: false, error: { code: 'NOT_FOUND' } });
		if (row.brokenUntil > this.now) return this.fault();
		const lines = { line_items: [{ sku: id }] };
		return this.answer(200, { ok: true, data: { ...this.shown(row), ...lines } });
	}

	private respondWithPage(query: URLSearchParams) {
		const from = Date.parse(query.get('created_after') ?? '') || -Infinity;
		const found = this.createdSince(from);
		const offset = Number(query.get('offset'));
		const limit = Math.min(Number(query.get('limit')), this.setup.pageSize);
		const page = found.slice(offset, offset + limit);
		const data = page.map((row) => this.shown(row));
		return this.answer(200, { ok: true, data, meta: { total_items: found.length, limit, offset } });
	}

	fault(status = 500) {
		return this.answer(status, { ok: false, error: { message: 'a fault' } });
	}

	private answer(statusCode: number, body: object) {
		const bytes = Buffer.from(JSON.stringify(body));
		/** A stream that holds one piece. */
		const on = (event: string, listener: (piece?: Buffer) => void) => {
			if (event === 'data') listener(bytes);
			if (event === 'end') listener();
		};
		return { statusCode, headers: {}, body: { on, destroy() {} } };
	}

	private createdSince(from: number): Row[] {
		const { isInclusive, isCoarse, order } = this.setup;
		const compared = (at: number) => (isCoarse ? Math.floor(at / SECOND) * SECOND : at);
		const found = this.listed().filter(({ at }) =>
			isInclusive ? compared(at) >= from : compared(at) > from,
		);
		if (order === 'newestFirst') found.reverse();
		if (order === 'none') found.sort((one, other) => scattered(one.n) - scattered(other.n));
		return found;
	}

	/** A record as the API shows it. */
	private shown(row: Row) {
		const { event } = this.setup;
		const { id, isWanted, lacks } = row;
		const record = {
			id,
			created_at: new Date(row.at).toISOString(),
			...(lacks && { [lacks]: null }),
		};
		if (event === 'newOrder') return { ...record, status: isWanted ? 'pending' : 'confirmed' };
		if (event === 'newCall' || event === 'callReady') {
			const ended = isWanted ? 'Completed' : 'Busy';
			return { ...record, call_status: row.endsAt <= this.now ? ended : 'In Progress' };
		}
		return { ...record, status: row.visits.at(-1)!.state };
	}
}

/** A number that says nothing about the order of the numbers that it is made of. */
const scattered = (n: number) => Math.imul(n, 2654435761) >>> 0;
