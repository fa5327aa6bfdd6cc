import { pageIn } from '../api/lists';
import { PAGE_SIZE } from '../api/pages';
import { pathTo } from '../api/path';
import { CHANGEABLE_TOOLS, plainTool, toolConfigIn } from '../domain/agentParts';
import type { JsonObject } from '../json';
import { form } from '../table/form';
import { getForm } from '../table/handling';
import { choice } from '../table/kinds';
import { operation, type Resource } from '../table/operation';
import { recordForm, withPhones } from '../table/record';
import { keepInner, patchBody } from '../table/updates';
import { agentPicker } from './agent/agentFields';

const TOOL = '/agents/{agent_id}/tools/{tool}';

const TOOLS = { 'end-the-call': 'End the Call', ...CHANGEABLE_TOOLS } as const;

const toolOf = (tools: Readonly<Record<string, string>>) =>
	choice(tools, { displayName: 'Tool', description: 'Tool of the agent' });

/** Names that the field of a number to transfer to may have. The reference does not show it. */
const isNumber = (name: string) => /phone(_?number)?$/i.test(name);

const NO_TOOL = {
	404: 'This agent has no such tool, or there is no such agent in this account. The type of the agent and of your business decide which tools there are.',
};

/** Reference: /agents/{agent_id}/tools and the paths below it; the PATCH body is the config itself. */
export const agentTool: Resource = {
	name: 'Agent Tool',
	description: 'What an agent can do in a call',
	operations: {
		get: operation({
			name: 'Get',
			description: 'Retrieve the settings of one tool of an agent',
			request: `GET ${TOOL}`,
			fields: () => getForm({ agent_id: agentPicker, tool: toolOf(TOOLS) }),
			run: async (input, api) => plainTool(await api.get(pathTo(TOOL, input))),
			hints: () => NO_TOOL,
		}),
		getAll: operation({
			name: 'Get Many',
			description: 'Retrieve the tools that an agent can have',
			request: 'GET /agents/{agent_id}/tools',
			does: 'list',
			fields: () => form({ agent_id: agentPicker }),
			// One page holds them, unless the list says that there are more. A list without pages would repeat it.
			run: async ({ agent_id }, api) => {
				const path = pathTo('/agents/{agent_id}/tools', { agent_id });
				const query = { limit: PAGE_SIZE, offset: 0 };
				const page = await api.send({ method: 'GET', path, query });
				const { records: first, total = 0 } = pageIn(page, api);
				const records = total > first.length ? await api.list(path) : first;
				// A tool may not show its agent. Without it, the tools of several agents cannot be told apart.
				return records
					.slice(0, api.wanted)
					.map((tool) => ({ ...tool, agent_id: tool.agent_id ?? agent_id }));
			},
		}),
		update: operation({
			name: 'Update',
			description: 'Change settings of one tool of an agent',
			request: `PATCH ${TOOL}`,
			does: 'change',
			fields: () =>
				form({ agent_id: agentPicker, tool: toolOf(CHANGEABLE_TOOLS) })
					.and(
						recordForm('mapAgentTool', {
							exists: true,
							shownAfter: 'agent_id',
							dependsOn: ['agent_id.value', 'tool'],
							noFields: 'Choose an agent and a tool, or use JSON.',
						}),
					)
					.and(form({ keepUntouched: keepInner }))
					.check(({ record: changes, ...where }, refuse) => {
						const hasNumber = where.tool === 'transfer-to-phone';
						const record = hasNumber ? withPhones(changes, isNumber, refuse) : changes;
						return { ...where, record };
					}),
			async run(input, api) {
				const path = pathTo(TOOL, input);
				const read = async () => toolConfigIn(await api.get(path)) as JsonObject;
				return await api.alone(path, async () =>
					plainTool(await api.change('PATCH', path, await patchBody(input, read))),
				);
			},
			hints: () => NO_TOOL,
		}),
	},
};
