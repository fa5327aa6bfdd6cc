import { inFront, namedFields } from '../../domain/simplify';
import { changedFields, changesOf, settingsOf } from '../agentSettings';
import { triggerEvent } from '../event';
import { StatesWatcher } from '../../watching/statesWatcher';
import { contentEvent } from './eventFields';

/** Each of them takes a request per poll, and a share of the room for settings. */
const MOST = 200;

const CHANGES = ['change', 'changed_fields', 'previous_values', 'new_values'];

const changesInFront = inFront('id', 'name', ...CHANGES);

const simplified = namedFields('id', 'name', 'agent_type', 'is_active', 'updated_at', ...CHANGES);

/** Reference: GET /agents/ and GET /agents/{agent_id}, whose settings the list does not show. */
export const agentChanged = triggerEvent({
	...contentEvent,
	name: 'Agent Changed',
	description:
		'When an agent is new or a setting differs from the last poll, with the old and the new value. Reads each agent with each poll, up to 200.',
	request: 'GET /agents/{agent_id}',
	watch: ({ options, simplify: isSimple }, watching) =>
		new StatesWatcher(watching, {
			path: '/agents/',
			pathOf: (id) => `/agents/${id}`,
			most: MOST,
			stateOf: (agent, { count }) => settingsOf(agent, options.ignoreFields, count),
			isWanted: ({ before, state }) => changedFields(before, state).length > 0,
			itemOf: ({ record, state, before }) =>
				(isSimple ? simplified : changesInFront)({
					...record,
					...changesOf(before, state, record),
				}),
		}),
});
