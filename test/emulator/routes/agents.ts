import { notFound } from '../envelope.ts';
import { MODEL_NAMES } from '../platform.ts';
import { choice, pageOf, slice } from '../query.ts';
import type { Agent } from '../records.ts';
import { PAGE } from '../route.ts';
import type { Exchange, Route } from '../route.ts';
import type { Store } from '../store.ts';
import { updateAgent } from './agent-update.ts';

/** Section "Authentication", 5: agents:write implies agents:read. */
export const AGENT_READERS = ['agents:read', 'agents:write'];
export const AGENT_WRITERS = ['agents:write'];

const TYPE_NAMES: Record<Agent['agent_type'], string> = {
	inbound: 'Inbound calls',
	outbound: 'Outbound calls',
	meta: 'Social messages',
	whatsapp: 'WhatsApp',
};

function shownNames(agent: Agent, store: Store) {
	const model = store.models.find(({ value }) => value === agent.ai_provider);
	return {
		agent_type_display_name: TYPE_NAMES[agent.agent_type],
		ai_provider_display_name: model?.label ?? null,
	};
}

/** Section "Agent (list item)". */
function listItem(agent: Agent, store: Store) {
	const { id, name, agent_type, is_active, ai_provider, first_message } = agent;
	const { disable_first_message_interruptions, created_at, updated_at } = agent;
	const names = shownNames(agent, store);
	const item = { id, name, agent_type, is_active, ai_provider, first_message };
	return { ...item, ...names, disable_first_message_interruptions, created_at, updated_at };
}

/** Section "Agent (detail and update response)". */
function detail(agent: Agent, store: Store) {
	return {
		...agent,
		...shownNames(agent, store),
		ai_provider_model_name: MODEL_NAMES[agent.ai_provider ?? 'base'],
		voice: store.voices.find(({ id }) => id === agent.selected_voice) ?? null,
	};
}

export function agentOf({ store, params }: Exchange): Agent {
	const agent = store.agents.get(params['agent_id']!);
	if (!agent) throw notFound('agent');
	return agent;
}

/** Sections "Agent catalogue and agents" and "Agent update (PATCH body)". */
export const agentRoutes: Route[] = [
	{
		method: 'GET',
		path: '/agents/models',
		kind: 'other',
		scopes: AGENT_READERS,
		query: PAGE,
		handle: (exchange) => slice(exchange, exchange.store.models),
	},
	{
		method: 'GET',
		path: '/agents/voices',
		kind: 'other',
		scopes: AGENT_READERS,
		query: ['model_name', ...PAGE],
		handle(exchange) {
			const model = exchange.query['model_name'];
			return slice(
				exchange,
				exchange.store.voices.filter((voice) => model === undefined || voice.ai_provider === model),
			);
		},
	},
	{
		method: 'GET',
		path: '/agents/',
		kind: 'agent',
		scopes: AGENT_READERS,
		query: ['agent_type', ...PAGE],
		handle(exchange) {
			const { store, query } = exchange;
			const type = choice(query, 'agent_type', ['inbound', 'outbound', 'meta']);
			const only = type === undefined ? undefined : { field: 'agent_type', value: type };
			return pageOf(
				exchange,
				store.agents,
				{ sort: 'created_at', descending: true, only },
				(agent) => listItem(agent, store),
			);
		},
	},
	{
		method: 'GET',
		path: '/agents/{agent_id}',
		kind: 'agent',
		scopes: AGENT_READERS,
		handle: (exchange) => ({ data: detail(agentOf(exchange), exchange.store) }),
	},
	{
		method: 'PATCH',
		path: '/agents/{agent_id}',
		kind: 'agent',
		scopes: AGENT_WRITERS,
		body: true,
		handle(exchange) {
			const agent = updateAgent(agentOf(exchange), exchange.body, exchange.store);
			return { data: detail(agent, exchange.store) };
		},
	},
];
