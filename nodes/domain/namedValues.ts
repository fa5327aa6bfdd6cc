import { isObject, type JsonObject } from '../json';

/** How a list of names and values may call the names; which it is, is not shown. */
const NAMES = ['name', 'key', 'field', 'slug', 'label'];

/**
 * What names the entries of a list of names and values, such as custom fields in that form:
 * `[{ name, value }, …]`. Undefined where it is no such list.
 */
export function namingKey(list: unknown): string | undefined {
	if (!Array.isArray(list) || list.length === 0) return undefined;
	const entries: unknown[] = list;
	return NAMES.find((key) =>
		entries.every((one) => isObject(one) && 'value' in one && typeof one[key] === 'string'),
	);
}

/** The values in such a list, by their names. */
export const valuesByName = (list: JsonObject[], key: string): JsonObject =>
	Object.fromEntries(list.map((entry) => [String(entry[key]), entry.value]));

/**
 * A list of names and values with the entries of another, each over the entry of its name, whatever
 * the two call the names. Undefined where a name comes twice in one of them: then the names do not tell
 * the entries apart.
 */
export function withNamedEntries(
	list: JsonObject[],
	changes: JsonObject[],
): JsonObject[] | undefined {
	const common = namingKey([...list, ...changes]);
	const [key, given] = common ? [common, common] : [namingKey(list), namingKey(changes)];
	if (key === undefined || given === undefined) return undefined;
	const names = [list.map((entry) => entry[key]), changes.map((entry) => entry[given])];
	if (names.some((each) => new Set(each).size < each.length)) return undefined;
	const left = new Map(
		changes.map(({ [given]: name, ...rest }) => [name, { [key]: name, ...rest }] as const),
	);
	const whole = list.map((entry) => {
		const change = left.get(entry[key]);
		left.delete(entry[key]);
		return { ...entry, ...change };
	});
	return [...whole, ...left.values()];
}

/** The list with these values; what it has besides stays. */
export function withNamedValues(list: JsonObject[], key: string, values: JsonObject): JsonObject[] {
	const known = new Set(list.map((entry) => entry[key]));
	return [
		...list.map((entry) => {
			const name = String(entry[key]);
			return Object.hasOwn(values, name) ? { ...entry, value: values[name] } : entry;
		}),
		...Object.entries(values)
			.filter(([name]) => !known.has(name))
			.map(([name, value]) => ({ [key]: name, value })),
	];
}
