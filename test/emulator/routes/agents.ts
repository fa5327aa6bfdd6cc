import { MODEL_NAMES } from '../platform.ts';
import { choice, NEWEST_FIRST, onlyWith, pageOf, slice } from '../query.ts';
import type { Agent } from '../records.ts';
import { found, get, list, patch, type Exchange, type Route } from '../route.ts';
import { updateAgent } from './agent-update.ts';

/** Section "Authentication", 5: agents:write implies agents:read. */
export const READS = { scopes: ['agents:read', 'agents:write'] };
export const WRITES = { scopes: ['agents:write'] };

const TYPE_NAMES: Record<Agent['agent_type'], string> = {
	inbound: 'Inbound calls',
	outbound: 'Outbound calls',
	meta: 'Social messages',
	whatsapp: 'WhatsApp',
};

/** Section "Agent (list item)". */
function listItem(agent: Agent, { store }: Exchange) {
	const { id, name, agent_type, is_active, ai_provider, first_message } = agent;
	const { disable_first_message_interruptions, created_at, updated_at } = agent;
	const model = store.models.find(({ value }) => value === ai_provider);
	return {
		...{ id, name, agent_type, is_active, ai_provider, first_message },
		agent_type_display_name: TYPE_NAMES[agent_type],
		ai_provider_display_name: model?.label ?? null,
		...{ disable_first_message_interruptions, created_at, updated_at },
	};
}

/** Section "Agent (detail and update response)". */
const detail = (agent: Agent, exchange: Exchange) => ({
	...agent,
	...listItem(agent, exchange),
	ai_provider_model_name: MODEL_NAMES[agent.ai_provider ?? 'base'],
	voice: exchange.store.voices.find(({ id }) => id === agent.selected_voice) ?? null,
});

export const agentOf = ({ store, params }: Exchange): Agent =>
	found(store.agents.get(params['agent_id']!), 'agent');

function listAgents(exchange: Exchange) {
	const { store, query } = exchange;
	const type = choice(query, 'agent_type', ['inbound', 'outbound', 'meta']);
	const selection = { ...NEWEST_FIRST, where: [onlyWith<Agent>('agent_type', type)] };
	return pageOf(exchange, store.agents, selection, (agent) => listItem(agent, exchange));
}

function listVoices(exchange: Exchange) {
	const { store, query } = exchange;
	return slice(exchange, store.voices.filter(onlyWith('ai_provider', query['model_name'])));
}

/** Sections "Agent catalogue and agents" and "Agent update (PATCH body)". */
export const agentRoutes: Route[] = [
	list('/agents/models', 'other', [], (exchange) => slice(exchange, exchange.store.models), READS),
	list('/agents/voices', 'other', ['model_name'], listVoices, READS),
	list('/agents/', 'agent', ['agent_type'], listAgents, READS),
	get('/agents/{agent_id}', 'agent', (exchange) => detail(agentOf(exchange), exchange), READS),
	patch(
		'/agents/{agent_id}',
		'agent',
		(exchange) => detail(updateAgent(agentOf(exchange), exchange), exchange),
		// The reference shows what this answers.
		{ ...WRITES, outcome: undefined },
	),
];
