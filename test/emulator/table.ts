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
	/** Only rows with this value. The table keeps an index for it. */
	only?: { field: string; value: string } | undefined;
	/** The created_after cursor, in microseconds. */
	after?: { instant: number; inclusive: boolean } | undefined;
	where?: ((row: T) => boolean) | undefined;
}

export interface Page<T> {
	rows: T[];
	total: number;
}

function before(leftKey: Key, leftId: string, rightKey: Key, rightId: string): boolean {
	if (leftKey !== rightKey) return leftKey < rightKey;
	return leftId < rightId;
}

/** Rows in the order of a key, then of the id. They are kept sorted, because sorting 100,000 rows per request is too slow. */
class View<T extends Row> {
	readonly rows: T[];
	private readonly keys: Key[];
	private readonly keyOf: KeyOf<T>;
	private readonly holds: (row: T) => boolean;

	constructor(rows: Iterable<T>, keyOf: KeyOf<T>, holds: (row: T) => boolean) {
		this.keyOf = keyOf;
		this.holds = holds;
		const entries = [...rows].filter(holds).map((row) => ({ key: keyOf(row), row }));
		entries.sort((a, b) => (before(a.key, a.row.id, b.key, b.row.id) ? -1 : 1));
		this.rows = entries.map((entry) => entry.row);
		this.keys = entries.map((entry) => entry.key);
	}

	/** How many rows lie before a key (and id). */
	position(key: Key, id: string): number {
		let low = 0;
		let high = this.rows.length;
		while (low < high) {
			const middle = (low + high) >>> 1;
			if (before(this.keys[middle]!, this.rows[middle]!.id, key, id)) low = middle + 1;
			else high = middle;
		}
		return low;
	}

	insert(row: T): void {
		if (!this.holds(row)) return;
		const key = this.keyOf(row);
		const at = this.position(key, row.id);
		this.rows.splice(at, 0, row);
		this.keys.splice(at, 0, key);
	}

	remove(row: T): void {
		const at = this.position(this.keyOf(row), row.id);
		if (this.rows[at] !== row) return;
		this.rows.splice(at, 1);
		this.keys.splice(at, 1);
	}
}

/** Sorts after every id, so that its position is behind all rows of the same key. */
const AFTER_ALL_IDS = '~';

/** The records of one kind, of one organization. Change fields with `change`, so that the sorted views stay right. */
export class Table<T extends Row> {
	private readonly byId = new Map<string, T>();
	private readonly views = new Map<string, View<T>>();
	private readonly now: () => number;
	private readonly keys: Record<string, KeyOf<T>>;
	private hidden: Array<{ row: T; visibleAt: number }> = [];

	constructor(now: () => number, keys: Record<string, KeyOf<T>> = {}) {
		this.now = now;
		this.keys = keys;
	}

	/** @param visibleAt from this moment on the row is there, however old its created_at is */
	add(row: T, visibleAt = 0): T {
		if (visibleAt > this.now()) {
			this.hidden.push({ row, visibleAt });
			return row;
		}
		this.byId.set(row.id, row);
		for (const view of this.views.values()) view.insert(row);
		return row;
	}

	/** Adds many rows at once. */
	load(rows: Iterable<T>): void {
		for (const row of rows) this.byId.set(row.id, row);
		this.views.clear();
	}

	get(id: string): T | undefined {
		this.reveal();
		// A UUID is the same in either case.
		return this.byId.get(id) ?? this.byId.get(id.toLowerCase());
	}

	remove(id: string): boolean {
		this.hidden = this.hidden.filter((entry) => entry.row.id !== id);
		const row = this.byId.get(id);
		if (row === undefined) return false;
		for (const view of this.views.values()) view.remove(row);
		return this.byId.delete(id);
	}

	change(id: string, fields: Partial<T>): T {
		const row = this.get(id);
		if (row === undefined) throw new Error(`no record ${id}`);
		for (const view of this.views.values()) view.remove(row);
		Object.assign(row, fields);
		for (const view of this.views.values()) view.insert(row);
		return row;
	}

	all(): T[] {
		this.reveal();
		return [...this.byId.values()];
	}

	get size(): number {
		this.reveal();
		return this.byId.size;
	}

	find(matches: (row: T) => boolean): T | undefined {
		this.reveal();
		for (const row of this.byId.values()) if (matches(row)) return row;
		return undefined;
	}

	page(query: PageQuery<T>): Page<T> {
		this.reveal();
		const view = this.view(query.sort, query.only);
		const { after } = query;
		const byCreation = query.sort === 'created_at';
		const first =
			after && byCreation ? view.position(after.instant, after.inclusive ? '' : AFTER_ALL_IDS) : 0;
		const isAfter = (row: T) => byCreation || after === undefined || this.lies(row, after);
		const { where = () => true } = query;
		const matches =
			query.where || (after && !byCreation) ? (row: T) => isAfter(row) && where(row) : undefined;
		const rowAt = (index: number) =>
			view.rows[query.descending ? view.rows.length - 1 - index : first + index];
		const count = view.rows.length - first;
		const { offset, limit } = query;
		const rows: T[] = [];
		if (matches === undefined) {
			for (let index = offset; index < Math.min(count, offset + limit); index += 1)
				rows.push(rowAt(index)!);
			return { rows, total: count };
		}
		let total = 0;
		for (let index = 0; index < count; index += 1) {
			const row = rowAt(index)!;
			if (!matches(row)) continue;
			if (total >= offset && rows.length < limit) rows.push(row);
			total += 1;
		}
		return { rows, total };
	}

	private lies(row: T, after: { instant: number; inclusive: boolean }): boolean {
		const created = Number(this.keyOf('created_at')(row));
		return after.inclusive ? created >= after.instant : created > after.instant;
	}

	private reveal(): void {
		if (this.hidden.length === 0) return;
		const now = this.now();
		const due = this.hidden.filter((entry) => entry.visibleAt <= now);
		this.hidden = this.hidden.filter((entry) => entry.visibleAt > now);
		for (const { row } of due) this.add(row);
	}

	private view(sort: string, only: PageQuery<T>['only']): View<T> {
		const name = JSON.stringify([sort, only]);
		const known = this.views.get(name);
		if (known) return known;
		const holds = (row: T) => only === undefined || row[only.field as keyof T] === only.value;
		const view = new View(this.byId.values(), this.keyOf(sort), holds);
		this.views.set(name, view);
		return view;
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
