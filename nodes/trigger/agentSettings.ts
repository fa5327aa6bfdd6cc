import { digest } from '../digest';
import { namedFields } from '../domain/simplify';
import { isObject, jsonIn, type JsonObject } from '../json';

// The settings of an agent as the trigger remembers them, and how two of them differ.

/** Fields that change by themselves or repeat another one. The preview URL in voice differs in each answer. */
const isNoSetting = (name: string) =>
	['updated_at', 'voice', 'call_summary_default_prompt'].includes(name) ||
	name.endsWith('_display_name');

/** How much of a long setting, such as a prompt, is remembered (characters). n8n stores it with each poll. */
const LONGEST = 5000;

/**
 * The settings of an agent as a text. One that the last poll showed and this one does not is empty now.
 * @param ignored names of fields that do not count, at any depth
 * @param before the same at the last poll
 */
export function settingsText(agent: JsonObject, ignored: readonly string[], before = '{}'): string {
	const emptied = Object.keys(jsonIn(before) as JsonObject).map((name) => [name, null]);
	const shown = JSON.stringify(agent, (name, value: unknown) =>
		ignored.includes(name) ? undefined : value,
	);
	const all = { ...(Object.fromEntries(emptied) as JsonObject), ...(jsonIn(shown) as JsonObject) };
	const settings = Object.entries(all)
		.filter(([name]) => !isNoSetting(name) && !ignored.includes(name))
		.map(([name, value]) => [name, shortened(value)]);
	return JSON.stringify(Object.fromEntries(settings));
}

/** A setting, or its beginning and a short text that stands for all of it. */
function shortened(value: unknown): unknown {
	const text = typeof value === 'string' ? value : inOrder(value);
	return text.length <= LONGEST ? value : `${text.slice(0, LONGEST)}… (${digest(text)})`;
}

/** A setting as JSON. The order of fields does not count, and an empty text is like null. */
const inOrder = (value: unknown) =>
	JSON.stringify(value, (_name, member: unknown) => {
		if (member === '') return null;
		if (!isObject(member)) return member;
		return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
	});

/** What an item says of the changes. Of a new agent, every setting is new. */
export function changesOf(
	before: string | undefined,
	state: string,
	agent: JsonObject,
): JsonObject {
	const changed = changedFields(before, state);
	return {
		change: before === undefined ? 'new' : 'changed',
		changed_fields: changed.join(', '),
		previous_values: namedFields(...changed)(jsonIn(before ?? '{}') as JsonObject),
		new_values: namedFields(...changed)(agent),
	};
}

/** The settings that differ. One that was not shown before does not count: the API may show more any day. */
export function changedFields(before: string | undefined, state: string): string[] {
	const current = jsonIn(state) as JsonObject;
	if (before === undefined) return Object.keys(current).sort();
	const old = jsonIn(before) as JsonObject;
	const differs = (name: string) => inOrder(old[name]) !== inOrder(current[name]);
	return Object.keys(old)
		.filter((name) => Object.hasOwn(current, name) && differs(name))
		.sort();
}
