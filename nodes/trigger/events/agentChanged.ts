import { z } from 'zod';

import { inFront, namedFields } from '../../domain/simplify';
import { jsonIn, type JsonObject } from '../../json';
import { flag, list, nonBlank } from '../../table/schema';
import { triggerEvent } from '../event';
import { StatesWatcher } from '../kinds/states';
import { ignoreFields, pollLimit, simplify } from './fields';

/** More agents would make the state too large: it holds all that their settings say. */
const MOST = 200;

/** What changes by itself, or repeats another field: the URL of a voice's preview is signed anew with each answer. */
const NO_SETTING = /^(updated_at|voice|call_summary_default_prompt|.*_display_name)$/;

const CHANGES = ['change', 'changed_fields', 'previous_values', 'new_values'];

const changesInFront = inFront('id', 'name', ...CHANGES);

const simplified = namedFields('id', 'name', 'agent_type', 'is_active', 'updated_at', ...CHANGES);

/** Reference: GET /agents/ and GET /agents/{agent_id}, whose settings the list does not show. */
export const agentChanged = triggerEvent({
	name: 'Agent Changed',
	description:
		'When an agent is new or a setting differs from the last poll, with the old and the new value. Reads each agent with each poll, up to 200.',
	request: 'GET /agents/{agent_id}',
	fields: [simplify],
	options: [ignoreFields, pollLimit],
	input: () =>
		z.object({
			simplify: flag.default(true),
			options: z.object({ ignoreFields: list(nonBlank()).default([]) }).default({}),
		}),
	identity: ({ options }) => options.ignoreFields.toSorted(),
	watch: ({ options, simplify: isSimple }, watching) =>
		new StatesWatcher(watching, {
			path: '/agents/',
			pathOf: (id) => `/agents/${id}`,
			most: MOST,
			stateOf: (agent) => JSON.stringify(settingsOf(agent, options.ignoreFields)),
			isWanted: (before, state) => changedFields(before, state).length > 0,
			itemOf: (agent, state, before) =>
				(isSimple ? simplified : changesInFront)({ ...agent, ...changesOf(before, state) }),
		}),
});

/** The settings of an agent, always in the same order. */
const settingsOf = (agent: JsonObject, ignored: readonly string[]): JsonObject =>
	Object.fromEntries(
		Object.entries(agent)
			.filter(([name]) => !NO_SETTING.test(name) && !ignored.includes(name))
			.sort(([one], [other]) => (one < other ? -1 : 1)),
	);

/** What an item says of the changes. Of a new agent, every setting is new. */
function changesOf(before: string | undefined, state: string): JsonObject {
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
function changedFields(before: string | undefined, state: string): string[] {
	const current = jsonIn(state) as JsonObject;
	if (before === undefined) return Object.keys(current);
	const old = jsonIn(before) as JsonObject;
	const isChanged = (name: string) => JSON.stringify(old[name]) !== JSON.stringify(current[name]);
	return Object.keys(old).filter((name) => Object.hasOwn(current, name) && isChanged(name));
}
