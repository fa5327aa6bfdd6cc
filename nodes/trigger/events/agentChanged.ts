import { agentPath, readTools } from '../../domain/agentParts';
import { digest } from '../../digest';
import { fitting, isObject, jsonIn, type JsonObject } from '../../json';
import { form } from '../../table/form';
import { simplify } from '../../table/handling';
import { toggle } from '../../table/kinds';
import { triggerEvent } from '../event';
import { statesWatcher } from '../../watching/statesWatcher';
import { contentEvent, contentOptions, eventOptions } from './eventFields';

/** Reference: GET /agents/ and GET /agents/{agent_id}, whose settings the list does not show. */
export const agentChanged = triggerEvent({
	...contentEvent,
	name: 'Agent Changed',
	description:
		'When an agent is new or a setting differs from the last poll, with the old and the new value. Reads each agent with each poll, up to 200.',
	hint: 'changed_fields, previous_values and new_values say what changed. Updating an agent in this workflow starts it again.',
	request: 'GET /agents/{agent_id}',
	fields: () =>
		form({
			simplify,
			options: eventOptions({
				...contentOptions,
				watchTools: toggle({
					displayName: 'Watch Tools',
					default: true,
					description:
						'Whether a change of a tool counts too, such as another number to transfer to. Costs four more requests per agent with each poll.',
				}),
			}),
		}),
	simplify: () => ({
		first: ['name', 'agent_type', 'is_active', 'updated_at'],
		onTop: ['previous_values', 'new_values'],
		isAll: true,
	}),
	watch: ({ options }, watching) =>
		statesWatcher(watching, {
			path: '/agents/',
			readWhole: async (id, api) => {
				const agent = await api.find({ method: 'GET', path: agentPath({ id }) });
				return isObject(agent) && options.watchTools
					? { ...agent, tools: await readTools({ id }, api) }
					: agent;
			},
			most: 200,
			stateOf: (agent, before) =>
				settingsText(
					agent,
					[...options.ignoreFields, ...(options.watchTools ? [] : ['tools'])],
					before,
				),
			isWanted: ({ before, state }) => changedFields(before, state).length > 0,
			added: ({ record, state, before }) => changesOf(before, state, record),
		}),
});

/** Fields that change by themselves or repeat another one. The preview URL in voice differs in each answer. */
const isNoSetting = (name: string) =>
	['updated_at', 'voice', 'call_summary_default_prompt'].includes(name) ||
	name.endsWith('_display_name');

/** How much of a long setting, such as a prompt, is remembered (characters). n8n writes it with each poll. */
const LONGEST = 1000;

/**
 * The settings of an agent as a text. One that the last poll (`before`) showed and this one does not is
 * empty now. Fields with ignored names do not count, at any depth.
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

/** Removes the text that stands for what was cut. */
const withoutDigest = (_name: string, value: unknown) =>
	typeof value === 'string' && value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value;

/** A setting as JSON. The order of fields does not count, and an empty text is like null. */
const inOrder = (value: unknown) =>
	JSON.stringify(value, (_name, member: unknown) => {
		if (member === '') return null;
		if (!isObject(member)) return member;
		return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
	});

/** What an item says of the changes. Of a new agent, every setting is new. */
export function changesOf(before: string | undefined, state: string, agent: JsonObject) {
	const changed = changedFields(before, state);
	const isChanged = (name: string) => changed.includes(name);
	return {
		change: before === undefined ? 'new' : 'changed',
		changed_fields: changed.join(', '),
		previous_values: fitting(JSON.parse(before ?? '{}', withoutDigest) as JsonObject, isChanged),
		new_values: fitting(agent, isChanged),
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
