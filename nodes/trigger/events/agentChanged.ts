import { agentPath, readTools } from '../../domain/agentParts';
import { inFront, namedFields } from '../../domain/simplify';
import { isObject } from '../../json';
import { form } from '../../table/form';
import { simplify } from '../../table/handling';
import { toggle } from '../../table/kinds';
import { changedFields, changesOf, settingsText } from '../agentSettings';
import { triggerEvent } from '../event';
import { statesWatcher } from '../../watching/statesWatcher';
import { contentEvent, contentOptions, eventOptions } from './eventFields';

const CHANGES = ['change', 'changed_fields', 'previous_values', 'new_values'];

const changesInFront = inFront('id', 'name', ...CHANGES);

const simplified = namedFields('id', 'name', 'agent_type', 'is_active', 'updated_at', ...CHANGES);

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
	watch: ({ options, simplify: isSimple }, watching) =>
		statesWatcher(watching, {
			path: '/agents/',
			readWhole: async (id, api) => {
				const agent = await api.find({ method: 'GET', path: agentPath({ id }) });
				return isObject(agent) && options.watchTools
					? { ...agent, tools: await readTools({ id }, api) }
					: agent;
			},
			cost: options.watchTools ? 5 : 1,
			most: 200,
			stateOf: (agent, before) =>
				settingsText(
					agent,
					[...options.ignoreFields, ...(options.watchTools ? [] : ['tools'])],
					before,
				),
			isWanted: ({ before, state }) => changedFields(before, state).length > 0,
			itemOf: ({ record, state, before }) =>
				(isSimple ? simplified : changesInFront)({
					...record,
					...changesOf(before, state, record),
				}),
		}),
});
