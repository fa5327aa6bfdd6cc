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
		reasoning: {
			field: 'reasoning_effort',
			model: 'beta-2',
			levels: ['none', 'high'],
			default: 'none',
			delegated: false,
		},
		capabilities: { backend: 'beta_backend' },
	},
	{
		value: 'zeta',
		label: 'Zeta',
		description: 'Live voice model',
		disabled: false,
		reasoning: {
			field: 'live_reasoning_effort',
			model: 'zeta-live-1',
			levels: ['low', 'medium', 'high'],
			default: 'medium',
			delegated: true,
		},
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
