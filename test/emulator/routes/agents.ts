import { equals, list, NEWEST_FIRST } from '../list.ts';
import type { Agent } from '../records.ts';
import { found, get, patch, type Exchange, type Route } from '../route.ts';
import { AGENT_BODY, updateAgent } from './agent-update.ts';

/** Section "Authentication", 5: agents:write implies agents:read. */
export const READS = { scopes: ['agents:read', 'agents:write'] };
export const WRITES = { scopes: ['agents:write'] };

/** Section "Agent (list item)". */
function listItem(agent: Agent, { store }: Exchange) {
	const { id, name, agent_type, is_active, ai_provider, first_message } = agent;
	const { disable_first_message_interruptions, created_at, updated_at } = agent;
	const model = store.models.find(({ value }) => value === ai_provider);
	return {
		id,
		name,
		agent_type,
		is_active,
		ai_provider,
		first_message,
		agent_type_display_name: `${agent_type} agent`,
		ai_provider_display_name: model?.label ?? null,
		disable_first_message_interruptions,
		created_at,
		updated_at,
	};
}

/** Section "Agent (detail and update response)". */
const detail = (agent: Agent, exchange: Exchange) => ({
	...agent,
	...listItem(agent, exchange),
	ai_provider_model_name: `${agent.ai_provider ?? 'base'}-1`,
	voice: exchange.store.voices.find(({ id }) => id === agent.selected_voice) ?? null,
});

export const agentOf = ({ store, params }: Exchange): Agent =>
	found(store.agents.get(params['agent_id']!), 'agent');

/** Sections "Agent catalogue and agents" and "Agent update (PATCH body)". */
export const agentRoutes: Route[] = [
	list('/agents/models', 'other', { rows: ({ store }) => store.models }, READS),
	list(
		'/agents/voices',
		'other',
		{ rows: ({ store }) => store.voices, filters: { model_name: equals('ai_provider') } },
		READS,
	),
	list<Agent>(
		'/agents/',
		'agent',
		{
			rows: ({ store }) => store.agents,
			order: NEWEST_FIRST,
			filters: { agent_type: ['inbound', 'outbound', 'meta'] },
			show: listItem,
		},
		READS,
	),
	get('/agents/{agent_id}', 'agent', (exchange) => detail(agentOf(exchange), exchange), READS),
	patch(
		'/agents/{agent_id}',
		'agent',
		(exchange) => detail(updateAgent(agentOf(exchange), exchange), exchange),
		{ ...WRITES, body: AGENT_BODY, isShown: true },
	),
];
