import {
	DAY,
	HOUR,
	isState,
	MINUTE,
	SECOND,
	type Change,
	type PollStep,
	type Setup,
} from './trigger-histories.ts';

export const START = Date.UTC(2026, 0, 15, 9);

/** Which status an order can move to. Reference: "Order", states; only the customer cancels, any of them. */
export const ORDER_MOVES: Readonly<Record<string, readonly string[]>> = {
	pending: ['confirmed', 'refused', 'cancelled'],
	confirmed: ['completed', 'cancelled'],
	refused: ['cancelled'],
	completed: ['cancelled'],
	cancelled: [],
};

/** The lists that a history may filter. */
const FILTERED = ['newOrder', 'newCall', 'callReady'];

/** A status that no reference names. */
const UNNAMED = 'On Hold';

export const BALANCE_BELOW = 10;
export const MINUTES_BELOW = 60;

/** A state that a record has had, and since when. */
interface Visit {
	state: string;
	at: number;
}

/** A record of any list. */
export interface Row {
	/** Its number. */
	n: number;
	id: string | number;
	at: number;
	visible: number;
	/** When a call has ended and has its summary. */
	ready: number;
	/** Whether the filter of the history wants it. */
	isWanted: boolean;
	/** What the API shows as its date. */
	created_at: unknown;
	isUsable: boolean;
	/** The states that it has had, the last of them now. */
	visits: Visit[];
}

/** The value that an alert watches, from a moment on. */
export interface Level {
	at: number;
	value: number;
	period: number;
}

/** The requests of one poll. */
export interface Requests {
	count: number;
	/** Which records it was shown, in which state, and what the watched value was. */
	shown: Array<{ id: string; visit: number }>;
	levels: Level[];
	/** Whether a record without a usable id or date, which is not from before, stood in one. */
	hasBad: boolean;
	send(credential: string, options: { url: string }): Promise<unknown>;
}

/** The API: lists in which records appear, vanish and shift while they are read. */
export class World {
	now = START;

	readonly levels: Level[] = [];

	private born = 0;

	private rows: Row[] = [];

	/** When the last poll that went well got its last answer. */
	private lastAnswered = -Infinity;

	private readonly byId = new Map<string, Row>();

	private readonly setup: Setup;

	constructor(given: Setup) {
		this.setup = given;
		const { event, initial } = given;
		if (event === 'lowBalance' || event === 'lowMinutes') {
			const [low, high] = event === 'lowBalance' ? [5, 20] : [30, 100];
			this.levels.push({ at: START, value: initial.length % 2 > 0 ? low : high, period: 0 });
			return;
		}
		for (const [minutes, late] of initial) {
			const at = START - minutes * MINUTE;
			const row = this.insert(at, at + late, at);
			if (event === 'orderStatusChanged' && minutes % 2 > 0)
				row.visits.push({ state: 'confirmed', at });
		}
		this.sort();
	}

	rowOf = (id: unknown): Row => this.byId.get(String(id))!;

	listed = (at = this.now): Row[] => this.rows.filter(({ visible }) => visible <= at);

	/** A poll has gone well. */
	answered(): void {
		this.lastAnswered = this.now;
	}

	get level(): Level {
		return this.levels.at(-1)!;
	}

	change(one: Change): void {
		if (one.kind === 'remove') {
			const gone = this.listed().at(-1 - one.index);
			this.rows = this.rows.filter((row) => row !== gone);
		} else if (one.kind === 'future') {
			// A clock that is fast and never corrected cannot tell the present from the future.
			if (this.setup.dated || this.setup.skew <= 0)
				this.insert(this.now + one.ahead, this.now, this.now);
		} else if (one.kind === 'bad') this.insertBad(one.of);
		else if (one.kind === 'move') this.move(one);
		else if (one.kind === 'change') this.changeLevel(one);
		else this.add(one);
		this.sort();
	}

	/** What one poll asks, and when: `gate` is waited for before the answer to one of its requests. */
	requests(step: Omit<PollStep, 'kind' | 'fate' | 'heldAt'>, gate: Gate): Requests {
		const { during, latency, isStale } = step;
		const isOld = isStale && this.now - this.lastAnswered < 4 * MINUTE;
		const given = { asOf: isOld ? this.lastAnswered : undefined, omits: step.omits };
		const requests: Requests = {
			count: 0,
			shown: [],
			levels: [],
			hasBad: false,
			send: async (_credential, { url }) => {
				const index = requests.count++;
				await gate(index);
				this.now += latency;
				for (const [at, event] of during) {
					if (at !== index) continue;
					if (event.kind === 'fault')
						return this.answer(500, { ok: false, error: { message: 'a fault' } });
					this.change(event);
				}
				return this.respond(new URL(url), requests, given);
			},
		};
		return requests;
	}

	private add({ count: wanted, lag, wait, spread }: Extract<Change, { kind: 'add' }>): void {
		// Bursts page by page and item by item would take hours.
		const isSlow = this.setup.cap < 50 || this.setup.limit < 100;
		const count = isSlow ? Math.min(wanted, 12) : wanted;
		for (let i = 0; i < count; i += 1) {
			const at = this.now - i * spread;
			const visible = Math.max(this.now, at + lag);
			this.insert(at, visible, Math.max(visible, at + wait));
		}
	}

	private insert(at: number, visible: number, ready: number): Row {
		const n = (this.born += 1);
		const text = `${(Math.imul(n, 2654435761) >>> 0).toString(16)}-${n}`;
		const row: Row = {
			n,
			id: this.setup.numeric ? n : text,
			at,
			visible,
			ready,
			isWanted: !this.setup.filtered || !FILTERED.includes(this.setup.event) || n % 3 > 0,
			created_at: written(at),
			isUsable: true,
			visits: [{ state: this.setup.event === 'newContact' ? '' : 'pending', at: visible }],
		};
		this.rows.push(row);
		this.byId.set(String(row.id), row);
		return row;
	}

	private insertBad(of: string): void {
		const row = this.insert(this.now, this.now, this.now);
		row.isUsable = false;
		if (of === 'id') row.id = '';
		if (of === 'null') row.created_at = null;
		if (of === 'number') row.created_at = this.now;
		if (of === 'day') row.created_at = new Date(this.now).toISOString().slice(0, 10);
		if (of === 'none') row.created_at = undefined;
		if (of === 'february') row.created_at = '2026-02-30T09:00:00Z';
	}

	private move({ index, count, way, isLoud }: Extract<Change, { kind: 'move' }>): void {
		for (const { visits } of this.listed().slice(index, index + count)) {
			const last = plain(visits.findLast(({ state }) => plain(state) in ORDER_MOVES)!.state);
			const isOrder = this.setup.event === 'orderStatusChanged';
			// A campaign may return to a state that it had.
			const ways = isOrder ? [...ORDER_MOVES[last]!, UNNAMED] : Object.keys(ORDER_MOVES);
			const next = ways[way % ways.length]!;
			const had = visits.map(({ state }) => plain(state));
			if (isOrder ? had.includes(plain(next)) : had.at(-1) === next) continue;
			visits.push({ state: isOrder && isLoud ? next.toUpperCase() : next, at: this.now });
		}
	}

	private changeLevel({ by, isNewPeriod }: Extract<Change, { kind: 'change' }>): void {
		// Which of two of one moment came first, nobody could tell.
		this.now += 1;
		const { value, period } = this.level;
		const isNext = isNewPeriod && this.setup.event === 'lowMinutes';
		this.levels.push({ at: this.now, value: value + by, period: isNext ? period + 1 : period });
	}

	private sort(): void {
		const { ties } = this.setup;
		this.rows.sort((a, b) => a.at - b.at || (String(a.id) < String(b.id) ? -ties : ties));
	}

	private answer(statusCode: number, body: object) {
		const date = new Date(this.now - (this.now % SECOND)).toUTCString();
		return { statusCode, headers: this.setup.dated ? { date } : {}, body };
	}

	private respond({ pathname, searchParams }: URL, requests: Requests, given: Given) {
		const [, , list, id, part] = pathname.split('/');
		if (list === 'usage' || (list === 'wallet' && id === undefined)) {
			requests.levels.push(this.level);
			const { value, period } = this.level;
			const data =
				list === 'usage'
					? { minutes_remaining: value, ...this.period(period) }
					: { balance: value };
			return this.answer(200, { ok: true, data });
		}
		if (list === 'call-history' && id !== undefined) {
			const row = this.rows.find((one) => String(one.id) === decodeURIComponent(id));
			const isThere = row !== undefined && (part === undefined || row.ready <= this.now);
			if (!isThere) return this.answer(404, { ok: false, error: { code: 'NOT_FOUND' } });
			const data = part === 'summary' ? { summary: `Of ${row.id}` } : this.shown(row);
			return this.answer(200, { ok: true, data });
		}
		const isStates = isState(this.setup.event);
		const asOf = (isStates && given.asOf) || this.now;
		const [, date] = /^created_at>=(.+)$/.exec(searchParams.get('filter') ?? '') ?? [];
		const found = this.after(searchParams.get('created_after') ?? date, asOf).filter(
			({ n }) => !(isStates && given.omits && n % 5 === this.born % 5),
		);
		const [offset, asked] = [Number(searchParams.get('offset')), Number(searchParams.get('limit'))];
		const limit = Math.min(asked, this.setup.cap);
		const page = found.slice(offset, offset + limit);
		requests.hasBad ||= page.some(({ isUsable, at }) => !isUsable && at > START);
		for (const row of page) requests.shown.push({ id: String(row.id), visit: visitAt(row, asOf) });
		const { meta } = this.setup;
		return this.answer(200, {
			ok: true,
			data: page.map((row) => this.shown(row, asOf)),
			meta:
				meta === 'none'
					? null
					: { total_items: found.length, ...(meta === 'full' && { limit, offset }) },
		});
	}

	/** The billing period, in the forms that the reference leaves open. */
	private period(period: number) {
		const start = new Date(START + period * 31 * DAY);
		const iso = start.toISOString();
		const forms = {
			iso: { period_start: iso, updated_at: new Date(this.now).toISOString() },
			day: { billing_start: iso.slice(0, 10) },
			month: { billing_period: iso.slice(0, 7) },
			epoch: { period_start: start.getTime() / SECOND },
			nested: { billing_period: { from: iso } },
			none: { period_minutes_used: Math.floor(this.now / SECOND) % 1000 },
		};
		return forms[this.setup.period];
	}

	private after(text: string | null | undefined, asOf: number): Row[] {
		const { inclusive, coarse, order } = this.setup;
		const from = text ? Date.parse(text) : -Infinity;
		const point = (at: number) => (coarse ? Math.floor(at / SECOND) * SECOND : at);
		const found = this.listed(asOf).filter(({ at }) =>
			inclusive ? point(at) >= from : point(at) > from,
		);
		if (order === 'newestFirst') found.reverse();
		if (order === 'none') found.sort((a, b) => scattered(a) - scattered(b));
		return found;
	}

	private shown(row: Row, asOf = this.now) {
		const isOver = row.ready <= this.now || row.ready > row.visible + HOUR;
		const isNewOrder = this.setup.event === 'newOrder';
		return {
			...(row.id !== '' && { id: row.id }),
			...(row.created_at !== undefined && { created_at: row.created_at }),
			...(!isState(this.setup.event) && {
				call_status: isOver ? (row.isWanted ? 'Completed' : 'Busy') : 'In Progress',
			}),
			status: isNewOrder && !row.isWanted ? 'confirmed' : row.visits[visitAt(row, asOf)]!.state,
		};
	}
}

/** What is odd about the answers of a poll. */
interface Given {
	/** When its answers were true. */
	asOf: number | undefined;
	omits: boolean;
}

/** Which state a record showed then. */
const visitAt = ({ visits }: Row, asOf: number) =>
	Math.max(
		0,
		visits.findLastIndex(({ at }) => at <= asOf),
	);

export type Gate = (index: number) => Promise<void>;

/** A status in the letters that the reference would write it in. */
export const plain = (status: string): string => status.toLowerCase();

const scattered = ({ at, n }: Row) => Math.imul(n + at, 2654435761);

/** A time as APIs write it: in ms or finer, in any offset, or in UTC without saying so. */
function written(at: number): string {
	const form = Math.floor(at / SECOND) % 4;
	if (form === 0) return new Date(at).toISOString().replace('Z', '456');
	if (form === 1) return new Date(at + 2 * HOUR).toISOString().replace('Z', '789+02:00');
	return new Date(at).toISOString();
}
