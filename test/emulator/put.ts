import { isObject, readChanges, readFields } from './checks.ts';
import type { Fields, Rules } from './checks.ts';
import type { Exchange } from './route.ts';

/** The body, without read-only fields if the server ignores them. */
function writable({ body, readings }: Exchange, rules: Rules): unknown {
	if (readings.readOnly === 'refused' || !isObject(body)) return body;
	return Object.fromEntries(Object.entries(body).filter(([name]) => Object.hasOwn(rules, name)));
}

/** As readFields, for a body that may hold read-only fields. */
export function readRecord(
	exchange: Exchange,
	rules: Rules,
	required: readonly string[] = [],
): Fields {
	return readFields(writable(exchange, rules), rules, required);
}

/** As readChanges, for a body that may hold read-only fields. */
export function readUpdate(exchange: Exchange, rules: Rules): Fields {
	return readChanges(writable(exchange, rules), rules);
}

/** What a PUT leaves in the fields that the body does not name: their present values, or those of a new record. */
export function unnamed<T>({ readings }: Exchange, current: T, blank: Partial<T>): Partial<T> {
	return readings.put === 'merges' ? current : blank;
}

/** The record after a PATCH. A sent object replaces the present one, or is merged into it. */
export function patched<T extends object>({ readings }: Exchange, current: T, changes: Fields): T {
	if (readings.patchObjects === 'replaces') return { ...current, ...changes };
	const before = current as Fields;
	const whole = Object.entries(changes).map(([name, value]) => {
		const held = before[name];
		return [name, isObject(held) && isObject(value) ? { ...held, ...value } : value];
	});
	return { ...current, ...Object.fromEntries(whole) };
}
