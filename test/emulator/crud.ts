import { isObject, readChanges, readFields, type Fields, type Rules } from './checks.ts';
import { get, post, put, remove, type Exchange, type Route } from './route.ts';
import type { Row, Table } from './table.ts';
import { iso } from './time.ts';
import type { Kind } from './wire.ts';

/** The body, without read-only fields if the server ignores them. */
function writable({ body, readings }: Exchange, rules: Rules): unknown {
	if (readings.readOnly === 'refused' || !isObject(body)) return body;
	return Object.fromEntries(Object.entries(body).filter(([name]) => Object.hasOwn(rules, name)));
}

/** As readChanges, for a body that may hold read-only fields. */
export function readUpdate(exchange: Exchange, rules: Rules): Fields {
	return readChanges(writable(exchange, rules), rules);
}

/** The record after a PATCH. A sent object replaces the present one, or is merged into it. */
export function patched<T extends object>({ readings }: Exchange, current: T, changes: Fields): T {
	if (readings.patchObjects === 'replaces') return { ...current, ...changes };
	const before = current as Fields;
	const whole = Object.entries(changes).map(([name, value]) => {
		const present = before[name];
		return [name, isObject(present) && isObject(value) ? { ...present, ...value } : value];
	});
	return { ...current, ...Object.fromEntries(whole) };
}

/** Records that are created, replaced by a PUT, and deleted. */
interface Collection<T extends Row> {
	kind: Kind;
	/** Where a POST creates one. */
	path: string;
	/** Where one is, with the fields that a PUT there need not name. */
	paths: Record<string, readonly string[]>;
	tableOf: (exchange: Exchange) => Table<T>;
	/** @throws a 404 if there is no such record */
	find: (exchange: Exchange) => T;
	rulesOf: (exchange: Exchange) => Rules;
	required: readonly string[];
	/** What a new record holds in the fields that the body does not name. */
	blank: Partial<T>;
	/** Checks a record before it is stored, and gives it what only the server sets. */
	check?: (exchange: Exchange, record: Partial<T>, current?: T) => Partial<T>;
	add: (exchange: Exchange, record: Partial<T>) => T;
	/** Default: removes it from its table. */
	remove?: (exchange: Exchange, record: T) => void;
	show?: (exchange: Exchange, record: T) => unknown;
}

/** POST, GET, PUT and DELETE of a collection. */
export function crud<T extends Row>(collection: Collection<T>): Route[] {
	const { kind, blank, required, find, tableOf, rulesOf, check } = collection;
	const show = collection.show ?? ((_exchange, record: T) => record);
	const read = (exchange: Exchange, rest: Partial<T>, current?: T): Partial<T> => {
		const missing = required.filter((name) => rest[name as keyof T] === undefined);
		const rules = rulesOf(exchange);
		const record = { ...rest, ...readFields(writable(exchange, rules), rules, missing) };
		return { ...record, ...check?.(exchange, record, current) };
	};
	const create = (exchange: Exchange) =>
		show(exchange, collection.add(exchange, read(exchange, blank)));
	const replace = (kept: readonly string[]) => (exchange: Exchange) => {
		const current = find(exchange);
		const entries = kept.map((name) => [name, current[name as keyof T]]);
		const emptied = { ...blank, ...Object.fromEntries(entries) };
		const rest = exchange.readings.put === 'merges' ? current : emptied;
		const now = 'updated_at' in current ? { updated_at: iso(exchange.now()) } : {};
		const record = { ...read(exchange, rest, current), ...now };
		return show(exchange, tableOf(exchange).change(current.id, record));
	};
	const discard = (exchange: Exchange) => {
		const record = find(exchange);
		if (collection.remove) collection.remove(exchange, record);
		else tableOf(exchange).remove(record.id);
		return show(exchange, record);
	};
	return [
		post(collection.path, kind, create),
		...Object.entries(collection.paths).flatMap(([path, kept]) => [
			get(path, kind, (exchange) => show(exchange, find(exchange))),
			put(path, kind, replace(kept)),
			remove(path, kind, discard),
		]),
	];
}
