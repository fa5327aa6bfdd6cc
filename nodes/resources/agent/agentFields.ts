import { z } from 'zod';

import { LANGUAGE_RULE, UUID_RULE } from '../../domain/identifiers';
import { fitting, type JsonObject } from '../../json';
import { form } from '../../table/form';
import { choice, entries, group, picker, severalLoaded, text, toggle } from '../../table/kinds';
import type { PickerSaid } from '../../table/kinds';
import { LANGUAGE_CODES } from '../../table/languages';
import { keptIfBlank, nonBlank, textUpTo, trimmed, uuid, type Schema } from '../../table/schema';
import { titled } from '../../words';

export const agentPicker = picker(
	{ displayName: 'Agent', search: 'searchAgents', rule: UUID_RULE },
	uuid,
);

const keepable = (displayName: string, description: string, ...values: string[]) =>
	choice(titled('keep', ...values), { displayName, description, default: 'keep' });

const picked = <T>(display: PickerSaid<T>, as: Schema<T>) =>
	picker({ ...display, required: 'whenAdded' }, as);

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
			tone: keepable('Tone', 'How the agent sounds', 'friendly', 'warm', 'professional', 'direct'),
			formality: keepable(
				'Formality',
				'How formally the agent addresses people',
				...['informal', 'balanced', 'formal'],
			),
			response_length: keepable(
				'Response Length',
				'How much the agent says at a time',
				...['concise', 'balanced', 'detailed'],
			),
			pace: keepable('Pace', 'How fast the agent speaks', 'relaxed', 'natural', 'brisk'),
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
			backchannels: keepable(
				'Backchannels',
				'How often the agent shows that it is listening',
				...['off', 'subtle', 'natural', 'expressive'],
			),
			pauses: keepable(
				'Pauses',
				'How long the agent waits before it takes its turn',
				...['natural', 'patient'],
			),
			pronunciation_list: choice(titled('keep', 'replace', 'clear'), {
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
			from: '',
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
	live_reasoning_effort: choice(titled('low', 'medium', 'high'), {
		displayName: 'Live Reasoning Effort',
		default: 'medium',
		description: 'How much the live voice model thinks before it answers',
	}),
	reasoning_effort: choice(titled('none', 'high'), {
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
