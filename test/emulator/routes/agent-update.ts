import { isBlank, language, listOf, nullable, object, oneOf, text, uuid } from '../checks.ts';
import type { Rule, Rules } from '../checks.ts';
import { invalid } from '../envelope.ts';
import type { Agent } from '../records.ts';
import type { Exchange } from '../route.ts';
import type { Store } from '../store.ts';
import { iso } from '../time.ts';

/** Rule 3: a blank string clears these texts, and only these. */
function clearable(max: number): Rule {
	const limited = nullable(text({ max }));
	return (value, name) => {
		const kept = limited(value, name);
		return typeof kept === 'string' && isBlank(kept) ? null : kept;
	};
}

/** Section "Conversation style". */
const style = object(
	{
		tone: oneOf('friendly', 'warm', 'professional', 'direct'),
		formality: oneOf('informal', 'balanced', 'formal'),
		response_length: oneOf('concise', 'balanced', 'detailed'),
		pace: oneOf('relaxed', 'natural', 'brisk'),
		custom_note: text({ max: 500 }),
	},
	['tone', 'formality', 'response_length', 'pace'],
);

const spelling = { term: text({ min: 1, max: 60 }), say_as: text({ min: 1, max: 120 }) };

/** Section "Live conversation settings". */
const live = object(
	{
		backchannels: oneOf('off', 'subtle', 'natural', 'expressive'),
		pauses: oneOf('natural', 'patient'),
		pronunciations: nullable(listOf(object(spelling, Object.keys(spelling)), 20)),
	},
	['backchannels', 'pauses'],
);

/** Section "Agent update (PATCH body)", the table. */
export const AGENT_BODY: Rules = {
	prompt_instructions: clearable(20_000),
	first_message: clearable(1_000),
	ai_provider: nullable(text({ min: 1 })),
	selected_voice: nullable(uuid),
	default_language: nullable(language),
	supported_languages: nullable(listOf(language)),
	conversation_style: nullable((value, name) => ({
		custom_note: '',
		...(style(value, name) as object),
	})),
	live_conversation_settings: nullable(live),
	live_reasoning_effort: (value, name) =>
		value === null ? 'medium' : oneOf('low', 'medium', 'high')(value, name),
	reasoning_effort: nullable(oneOf('none', 'high')),
	// The two values of the reference are neutral words.
	beta_backend: nullable(text({ min: 1 })),
};

/** Rule 6, and "availability is validated" of ai_provider. */
function checkModelAndVoice(changes: Partial<Agent>, agent: Agent, store: Store): void {
	if (changes.ai_provider === undefined && changes.selected_voice === undefined) return;
	const { ai_provider, selected_voice } = { ...agent, ...changes };
	const model = store.models.find(({ value }) => value === ai_provider);
	if (ai_provider !== null && (!model || model.disabled))
		throw invalid(`ai_provider ${ai_provider} is not available to the organization`);
	const voice = store.voices.find(({ id }) => id === selected_voice);
	if (selected_voice === null) return;
	if (!voice) throw invalid(`selected_voice ${selected_voice} is unknown`);
	if (ai_provider !== null && voice.ai_provider !== ai_provider)
		throw invalid(
			`selected_voice belongs to ${voice.ai_provider}, which is not compatible with ${ai_provider}`,
		);
}

/** Section "Agent update (PATCH body)", the rules. */
export function updateAgent(agent: Agent, { body, store }: Exchange): Agent {
	const changes = body as Partial<Agent>;
	checkModelAndVoice(changes, agent, store);
	const { live_conversation_settings: sent } = changes;
	// Rule 4: without pronunciations, or with null, the current list stays. An empty list clears it.
	const current = agent.live_conversation_settings?.pronunciations ?? null;
	const live = sent && { ...sent, pronunciations: sent.pronunciations ?? current };
	const isSent = sent !== undefined && { live_conversation_settings: live };
	return store.agents.change(agent.id, { ...changes, ...isSent, updated_at: iso(store.now()) });
}
