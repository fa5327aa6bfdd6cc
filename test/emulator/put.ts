import { isObject, readChanges, readFields } from './checks.ts';
import type { Fields, Rules } from './checks.ts';
import type { Exchange } from './route.ts';

/** A body without what cannot be written, where that is ignored instead of refused. */
function writable({ body, readings }: Exchange, rules: Rules): unknown {
	if (readings.readOnly === 'refused' || !isObject(body)) return body;
	return Object.fromEntries(Object.entries(body).filter(([name]) => Object.hasOwn(rules, name)));
}

/** As readFields, of a record that a client writes. */
export function readRecord(
	exchange: Exchange,
	rules: Rules,
	required: readonly string[] = [],
): Fields {
	return readFields(writable(exchange, rules), rules, required);
}

/** As readChanges, of a record that a client writes. */
export function readUpdate(exchange: Exchange, rules: Rules): Fields {
	return readChanges(writable(exchange, rules), rules);
}

/** What a PUT leaves in the fields that its body does not name: what they hold, or the blank of a new record. */
export function unnamed<T>({ readings }: Exchange, current: T, blank: Partial<T>): Partial<T> {
	return readings.put === 'merges' ? current : blank;
}

/** What a PATCH leaves in the fields that hold others: the sent object, or the present one with its changes. */
export function patched<T extends object>({ readings }: Exchange, current: T, changes: Fields): T {
	if (readings.patchObjects === 'replaces') return { ...current, ...changes };
	const before = current as Fields;
	const whole = Object.entries(changes).map(([name, value]) => {
		const held = before[name];
		return [name, isObject(held) && isObject(value) ? { ...held, ...value } : value];
	});
	return { ...current, ...Object.fromEntries(whole) };
}
