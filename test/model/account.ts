import type { Emulator, Store } from '../emulator/index.ts';
import { iso } from '../emulator/time.ts';
import { HOUR, MINUTE } from '../../nodes/time.ts';
import type { Change, EventName, Setup } from './history.ts';

// An account of a random history: its records, what they become, and what the model knows of them.

export const START = Date.UTC(2026, 0, 15, 9);

/** Which statuses of an order can follow each. Reference: "Order", states. Customers can always cancel. */
const ORDER_MOVES: Readonly<Record<string, readonly string[]>> = {
	pending: ['confirmed', 'refused', 'cancelled'],
	confirmed: ['completed', 'cancelled'],
	refused: ['cancelled'],
	completed: ['cancelled'],
	cancelled: [],
};

/** What the model knows of a record. Times are in ms on the server's clock. */
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
	/** The states that it has had. The last one is its state now. */
	states: string[];
}

/** Where the records of an event are. */
const TABLES = {
	newTransaction: 'transactions',
	newOrder: 'orders',
	newCall: 'calls',
	callReady: 'calls',
	orderStatusChanged: 'orders',
	campaignStatusChanged: 'campaigns',
	newContact: 'contacts',
	eventChanged: 'events',
} as const satisfies Partial<Record<EventName, keyof Store>>;

/** The amount of a wallet that is not low, and those of falls are a little below the other. */
const [HIGH, LOW, STEP] = [50, 5, 1_000_000];

/** The number of the fall that a balance stands for. */
export const fallOf = (balance: unknown) => Math.round((LOW - Number(balance)) * STEP);

const ADD = {
	transactions: 'addTransaction',
	orders: 'addOrder',
	calls: 'addCall',
	campaigns: 'addCampaign',
	contacts: 'addContact',
	events: 'addEvent',
} as const satisfies Record<(typeof TABLES)[keyof typeof TABLES], keyof Store>;

/** An account of the emulator, whose records appear, change and vanish, also while they are read. */
export class Account {
	/** The key that the emulator knows, and the one in the credential. */
	readonly key: string;
	apiKey = '';

	/** Until when its key fails, and with which status. */
	fails = { until: -Infinity, status: 500 };

	/** Until when it does not answer. */
	hangsUntil = -Infinity;

	/** Whether its balance is low. */
	isLow = false;

	/** Whether a record was removed. */
	hasRemoved = false;

	readonly store: Store;

	/** The records that were not removed, oldest first. */
	private rows: Row[] = [];

	private readonly everyRow = new Map<string, Row>();

	private readonly setup: Setup;

	/** The number of the record before the first one. */
	private readonly before: number;

	/** @param shift how much earlier its first records were created */
	constructor(setup: Setup, emulator: Emulator, before = 0, shift = 0) {
		const { apiKey, store } = emulator.addOrganization('empty');
		this.key = apiKey;
		this.store = store;
		this.setup = setup;
		this.before = before;
		const { event, initial } = setup;
		if (event === 'lowBalance') {
			this.store.setBalance(HIGH);
			if (initial.length % 2 > 0) this.moveBalance(true);
			return;
		}
		for (const [minutes, lag, wait] of initial) {
			const at = START - minutes * MINUTE - shift;
			const more = event === 'orderStatusChanged' && minutes % 2 > 0 ? ['confirmed'] : [];
			this.insert(at, at + lag, Math.max(at + lag, at + wait), more);
		}
	}

	get now(): number {
		return this.store.now();
	}

	/** The status with which its key fails now. */
	get failure(): number | undefined {
		return this.fails.until > this.now ? this.fails.status : undefined;
	}

	/** A record, also one that was removed. */
	rowOf = (id: unknown): Row => this.everyRow.get(id as string)!;

	/** All records that it has ever had. */
	everyone = (): Row[] => [...this.everyRow.values()];

	listed = (): Row[] => this.rows.filter(({ visibleAt }) => visibleAt <= this.now);

	/** How many calls it shows that have not ended. */
	inProgress = (): number => this.listed().filter(({ endsAt }) => endsAt > this.now).length;

	/** Whether a request is for a part of a record that cannot be read. */
	isBroken(path: string): boolean {
		const [, id, part] = /^\/(?:orders|call-history)\/([^/?]+)(\/.+)?/.exec(path) ?? [];
		const isPart = part !== undefined || path.startsWith('/orders/');
		return isPart && (this.everyRow.get(id ?? '')?.brokenUntil ?? 0) > this.now;
	}

	/** Ends the calls whose time has come. */
	endCalls(): void {
		for (const row of this.rows) {
			const isOver = row.endsAt <= this.now && row.visibleAt <= this.now;
			if (isOver && this.store.calls.get(row.id)?.call_status === 'In Progress')
				this.store.calls.change(row.id, { call_status: 'Completed' });
		}
	}

	change(change: Change): void {
		if (this.setup.event === 'lowBalance') return this.moveBalance(change.kind === 'add');
		switch (change.kind) {
			case 'add':
				return this.add(change);
			case 'addFuture':
				return void this.insert(this.now + change.ahead, this.now, this.now);
			case 'move':
				return this.move(change);
			case 'remove':
				return this.remove(this.listed().at(-1 - change.index));
		}
	}

	private get table(): (typeof TABLES)[keyof typeof TABLES] {
		return TABLES[this.setup.event as keyof typeof TABLES];
	}

	/** The balance falls or rises. Each fall is a record. */
	private moveBalance(falls: boolean): void {
		if (falls === this.isLow) return;
		this.isLow = falls;
		if (!falls) return this.store.setBalance(HIGH);
		const n = this.before + this.everyRow.size + 1;
		const times = { at: this.now, visibleAt: this.now, endsAt: this.now, summaryAt: this.now };
		const row = { n, id: idOf(n), ...times, brokenUntil: -Infinity, states: [''] };
		this.rows.push(row);
		this.everyRow.set(row.id, row);
		this.store.setBalance(LOW - n / STEP);
	}

	private add({ count, lag, wait, broken, apart }: Extract<Change, { kind: 'add' }>): void {
		for (let i = 0; i < count; i += 1) {
			const at = this.now - i * apart;
			const visibleAt = Math.max(this.now, at + lag);
			const row = this.insert(at, visibleAt, Math.max(visibleAt, at + wait));
			row.brokenUntil = visibleAt + broken;
		}
	}

	/** @param more states that it has had since its first one */
	private insert(at: number, visibleAt: number, summaryAt: number, more: string[] = []): Row {
		const { event } = this.setup;
		const n = this.before + this.everyRow.size + 1;
		const first = event === 'campaignStatusChanged' ? 'draft' : 'pending';
		const row: Row = {
			n,
			id: idOf(n),
			at,
			visibleAt,
			// If the summary takes more than an hour, every other call itself has ended at once.
			endsAt: summaryAt > visibleAt + HOUR && n % 2 > 0 ? visibleAt : summaryAt,
			summaryAt,
			brokenUntil: -Infinity,
			states: [event === 'newContact' ? '' : first, ...more],
		};
		this.rows.push(row);
		this.rows.sort((one, other) => one.at - other.at);
		this.everyRow.set(row.id, row);
		const status = row.states.at(-1);
		const shown = { id: row.id, created_at: iso(at), status, call_status: 'In Progress' as const };
		this.store[ADD[this.table]](shown as never, { visibleAt, summaryAt });
		return row;
	}

	private setState(row: Row, state: string): void {
		row.states.push(state);
		this.store[this.table].change(row.id, { status: state as never });
	}

	private remove(row: Row | undefined): void {
		this.hasRemoved = true;
		this.rows = this.rows.filter((one) => one !== row);
		if (row !== undefined) this.store[this.table].remove(row.id);
	}

	private move({ index, count, way }: Extract<Change, { kind: 'move' }>): void {
		for (const row of this.listed().slice(index, index + count)) {
			const last = row.states.at(-1)!;
			const isOrder = this.setup.event === 'orderStatusChanged';
			// A campaign may return to an earlier state.
			const ways = isOrder ? ORDER_MOVES[last]! : ['draft', 'running', 'paused', 'stopped'];
			const state = ways[way % ways.length];
			if (state !== undefined && state !== last) this.setState(row, state);
		}
	}
}

/** A UUID. Those of records that were created at the same time are in no order. */
export function idOf(n: number): string {
	const scattered = (Math.imul(n, 2654435761) >>> 0).toString(16).padStart(8, '0');
	return `${scattered}-0000-4000-8000-${String(n).padStart(12, '0')}`;
}
