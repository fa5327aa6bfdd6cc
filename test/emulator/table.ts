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
	/** Only rows with this value. */
	only?: { field: string; value: string } | undefined;
	/** The created_after cursor, in microseconds. */
	after?: { instant: number; inclusive: boolean } | undefined;
	where?: ((row: T) => boolean) | undefined;
}

export interface Page<T> {
	rows: T[];
	total: number;
}

/** The records of one kind, of one organization. Change fields with `change`, so that their order stays right. */
export class Table<T extends Row> {
	private readonly byId = new Map<string, T>();
	/** The rows in each order that was asked for, until a row changes. */
	private readonly orders = new Map<string, Array<{ key: Key; row: T }>>();
	private readonly now: () => number;
	private readonly keys: Record<string, KeyOf<T>>;
	private hidden: Array<{ row: T; visibleAt: number }> = [];

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

	page({ sort, descending, only, after, where, offset, limit }: PageQuery<T>): Page<T> {
		this.reveal();
		const createdAt = this.keyOf('created_at');
		const isAfter = (created: Key) =>
			after === undefined ||
			Number(created) > after.instant ||
			(after.inclusive && created === after.instant);
		const isWanted = ({ key, row }: { key: Key; row: T }) =>
			(only === undefined || row[only.field as keyof T] === only.value) &&
			isAfter(after === undefined || sort === 'created_at' ? key : createdAt(row)) &&
			(where === undefined || where(row));
		const all = this.inOrder(sort, descending);
		const wanted = only || after || where ? all.filter(isWanted) : all;
		const rows = wanted.slice(offset, offset + limit).map(({ row }) => row);
		return { rows, total: wanted.length };
	}

	private reveal(): void {
		if (this.hidden.length === 0) return;
		const now = this.now();
		const due = this.hidden.filter((entry) => entry.visibleAt <= now);
		this.hidden = this.hidden.filter((entry) => entry.visibleAt > now);
		if (due.length > 0) this.load(due.map(({ row }) => row));
	}

	/** The rows in the order of a key, then of the ID. */
	private inOrder(sort: string, descending: boolean): Array<{ key: Key; row: T }> {
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
