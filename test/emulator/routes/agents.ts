import {
	filled,
	isBlank,
	language,
	listOf,
	nullable,
	object,
	oneOf,
	text,
	uuid,
} from '../checks.ts';
import type { Rule, Rules } from '../checks.ts';
import { invalid } from '../envelope.ts';
import { equals, list, NEWEST_FIRST } from '../list.ts';
import type { Agent } from '../records.ts';
import { found, get, patch, type Exchange, type Route } from '../route.ts';
import { iso } from '../time.ts';

/** Section "Authentication", 5: agents:write implies agents:read. */
export const READS = { scopes: ['agents:read', 'agents:write'] };
export const WRITES = { scopes: ['agents:write'] };

/** Section "Agent (list item)". */
function listItem(agent: Agent, { store }: Exchange) {
	const { id, name, agent_type, is_active, ai_provider, first_message } = agent;
	const { disable_first_message_interruptions, created_at, updated_at } = agent;
	const model = store.models.find(({ value }) => value === ai_provider);
	return {
		...{ id, name, agent_type, is_active, ai_provider, first_message },
		agent_type_display_name: `${agent_type} agent`,
		ai_provider_display_name: model?.label ?? null,
		...{ disable_first_message_interruptions, created_at, updated_at },
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

/** Section "Agent update (PATCH body)", rule 3: a blank string clears these texts, and is refused of others. */
const clearable: Rule = (value, name) => {
	const kept = nullable(text)(value, name);
	return typeof kept === 'string' && isBlank(kept) ? null : kept;
};

/** Section "Conversation style". */
const STYLE = {
	tone: oneOf('friendly', 'warm', 'professional', 'direct'),
	formality: oneOf('informal', 'balanced', 'formal'),
	response_length: oneOf('concise', 'balanced', 'detailed'),
	pace: oneOf('relaxed', 'natural', 'brisk'),
};

/** Section "Live conversation settings". */
const LIVE = {
	backchannels: oneOf('off', 'subtle', 'natural', 'expressive'),
	pauses: oneOf('natural', 'patient'),
};
const SPELLING = { term: filled, say_as: filled };
const pronunciations = nullable(listOf(object(SPELLING, Object.keys(SPELLING))));

/** Section "Agent update (PATCH body)", the table. */
const BODY: Rules = {
	prompt_instructions: clearable,
	first_message: clearable,
	ai_provider: nullable(filled),
	selected_voice: nullable(uuid),
	default_language: nullable(language),
	supported_languages: nullable(listOf(language)),
	conversation_style: nullable(object({ ...STYLE, custom_note: text }, Object.keys(STYLE))),
	live_conversation_settings: nullable(object({ ...LIVE, pronunciations }, Object.keys(LIVE))),
	live_reasoning_effort: (value, name) => oneOf('low', 'medium', 'high')(value ?? 'medium', name),
	reasoning_effort: nullable(oneOf('none', 'high')),
	// The two values of the reference are neutral words.
	beta_backend: nullable(filled),
};

/** Section "Agent update (PATCH body)", the rules. */
function update(exchange: Exchange): Agent {
	const { body, store } = exchange;
	const agent = agentOf(exchange);
	const changes = body as Partial<Agent>;
	const { live_conversation_settings: sent, selected_voice: voice, ai_provider: model } = changes;
	if (model && !store.models.some(({ value, disabled }) => value === model && !disabled))
		throw invalid(`ai_provider ${model} is not available to the organization`);
	if (voice && !store.voices.some(({ id }) => id === voice))
		throw invalid(`selected_voice ${voice} is unknown`);
	// Rule 4: without pronunciations, or with null, the current list stays. An empty list clears it.
	const current = agent.live_conversation_settings?.pronunciations ?? null;
	const live = sent && { ...sent, pronunciations: sent.pronunciations ?? current };
	const isSent = sent !== undefined && { live_conversation_settings: live };
	return store.agents.change(agent.id, { ...changes, ...isSent, updated_at: iso(store.now()) });
}

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
	patch('/agents/{agent_id}', 'agent', (exchange) => detail(update(exchange), exchange), {
		...WRITES,
		body: BODY,
		isShown: true,
	}),
];
