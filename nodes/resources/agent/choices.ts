import { titled } from '../../words';

// What the fields of an agent may be: value in the API → display name. Reference: "Agent update".

export const AGENT_TYPE = titled('inbound', 'outbound', 'meta');

/** Conversation style. */
export const TONE = titled('friendly', 'warm', 'professional', 'direct');
export const FORMALITY = titled('informal', 'balanced', 'formal');
export const RESPONSE_LENGTH = titled('concise', 'balanced', 'detailed');
export const PACE = titled('relaxed', 'natural', 'brisk');

/** Live conversation settings. */
export const BACKCHANNELS = titled('off', 'subtle', 'natural', 'expressive');
export const PAUSES = titled('natural', 'patient');

/** A choice that leaves a field as it is. */
export const KEEP = titled('keep');

/** What to do with the pronunciations that the agent has. Rule 4. */
export const PRONUNCIATIONS = titled('keep', 'replace', 'clear');

export const LIVE_REASONING_EFFORT = titled('low', 'medium', 'high');
export const REASONING_EFFORT = titled('none', 'high');

/** The properties that null resets; the API gives each a default of its own. Rule 2. */
export const CLEARABLE = {
	...titled('prompt_instructions', 'first_message', 'ai_provider', 'selected_voice'),
	...titled('default_language', 'supported_languages', 'conversation_style'),
	...titled(
		'live_conversation_settings',
		'live_reasoning_effort',
		'reasoning_effort',
		'beta_backend',
	),
	ai_provider: 'Model',
	selected_voice: 'Voice',
};
