import { z } from 'zod';

import { ASSUMED } from '../../domain/assumed';
import { fitting, type JsonObject } from '../../json';
import {
	lackingIn,
	isBlank,
	keptIfBlank,
	list,
	nonBlank,
	noValueFor,
	oneOf,
	textUpTo,
	trimmed,
	uuid,
	valueBehind,
	wordsFor,
	type Schema,
} from '../../table/schema';
import { optionsOf } from '../../table/common';
import { form, type Parameter, type Refuse } from '../../table/form';
import { LANGUAGE_RULE, UUID_RULE } from '../../domain/identifiers';
import {
	choice,
	entries,
	group,
	picker,
	severalLoaded,
	text,
	toggle,
	type Choices,
	type PickerSaid,
	type Said,
} from '../../table/kinds';
import { LANGUAGE_CODES } from '../../table/languages';
import {
	BACKCHANNELS,
	FORMALITY,
	KEEP,
	LIVE_REASONING_EFFORT,
	PACE,
	PAUSES,
	PRONUNCIATIONS,
	REASONING_EFFORT,
	RESPONSE_LENGTH,
	TONE,
} from './choices';
import { includeTools } from './include';

export const agentPicker = picker(
	{
		displayName: 'Agent',
		search: 'searchAgents',
		description: 'Agent to work with',
		rule: UUID_RULE,
	},
	uuid,
);

/** A setting of an agent: as a field of the node, and as a value in JSON. Reference: "Agent update". */
interface Setting<T = unknown> {
	field: Parameter<T>;
	inJson: z.ZodTypeAny;
}

type Settings = Readonly<Record<string, Setting>>;

const fieldsOf = <S extends Settings>(settings: S) =>
	Object.fromEntries(Object.entries(settings).map(([name, { field }]) => [name, field])) as {
		[Name in keyof S]: S[Name]['field'];
	};

/** The settings as a JSON object. Fields that are not known here are passed on. */
const objectOf = (settings: Settings, adapt = (inJson: z.ZodTypeAny) => inJson) =>
	z
		.object(
			Object.fromEntries(
				Object.entries(settings).map(([name, { inJson }]) => [name, adapt(inJson).optional()]),
			),
		)
		.passthrough();

/** A text that can be cleared, but not by a blank. */
const clearedText = (max: number, said: Said): Setting<string> => ({
	field: text(said, keptIfBlank(max)),
	inJson: textUpTo(max).refine((value) => !isBlank(value), {
		message: 'must not be blank: write null to clear it',
	}),
});

const chosen = (map: Choices, said: Said & { default: string }): Setting<string> => ({
	field: choice(map, said),
	inJson: oneOf(map),
});

/** A choice that may also stay as it is. */
const keepable = (map: Choices, said: Said) =>
	chosen({ ...KEEP, ...map }, { ...said, default: 'keep' });

const picked = <T>(said: PickerSaid<T>, as: Schema<T>): Setting<T> => ({
	field: picker({ ...said, required: 'whenAdded' }, as),
	inJson: as,
});

const name = trimmed(nonBlank());

export const modelPicker = (description: string): Setting<string> =>
	picked({ displayName: 'Model', search: 'searchModels', description, idExample: 'zeta' }, name);

const language = trimmed(z.string())
	.transform((code) => code.toLowerCase())
	.refine((code) => LANGUAGE_CODES.includes(code), { message: LANGUAGE_RULE.message });

/** The fields that are not kept; undefined if all are. */
function withoutKept(fields: JsonObject): JsonObject | undefined {
	const set = fitting(fields, (_name, value) => value !== undefined && value !== 'keep');
	return Object.keys(set).length > 0 ? set : undefined;
}

const STYLE = {
	tone: keepable(TONE, { displayName: 'Tone', description: 'How the agent sounds' }),
	formality: keepable(FORMALITY, {
		displayName: 'Formality',
		description: 'How formally the agent addresses people',
	}),
	response_length: keepable(RESPONSE_LENGTH, {
		displayName: 'Response Length',
		description: 'How much the agent says at a time',
	}),
	pace: keepable(PACE, { displayName: 'Pace', description: 'How fast the agent speaks' }),
	custom_note: {
		field: text(
			{
				displayName: 'Custom Note',
				typeOptions: { rows: 3 },
				description:
					'The style in your own words, up to 500 characters. Leave empty to keep the current note.',
			},
			textUpTo(500),
		),
		inJson: textUpTo(500),
	},
};

const conversationStyle: Setting = {
	field: group(
		{
			displayName: 'Conversation Style',
			placeholder: 'Set style',
			description: 'How the agent talks. A choice set to Keep stays as it is.',
		},
		{
			name: 'style',
			displayName: 'Style',
			fields: form({
				...fieldsOf(STYLE),
				clear_note: toggle({
					displayName: 'Clear Custom Note',
					description: 'Whether to remove the current note',
				}),
			}).check(({ clear_note: clears, custom_note, ...choices }, refuse) => {
				const note = custom_note.trim() === '' ? undefined : custom_note;
				if (clears && note !== undefined) refuse('is both set and cleared', 'custom_note');
				return withoutKept({ ...choices, custom_note: clears ? '' : note });
			}),
		},
	),
	inJson: objectOf(STYLE).transform(withoutKept),
};

const LIVE = {
	backchannels: keepable(BACKCHANNELS, {
		displayName: 'Backchannels',
		description: 'How often the agent shows that it is listening, such as with a short "mhm"',
	}),
	pauses: keepable(PAUSES, {
		displayName: 'Pauses',
		description: 'How long the agent waits before it takes its turn',
	}),
};

const WORD = { term: nonBlank(60), say_as: nonBlank(120) };

const MOST_WORDS = 'must have at most 20 entries';

const pronunciations = entries(
	{
		displayName: 'Pronunciations',
		placeholder: 'Add pronunciation',
		description: "Up to 20 words and how to say them. Used if 'Pronunciation List' is Replace.",
	},
	{
		name: 'pronunciation',
		displayName: 'Pronunciation',
		fields: form({
			term: text(
				{ displayName: 'Term', description: 'The word as it is written, 1 to 60 characters' },
				WORD.term,
			),
			say_as: text(
				{
					displayName: 'Say As',
					description: 'How to pronounce the word, spelled as it sounds, 1 to 120 characters',
				},
				WORD.say_as,
			),
		}),
	},
);

/** If pronunciations are left out, the agent keeps its own. An empty list clears them. Rule 4. */
const liveSettings: Setting = {
	field: group(
		{
			displayName: 'Live Conversation Settings',
			placeholder: 'Set live conversation',
			description:
				'How the live voice model listens, pauses and pronounces words. A choice set to Keep stays as it is.',
		},
		{
			name: 'settings',
			displayName: 'Settings',
			fields: form({
				...fieldsOf(LIVE),
				pronunciation_list: choice(PRONUNCIATIONS, {
					displayName: 'Pronunciation List',
					meanings: {
						keep: 'Keep the current pronunciations',
						replace: 'Replace all pronunciations with the ones below',
						clear: 'Remove all pronunciations',
					},
					default: 'keep',
					description: 'What to do with the pronunciations that the agent has now',
				}),
				pronunciations,
			}).check(({ pronunciation_list: action, pronunciations: words, ...choices }, refuse) => {
				const isRight = action === 'replace' ? words.length > 0 : words.length === 0;
				if (!isRight) refuse(WRONG_WORDS[action], 'pronunciations');
				if (words.length > 20) refuse(MOST_WORDS, 'pronunciations');
				return withoutKept({ ...choices, ...(action !== 'keep' && { pronunciations: words }) });
			}),
		},
	),
	inJson: objectOf({
		...LIVE,
		pronunciations: {
			field: pronunciations,
			inJson: z
				.array(z.object(WORD))
				.refine((words) => words.length <= 20, { message: MOST_WORDS })
				.nullable(),
		},
	}).transform(withoutKept),
};

const mustBeEmpty = (action: 'keep' | 'clear') =>
	`must be empty if 'Pronunciation List' is ${PRONUNCIATIONS[action]}; choose Replace to send them`;

const WRONG_WORDS = {
	keep: mustBeEmpty('keep'),
	clear: mustBeEmpty('clear'),
	replace:
		'must have at least one entry to replace the current ones. Choose Clear to remove them all',
};

/** The settings that an update may change. They are sent in this order. */
const SETTINGS = {
	prompt_instructions: clearedText(20_000, {
		displayName: 'Prompt Instructions',
		typeOptions: { rows: 8 },
		description:
			"What the agent is told to do, up to 20,000 characters. 'Clear Fields' restores the default prompt.",
	}),
	first_message: clearedText(1000, {
		displayName: 'First Message',
		typeOptions: { rows: 3 },
		description:
			'What the agent says first, up to 1000 characters. If it is cleared, the agent opens the conversation on its own.',
	}),
	ai_provider: modelPicker('The voice model, such as base, beta or zeta'),
	selected_voice: picked(
		{
			displayName: 'Voice',
			search: 'searchVoices',
			description:
				"Voice of the agent. The list shows the voices of the model chosen here, or of the agent's current model.",
			rule: UUID_RULE,
			dependsOn: ['agent_id.value', 'updateFields.ai_provider.value'],
		},
		uuid,
	),
	default_language: picked(
		{
			displayName: 'Default Language',
			search: 'searchLanguages',
			description: 'Language of the agent, unless the caller speaks another one that it supports',
			rule: LANGUAGE_RULE,
			idExample: 'en',
		},
		language,
	),
	supported_languages: {
		field: severalLoaded(
			{
				displayName: 'Supported Language Names or IDs',
				loadOptionsMethod: 'getLanguages',
				description:
					'Languages the agent may switch to. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
			},
			language,
			"must name at least one language; use 'Clear Fields' to reset it",
		),
		inJson: list(language),
	},
	conversation_style: conversationStyle,
	live_conversation_settings: liveSettings,
	live_reasoning_effort: chosen(LIVE_REASONING_EFFORT, {
		displayName: 'Live Reasoning Effort',
		default: 'medium',
		description: 'How much the live voice model thinks before it answers. Other models ignore it.',
	}),
	reasoning_effort: chosen(REASONING_EFFORT, {
		displayName: 'Reasoning Effort',
		default: 'none',
		description:
			'How much the model thinks before it answers. Used by the model of one provider only.',
	}),
	beta_backend: picked(
		{
			displayName: 'Beta Backend',
			search: 'searchBackends',
			description: 'Backend of the model beta. Other models ignore it.',
			typedAs: 'By Value',
			idExample: 'backend_studio',
			dependsOn: ['agent_id.value', 'options.backendField.value'],
		},
		name,
	),
};

export const settingFields = fieldsOf(SETTINGS);

/** The settings in JSON, each may be null. A mistake names the field, because it is no parameter of the node. */
export function readJsonSettings(json: JsonObject, refuse: Refuse): JsonObject {
	const refuseField = (field: string, words: string) =>
		refuse(`has a wrong value: ${field} ${words}`, 'json');
	const lacking = lackingIn(json);
	if (lacking !== undefined) refuse(noValueFor(lacking), 'json');
	const { data = json, error } = objectOf(SETTINGS, (inJson) => inJson.nullable()).safeParse(json);
	for (const issue of error?.issues ?? []) {
		refuseField(issue.path.join('.'), wordsFor(issue, valueBehind(json, issue.path)));
	}
	return data;
}

const backendField = picker(
	{
		displayName: 'Beta Backend Field',
		search: 'searchBackendFields',
		description: `Advanced: name of the field that holds the 'Beta Backend' in your API. Defaults to ${ASSUMED.backendField}.`,
		required: 'whenAdded',
		typedAs: 'By Name',
		idExample: ASSUMED.backendField,
		dependsOn: ['agent_id.value'],
	},
	name,
);

export const getOptions = optionsOf({
	backendField,
	include: includeTools,
	settingsOnly: toggle({
		displayName: 'Settings Only',
		default: true,
		description:
			"Whether to return only the settings that 'Update' takes, ready for its 'JSON'. A setting without a value is null, and clears the same setting of the agent that you copy it to.",
	}),
});

export const updateOptions = optionsOf({
	backendField,
	dryRun: toggle({
		displayName: 'Dry Run',
		default: true,
		description:
			'Whether to only return each field with its value before and after the update, and change nothing',
	}),
});
