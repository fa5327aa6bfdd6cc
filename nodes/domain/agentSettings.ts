import { jsonIn, type JsonObject } from '../json';
import { namedFields } from './simplify';

/** Fields that change by themselves or repeat another one. The preview URL in voice differs in each answer. */
const isNoSetting = (name: string) =>
	['updated_at', 'voice', 'call_summary_default_prompt'].includes(name) ||
	name.endsWith('_display_name');

/** The settings of an agent, always in the same order. */
export const settingsOf = (agent: JsonObject, ignored: readonly string[]): JsonObject =>
	Object.fromEntries(
		Object.entries(agent)
			.filter(([name]) => !isNoSetting(name) && !ignored.includes(name))
			.sort(([one], [other]) => (one < other ? -1 : 1)),
	);

/** What an item says of the changes. Of a new agent, every setting is new. */
export function changesOf(before: string | undefined, state: string): JsonObject {
	const changed = changedFields(before, state);
	const valuesIn = (settings = '{}') => namedFields(...changed)(jsonIn(settings) as JsonObject);
	return {
		change: before === undefined ? 'new' : 'changed',
		changed_fields: changed,
		previous_values: valuesIn(before),
		new_values: valuesIn(state),
	};
}

/** The settings that differ. One that was not shown before does not count: the API may show more any day. */
export function changedFields(before: string | undefined, state: string): string[] {
	const current = jsonIn(state) as JsonObject;
	if (before === undefined) return Object.keys(current);
	const old = jsonIn(before) as JsonObject;
	const isChanged = (name: string) => JSON.stringify(old[name]) !== JSON.stringify(current[name]);
	return Object.keys(old).filter((name) => Object.hasOwn(current, name) && isChanged(name));
}
