import { instant } from './time.ts';

export interface Row {
	id: string;
}

type Key = number | string;
export type KeyOf<T> = (row: T) => Key;

export interface PageQuery<T> {
	sort: string;
	descending: boolean;
	limit: number;
	offset: number;
	/** The created_after cursor: the first moment that counts, in microseconds. */
	from?: number | undefined;
	/** Only rows of which all of these are true. */
	where?: Array<(row: T) => boolean>;
}

interface Entry<T> {
	key: Key;
	row: T;
}

/** The records of one kind, of one organization. Change fields with `change`, so that their order stays right. */
export class Table<T extends Row> {
	private readonly byId = new Map<string, T>();
	/** The rows in each order that was asked for, until a row changes. */
	private readonly orders = new Map<string, Array<Entry<T>>>();
	private readonly now: () => number;
	private readonly keys: Record<string, KeyOf<T>>;
	private hidden: Array<{ row: T; visibleAt: number }> = [];

	/** @param keys what rows are sorted by, if it is no field */
	constructor(now: () => number, keys: Record<string, KeyOf<T>> = {}) {
		this.now = now;
		this.keys = keys;
	}

	/** @param visibleAt from this moment on the row is there, however old its created_at is */
	add(row: T, visibleAt = 0): T {
		if (visibleAt > this.now()) this.hidden.push({ row, visibleAt });
		else this.load([row]);
		return row;
	}

	/** Adds many rows at once. */
	load(rows: Iterable<T>): void {
		for (const row of rows) this.byId.set(row.id, row);
		this.orders.clear();
	}

	get(id: string): T | undefined {
		this.reveal();
		// A UUID is the same in either case.
		return this.byId.get(id) ?? this.byId.get(id.toLowerCase());
	}

	remove(id: string): boolean {
		this.hidden = this.hidden.filter((entry) => entry.row.id !== id);
		this.orders.clear();
		return this.byId.delete(id);
	}

	clear(): void {
		for (const { id } of this.all()) this.remove(id);
	}

	change(id: string, fields: Partial<T>): T {
		const row = this.get(id);
		if (row === undefined) throw new Error(`no record ${id}`);
		this.orders.clear();
		return Object.assign(row, fields);
	}

	all(): T[] {
		this.reveal();
		return [...this.byId.values()];
	}

	get size(): number {
		return this.all().length;
	}

	find(matches: (row: T) => boolean): T | undefined {
		return this.all().find(matches);
	}

	/** A part of the rows that are wanted, and how many of them there are. */
	page({ sort, descending, from, where = [], offset, limit }: PageQuery<T>) {
		this.reveal();
		const createdAt = this.keyOf('created_at');
		const isWanted = ({ key, row }: Entry<T>) =>
			(from === undefined || Number(sort === 'created_at' ? key : createdAt(row)) >= from) &&
			where.every((isRight) => isRight(row));
		const wanted = this.inOrder(sort, descending).filter(isWanted);
		const rows = wanted.slice(offset, offset + limit).map(({ row }) => row);
		return { rows, total: wanted.length };
	}

	private reveal(): void {
		if (this.hidden.length === 0) return;
		const due = this.hidden.filter(({ visibleAt }) => visibleAt <= this.now());
		this.hidden = this.hidden.filter((entry) => !due.includes(entry));
		if (due.length > 0) this.load(due.map(({ row }) => row));
	}

	/** The rows in the order of a key, then of the ID. */
	private inOrder(sort: string, descending: boolean): Array<Entry<T>> {
		const name = `${sort} ${descending}`;
		const known = this.orders.get(name);
		if (known) return known;
		const keyOf = this.keyOf(sort);
		const entries = [...this.byId.values()].map((row) => ({ key: keyOf(row), row }));
		entries.sort((a, b) => {
			if (a.key !== b.key) return a.key < b.key ? -1 : 1;
			return a.row.id < b.row.id ? -1 : 1;
		});
		if (descending) entries.reverse();
		this.orders.set(name, entries);
		return entries;
	}

	private keyOf(sort: string): KeyOf<T> {
		const own = this.keys[sort];
		if (own) return own;
		return (row) => {
			const value = row[sort as keyof T];
			if (typeof value === 'number') return value;
			const written = typeof value === 'string' ? value : '';
			return sort.endsWith('_at') ? (instant(written) ?? 0) : written.toLowerCase();
		};
	}
}
