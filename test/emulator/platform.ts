import { Random } from './random.ts';

/** Section "Model". */
export interface Model {
	value: string;
	label: string;
	description: string;
	disabled: boolean;
	reasoning: {
		field: string;
		model: string;
		levels: string[];
		default: string;
		delegated: boolean;
	} | null;
	capabilities: Record<string, string>;
}

/** The selectors in "Agent update" and one that this organization may not use. */
export const MODELS: readonly Model[] = [
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

const NAMES = 'Alba Boreas Cleo Demir Esma Faro Gaia Helio Iris Juno'.split(' ');
const GENDERS = ['female', 'male', 'neutral', null] as const;
const LANGUAGES = ['it', 'en', 'fr', 'de', 'es', null];
const GENERATIONS = ['current', 'legacy', null] as const;

/** Section "Voice": ten for each model. Each field that may be null is null in some of them. */
export const VOICES = MODELS.flatMap((model, group) => {
	const random = new Random(7_000 + group);
	return NAMES.map((name, index) => {
		const language = LANGUAGES[(index + group) % LANGUAGES.length] ?? null;
		const key = `${model.value}-${name.toLowerCase()}`;
		return {
			id: random.uuid(),
			custom_name: `${name} (${model.label})`,
			description: `${name}, a voice of ${model.label}`,
			file: {
				file_name: `${key}.mp3`,
				content_size: random.integer(40_000, 400_000),
				content_type: 'audio/mpeg',
				url: index % 5 === 4 ? null : `https://files.example.test/voices/${key}.mp3`,
			},
			ai_provider: model.value,
			provider_voice_key: index % 4 === 3 ? null : key,
			gender: GENDERS[index % GENDERS.length] ?? null,
			language_characterization: language && `native in ${language}`,
			language,
			generation: GENERATIONS[index % GENERATIONS.length] ?? null,
			recommended_for: index % 2 === 0 && language ? [language] : [],
		};
	});
});

/** The ai_provider_model_name of an agent's detail. */
export const MODEL_NAMES: Record<string, string> = {
	base: 'base-voice-4',
	beta: 'beta-2',
	zeta: 'zeta-live-1',
	omega: 'omega-0',
};

export const CALL_SUMMARY_DEFAULT_PROMPT =
	'Summarise the call in three sentences: the wish, the outcome, what is left to do.';

export type Voice = (typeof VOICES)[number];
