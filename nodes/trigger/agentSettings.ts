import { namedFields } from '../domain/simplify';
import { isObject, jsonIn, type JsonObject } from '../json';
import { digest } from '../digest';
import type { View } from '../watching/statesWatcher';

/** Fields that change by themselves or repeat another one. The preview URL in voice differs in each answer. */
const isNoSetting = (name: string) =>
	['updated_at', 'voice', 'call_summary_default_prompt'].includes(name) ||
	name.endsWith('_display_name');

/** How many characters the settings of all agents may take. They are stored twice. */
const ROOM = 250_000;

/** Of values that are longer, only the beginning is remembered if there is not enough room. */
const LONG = 200;

/** How many characters the settings of one agent may then take. An agent has about 50 settings. */
const MOST = 10_000;

/** So many settings are remembered after they were shown the last time. */
const MOST_EMPTIED = 100;

/** A value of which only the beginning is remembered. */
interface Cut {
	beginning: string;
	fingerprint: string;
}

/**
 * The settings of an agent as a text, always in the same order. One that the last poll showed and this one
 * does not is empty now.
 * @param count how many agents share the room
 * @throws Error if there are too many, even with long values cut
 */
export function settingsText(
	agent: JsonObject,
	ignored: readonly string[],
	{ count, before = '{}' }: Omit<View, 'without'>,
): string {
	const emptied = Object.keys(jsonIn(before) as JsonObject)
		.filter((name) => !Object.hasOwn(agent, name))
		.slice(0, MOST_EMPTIED)
		.map((name) => [name, null]);
	const shown = jsonIn(
		JSON.stringify(agent, (name, held: unknown) => (ignored.includes(name) ? undefined : held)),
	) as JsonObject;
	const settings = byName({ ...(Object.fromEntries(emptied) as JsonObject), ...shown }).filter(
		([name]) => !isNoSetting(name) && !ignored.includes(name),
	);
	const text = JSON.stringify(Object.fromEntries(settings));
	if (text.length <= ROOM / count) return text;
	const short = JSON.stringify(
		Object.fromEntries(settings.map(([name, value]) => [name, cut(value)])),
	);
	if (short.length <= MOST) return short;
	throw new Error(
		"An agent has too many settings to be remembered. Name the fields that do not matter under 'Ignore Fields'.",
	);
}

function cut(value: unknown): unknown {
	const text = textOf(value);
	if (text.length <= LONG || isCut(value)) return value;
	return { beginning: text.slice(0, LONG), fingerprint: digest(text) } satisfies Cut;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : inOrder(value));

/** The fields of an object, always in the same order. */
const byName = (held: JsonObject) =>
	Object.entries(held).sort(([one], [other]) => (one < other ? -1 : 1));

/** A setting as JSON. The order of fields does not count, and an empty text is like null. */
const inOrder = (value: unknown) =>
	JSON.stringify(value, (_name, held: unknown) => {
		if (held === '') return null;
		return isObject(held) ? Object.fromEntries(byName(held)) : held;
	});

const isCut = (value: unknown): value is Cut =>
	isObject(value) && Object.keys(value).join() === 'beginning,fingerprint';

/** What an item says of the changes. Of a new agent, every setting is new. */
export function changesOf(
	before: string | undefined,
	state: string,
	agent: JsonObject,
): JsonObject {
	const changed = changedFields(before, state);
	const old = jsonIn(before ?? '{}') as JsonObject;
	const shown = changed
		.filter((name) => Object.hasOwn(old, name))
		.map((name) => [name, isCut(old[name]) ? `${old[name].beginning}…` : old[name]]);
	return {
		change: before === undefined ? 'new' : 'changed',
		changed_fields: changed,
		previous_values: Object.fromEntries(shown) as JsonObject,
		new_values: namedFields(...changed)(agent),
	};
}

/** The settings that differ. One that was not shown before does not count: the API may show more any day. */
export function changedFields(before: string | undefined, state: string): string[] {
	const current = jsonIn(state) as JsonObject;
	if (before === undefined) return Object.keys(current);
	const old = jsonIn(before) as JsonObject;
	return Object.keys(old).filter(
		(name) => Object.hasOwn(current, name) && !isSame(old[name], current[name]),
	);
}

function isSame(one: unknown, other: unknown): boolean {
	const areWhole = !isCut(one) && !isCut(other);
	const [a, b] = areWhole ? [one, other] : [cut(one), cut(other)];
	return inOrder(a) === inOrder(b);
}
