import { instant } from './time.ts';

export interface Row {
	id: string;
}

/** The records of one kind, of one organization. Change fields with `change`, so that their order stays right. */
export class Table<T extends Row> {
	private readonly byId = new Map<string, T>();
	/** The rows in each order that was asked for, until a row changes. */
	private readonly orders = new Map<string, T[]>();
	private readonly now: () => number;
	private hidden: Array<{ row: T; visibleAt: number }> = [];

	constructor(now: () => number) {
		this.now = now;
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

	remove(id: string): void {
		this.hidden = this.hidden.filter(({ row }) => row.id !== id);
		this.orders.clear();
		this.byId.delete(id);
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

	/** The rows in the order of a field, then of the ID. */
	inOrder(field: string, isDescending: boolean): T[] {
		this.reveal();
		const name = `${field} ${isDescending}`;
		const known = this.orders.get(name);
		if (known) return known;
		const entries = this.all().map((row) => ({ key: keyOf(row, field as keyof T), row }));
		entries.sort((a, b) => {
			if (a.key !== b.key) return a.key < b.key ? -1 : 1;
			return a.row.id < b.row.id ? -1 : 1;
		});
		if (isDescending) entries.reverse();
		const rows = entries.map(({ row }) => row);
		this.orders.set(name, rows);
		return rows;
	}

	private reveal(): void {
		if (this.hidden.length === 0) return;
		const due = this.hidden.filter(({ visibleAt }) => visibleAt <= this.now());
		this.hidden = this.hidden.filter((entry) => !due.includes(entry));
		if (due.length > 0) this.load(due.map(({ row }) => row));
	}
}

/** What rows are sorted by: moments and numbers by size, everything else by its text. */
function keyOf<T>(row: T, field: keyof T): number | string {
	const value = row[field];
	if (typeof value === 'number') return value;
	const text = typeof value === 'string' ? value : '';
	return String(field).endsWith('_at') ? (instant(text) ?? 0) : text.toLowerCase();
}
