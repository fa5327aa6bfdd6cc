/** How deep a model may think: a part of section "Model". */
const reasoning = (field: string, model: string, levels: string[], level: string) => ({
	field,
	model,
	levels,
	default: level,
	delegated: model.includes('live'),
});

/** Section "Model": the selectors in "Agent update" and one that this organization may not use. */
export const MODELS = [
	{
		value: 'base',
		label: 'Base',
		description: 'Balanced quality for everyday calls',
		disabled: false,
		reasoning: null,
		capabilities: { speed: 'ai_speed', temperature: 'ai_temperature' },
	},
	{
		value: 'beta',
		label: 'Beta',
		description: 'Second provider, two backends',
		disabled: false,
		reasoning: reasoning('reasoning_effort', 'beta-2', ['none', 'high'], 'none'),
		capabilities: { backend: 'beta_backend' },
	},
	{
		value: 'zeta',
		label: 'Zeta',
		description: 'Live voice model',
		disabled: false,
		reasoning: reasoning(
			'live_reasoning_effort',
			'zeta-live-1',
			['low', 'medium', 'high'],
			'medium',
		),
		capabilities: { style: 'conversation_style', live: 'live_conversation_settings' },
	},
	{
		value: 'omega',
		label: 'Omega',
		description: 'Preview, not yet rolled out to this organization',
		disabled: true,
		reasoning: null,
		capabilities: {},
	},
];

export type Model = (typeof MODELS)[number];

/** The ai_provider_model_name of an agent's detail. */
export const MODEL_NAMES: Record<string, string> = {
	base: 'base-voice-4',
	beta: 'beta-2',
	zeta: 'zeta-live-1',
	omega: 'omega-0',
};

export const CALL_SUMMARY_DEFAULT_PROMPT =
	'Summarise the call in three sentences: the wish, the outcome, what is left to do.';
