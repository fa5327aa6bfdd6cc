import { isObject, type JsonObject } from '../json';

/** Fields that may hold the name in a list of names and values. The reference does not show which. */
const NAMES = ['name', 'key', 'field', 'slug', 'label'];

/**
 * Custom fields may come as a list of names and values: `[{ name, value }, …]`. This returns the field that
 * holds the names, here `name`. Undefined if the value is no such list.
 */
export function namingKey(list: unknown): string | undefined {
	if (!Array.isArray(list) || list.length === 0) return undefined;
	const entries: unknown[] = list;
	return NAMES.find((key) =>
		entries.every((entry) => isObject(entry) && 'value' in entry && typeof entry[key] === 'string'),
	);
}

export const valuesByName = (list: JsonObject[], key: string): JsonObject =>
	Object.fromEntries(list.map((entry) => [String(entry[key]), entry.value]));

/**
 * Merges two lists of names and values: an entry of `changes` replaces the fields of the entry with the
 * same name. The two lists may use different fields for the names. Undefined if a name comes twice in one
 * of them, because then nobody can say which entry is meant.
 */
export function withNamedEntries(
	list: JsonObject[],
	changes: JsonObject[],
): JsonObject[] | undefined {
	const common = namingKey([...list, ...changes]);
	const [key, changeKey] = common ? [common, common] : [namingKey(list), namingKey(changes)];
	if (key === undefined || changeKey === undefined) return undefined;
	const names = [list.map((entry) => entry[key]), changes.map((entry) => entry[changeKey])];
	if (names.some((each) => new Set(each).size < each.length)) return undefined;
	const others = new Map(
		changes.map(({ [changeKey]: name, ...rest }) => [name, { [key]: name, ...rest }] as const),
	);
	const whole = list.map((entry) => {
		const change = others.get(entry[key]);
		others.delete(entry[key]);
		return { ...entry, ...change };
	});
	return [...whole, ...others.values()];
}

/** An entry may have a key and a name. */
const namesIn = (entry: JsonObject): string[] =>
	NAMES.map((field) => entry[field]).filter((name) => typeof name === 'string');

/** Such a list with these values: name → value. Other entries stay. */
export function withNamedValues(list: JsonObject[], key: string, values: JsonObject): JsonObject[] {
	const known = new Set(list.flatMap(namesIn));
	return [
		...list.map((entry) => {
			const name = namesIn(entry).find((field) => Object.hasOwn(values, field));
			return name === undefined ? entry : { ...entry, value: values[name] };
		}),
		...Object.entries(values)
			.filter(([name]) => !known.has(name))
			.map(([name, value]) => ({ [key]: name, value })),
	];
}
