/** What the fields of an agent may be: value in the API → display name. Reference: "Agent update". */
export const AGENT_TYPE = { inbound: 'Inbound', outbound: 'Outbound', meta: 'Meta' } as const;

/** Conversation style. */
export const TONE = {
	friendly: 'Friendly',
	warm: 'Warm',
	professional: 'Professional',
	direct: 'Direct',
} as const;

export const FORMALITY = { informal: 'Informal', balanced: 'Balanced', formal: 'Formal' } as const;

export const RESPONSE_LENGTH = {
	concise: 'Concise',
	balanced: 'Balanced',
	detailed: 'Detailed',
} as const;

export const PACE = { relaxed: 'Relaxed', natural: 'Natural', brisk: 'Brisk' } as const;

/** Live conversation settings. */
export const BACKCHANNELS = {
	off: 'Off',
	subtle: 'Subtle',
	natural: 'Natural',
	expressive: 'Expressive',
} as const;

export const PAUSES = { natural: 'Natural', patient: 'Patient' } as const;

/** A choice that leaves a field as it is. */
export const KEEP = { keep: 'Keep' } as const;

/** What to do with the pronunciations that the agent has. Rule 4. */
export const PRONUNCIATIONS = {
	keep: 'Keep',
	replace: 'Replace',
	clear: 'Clear',
} as const;

export const LIVE_REASONING_EFFORT = { low: 'Low', medium: 'Medium', high: 'High' } as const;

export const REASONING_EFFORT = { none: 'None', high: 'High' } as const;

/** The properties that null resets; the API gives each a default of its own. Rule 2. */
export const CLEARABLE = {
	prompt_instructions: 'Prompt Instructions',
	first_message: 'First Message',
	ai_provider: 'Model',
	selected_voice: 'Voice',
	default_language: 'Default Language',
	supported_languages: 'Supported Languages',
	conversation_style: 'Conversation Style',
	live_conversation_settings: 'Live Conversation Settings',
	live_reasoning_effort: 'Live Reasoning Effort',
	reasoning_effort: 'Reasoning Effort',
	beta_backend: 'Beta Backend',
} as const;
