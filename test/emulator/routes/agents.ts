import { MODEL_NAMES } from '../platform.ts';
import type { Voice } from '../voices.ts';
import { choice, NEWEST_FIRST, onlyWith, pageOf, slice } from '../query.ts';
import type { Agent } from '../records.ts';
import { found, get, list, patch } from '../route.ts';
import type { Exchange, Route } from '../route.ts';
import type { Store } from '../store.ts';
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

export const agentOf = ({ store, params }: Exchange): Agent =>
	found(store.agents.get(params['agent_id']!), 'agent');

/** Sections "Agent catalogue and agents" and "Agent update (PATCH body)". */
export const agentRoutes: Route[] = [
	list('/agents/models', 'other', [], (exchange) => slice(exchange, exchange.store.models), READS),
	list(
		'/agents/voices',
		'other',
		['model_name'],
		(exchange) => {
			const { model_name: model } = exchange.query;
			const { voices } = exchange.store;
			const isAsked = (voice: Voice) => model === undefined || voice.ai_provider === model;
			return slice(exchange, voices.filter(isAsked));
		},
		READS,
	),
	list(
		'/agents/',
		'agent',
		['agent_type'],
		(exchange) => {
			const { store, query } = exchange;
			const type = choice(query, 'agent_type', ['inbound', 'outbound', 'meta']);
			const selection = { ...NEWEST_FIRST, only: onlyWith('agent_type', type) };
			return pageOf(exchange, store.agents, selection, (agent) => listItem(agent, store));
		},
		READS,
	),
	get(
		'/agents/{agent_id}',
		'agent',
		(exchange) => detail(agentOf(exchange), exchange.store),
		READS,
	),
	patch(
		'/agents/{agent_id}',
		'agent',
		(exchange) => {
			const { body, store } = exchange;
			return detail(updateAgent(agentOf(exchange), body, store), store);
		},
		// The reference shows what this answers.
		{ ...WRITES, outcome: undefined },
	),
];
