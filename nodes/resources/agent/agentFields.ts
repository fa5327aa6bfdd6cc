import { z } from 'zod';

import { fitting, type JsonObject } from '../../json';
import {
	isBlank,
	keptIfBlank,
	lackingIn,
	nonBlank,
	noValueFor,
	textUpTo,
	trimmed,
	uuid,
	type Schema,
} from '../../table/schema';
import { dryRun, optionsOf } from '../../table/common';
import { form, type Refuse } from '../../table/form';
import { ifNotFound } from '../../table/handling';
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
		rule: UUID_RULE,
	},
	uuid,
);

/** A choice that may also stay as it is. */
const keepable = (map: Choices, said: Said) =>
	choice({ ...KEEP, ...map }, { ...said, default: 'keep' });

const picked = <T>(said: PickerSaid<T>, as: Schema<T>) =>
	picker({ ...said, required: 'whenAdded' }, as);

const name = trimmed(nonBlank());

export const modelPicker = (description: string) =>
	picked({ displayName: 'Model', search: 'searchModels', description, idExample: 'zeta' }, name);

const language = trimmed(z.string())
	.transform((code) => code.toLowerCase())
	.refine((code) => LANGUAGE_CODES.includes(code), { message: LANGUAGE_RULE.message });

/** The fields that are not kept; undefined if all are. */
function withoutKept(fields: JsonObject): JsonObject | undefined {
	const set = fitting(fields, (_name, value) => value !== undefined && value !== 'keep');
	return Object.keys(set).length > 0 ? set : undefined;
}

const conversationStyle = group(
	{
		displayName: 'Conversation Style',
		placeholder: 'Set style',
		description: 'How the agent talks. A choice set to Keep stays as it is.',
	},
	{
		name: 'style',
		displayName: 'Style',
		fields: form({
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
			custom_note: text(
				{
					displayName: 'Custom Note',
					typeOptions: { rows: 3 },
					description: 'The style in your own words. Leave empty to keep the current note.',
				},
				textUpTo(500),
			),
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
);

const pronunciations = entries(
	{
		displayName: 'Pronunciations',
		placeholder: 'Add pronunciation',
		description: 'Up to 20 words and how to say them',
	},
	{
		name: 'pronunciation',
		displayName: 'Pronunciation',
		fields: form({
			term: text(
				{ displayName: 'Term', description: 'The word as it is written, 1 to 60 characters' },
				nonBlank(60),
			),
			say_as: text(
				{
					displayName: 'Say As',
					description: 'How to pronounce the word, spelled as it sounds, 1 to 120 characters',
				},
				nonBlank(120),
			),
		}),
	},
);

/** If pronunciations are left out, the agent keeps its own. An empty list clears them. Rule 4. */
const liveSettings = group(
	{
		displayName: 'Live Conversation Settings',
		placeholder: 'Set live conversation',
		description: 'How the live voice model listens and speaks',
	},
	{
		name: 'settings',
		displayName: 'Settings',
		fields: form({
			backchannels: keepable(BACKCHANNELS, {
				displayName: 'Backchannels',
				description: 'How often the agent shows that it is listening',
			}),
			pauses: keepable(PAUSES, {
				displayName: 'Pauses',
				description: 'How long the agent waits before it takes its turn',
			}),
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
			const isReplaced = action === 'replace';
			if (isReplaced && words.length === 0) {
				refuse(
					'must have at least one entry to replace the current ones. Choose Clear to remove them all',
					'pronunciations',
				);
			}
			if (!isReplaced && words.length > 0) {
				refuse("must be empty, or choose Replace in 'Pronunciation List'", 'pronunciations');
			}
			if (words.length > 20) refuse('must have at most 20 entries', 'pronunciations');
			return withoutKept({ ...choices, ...(action !== 'keep' && { pronunciations: words }) });
		}),
	},
);

/** The settings that an update may change. They are sent in this order. Reference: "Agent update". */
export const settingFields = {
	prompt_instructions: text(
		{
			displayName: 'Prompt Instructions',
			typeOptions: { rows: 8 },
			description: "What the agent is told to do. 'Clear Fields' restores the default prompt.",
		},
		keptIfBlank(20_000),
	),
	first_message: text(
		{
			displayName: 'First Message',
			typeOptions: { rows: 3 },
			description: 'What the agent says first',
		},
		keptIfBlank(1000),
	),
	ai_provider: modelPicker('The voice model, such as base, beta or zeta'),
	selected_voice: picked(
		{
			displayName: 'Voice',
			search: 'searchVoices',
			description: 'Voice of the agent. It must belong to the model.',
			rule: UUID_RULE,
			dependsOn: ['agent_id.value', 'updateFields.ai_provider.value'],
		},
		uuid,
	),
	default_language: picked(
		{
			displayName: 'Default Language',
			search: 'searchLanguages',
			description: 'Language that the agent speaks first',
			rule: LANGUAGE_RULE,
			idExample: 'en',
		},
		language,
	),
	supported_languages: severalLoaded(
		{
			displayName: 'Supported Language Names or IDs',
			loadOptionsMethod: 'getLanguages',
			description:
				'Languages the agent may switch to. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		},
		language,
		"must name at least one language; use 'Clear Fields' to reset it",
	),
	conversation_style: conversationStyle,
	live_conversation_settings: liveSettings,
	live_reasoning_effort: choice(LIVE_REASONING_EFFORT, {
		displayName: 'Live Reasoning Effort',
		default: 'medium',
		description: 'How much the live voice model thinks before it answers',
	}),
	reasoning_effort: choice(REASONING_EFFORT, {
		displayName: 'Reasoning Effort',
		default: 'none',
		description: 'How much the model thinks before it answers',
	}),
	beta_backend: text(
		{
			displayName: 'Beta Backend',
			placeholder: 'e.g. backend_studio',
			description: 'Backend of the model beta. Other models ignore it.',
		},
		name,
	),
};

/**
 * The settings in JSON. The API checks their values. A blank text is refused, because it would clear the
 * setting, and only null says that this is meant.
 */
export function readJsonSettings(json: JsonObject, refuse: Refuse): JsonObject {
	const lacking = lackingIn(json);
	if (lacking !== undefined) refuse(noValueFor(lacking), 'json');
	for (const [field, value] of Object.entries(json)) {
		if (typeof value === 'string' && isBlank(value))
			refuse(`has a blank ${field}: write null to clear it`, 'json');
	}
	return json;
}

export const getOptions = optionsOf({
	ifNotFound,
	include: includeTools,
	settingsOnly: toggle({
		displayName: 'Settings Only',
		default: true,
		description:
			"Whether to return only the settings that 'Update' takes as JSON. A null clears that setting of another agent.",
	}),
});

export const updateOptions = optionsOf({ dryRun });
