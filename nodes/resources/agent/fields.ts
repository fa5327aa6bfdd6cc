import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import { ASSUMED } from '../../domain/assumed';
import { choices, clearFields, optionalFields, picker } from '../../table/fields';
import { LANGUAGE_RULE, UUID_RULE } from '../../table/identifier';
import { jsonFields } from '../../table/record';
import {
	BACKCHANNELS,
	CLEARABLE,
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

export const agentPicker = picker({
	displayName: 'Agent',
	name: 'agent_id',
	search: 'searchAgents',
	description: 'Agent to work with',
	rule: UUID_RULE,
});

export const modelPicker = (name: string, description: string) =>
	picker({
		displayName: 'Model',
		name,
		search: 'searchModels',
		description,
		required: 'whenAdded',
		idExample: 'zeta',
	});

const languagePicker = picker({
	displayName: 'Default Language',
	name: 'default_language',
	search: 'searchLanguages',
	description: 'Language of the agent, unless the caller speaks another one that it supports',
	required: 'whenAdded',
	rule: LANGUAGE_RULE,
	idExample: 'en',
});

/** A group's values as it is added: n8n drops an empty group when another field is added. */
const defaultsOf = ({ values }: INodePropertyCollection) =>
	Object.fromEntries(values.map(({ name, default: value }) => [name, value]));

/** The choices of a field that may also stay as it is. */
const keepable = (map: Readonly<Record<string, string>>) => choices({ ...KEEP, ...map });

const style: INodePropertyCollection = {
	displayName: 'Style',
	name: 'style',
	values: [
		{
			displayName: 'Clear Custom Note',
			name: 'clear_note',
			type: 'boolean',
			default: false,
			description: 'Whether to remove the current note',
		},
		{
			displayName: 'Custom Note',
			name: 'custom_note',
			type: 'string',
			typeOptions: { rows: 3 },
			default: '',
			description:
				'The style in your own words, up to 500 characters. Leave empty to keep the current note.',
		},
		{
			displayName: 'Formality',
			name: 'formality',
			type: 'options',
			options: keepable(FORMALITY),
			default: 'keep',
			description: 'How formally the agent addresses people',
		},
		{
			displayName: 'Pace',
			name: 'pace',
			type: 'options',
			options: keepable(PACE),
			default: 'keep',
			description: 'How fast the agent speaks',
		},
		{
			displayName: 'Response Length',
			name: 'response_length',
			type: 'options',
			options: keepable(RESPONSE_LENGTH),
			default: 'keep',
			description: 'How much the agent says at a time',
		},
		{
			displayName: 'Tone',
			name: 'tone',
			type: 'options',
			options: keepable(TONE),
			default: 'keep',
			description: 'How the agent sounds',
		},
	],
};

const conversationStyle: INodeProperties = {
	displayName: 'Conversation Style',
	name: 'conversation_style',
	type: 'fixedCollection',
	// Without this n8n 1 drops a group that holds nothing but defaults.
	typeOptions: { multipleValues: false },
	default: { style: defaultsOf(style) },
	placeholder: 'Set style',
	description: 'How the agent talks. A choice set to Keep stays as it is.',
	options: [style],
};

const settings: INodePropertyCollection = {
	displayName: 'Settings',
	name: 'settings',
	values: [
		{
			displayName: 'Backchannels',
			name: 'backchannels',
			type: 'options',
			options: keepable(BACKCHANNELS),
			default: 'keep',
			description: 'How often the agent shows that it is listening, such as with a short "mhm"',
		},
		{
			displayName: 'Pauses',
			name: 'pauses',
			type: 'options',
			options: keepable(PAUSES),
			default: 'keep',
			description: 'How long the agent waits before it takes its turn',
		},
		{
			displayName: 'Pronunciation List',
			name: 'pronunciation_list',
			type: 'options',
			options: choices(PRONUNCIATIONS, {
				keep: 'Keep the current pronunciations',
				replace: 'Replace all pronunciations with the ones below',
				clear: 'Remove all pronunciations',
			}),
			default: 'keep',
			description: 'What to do with the pronunciations that the agent has now',
		},
		{
			displayName: 'Pronunciations',
			name: 'pronunciations',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			default: {},
			placeholder: 'Add pronunciation',
			description: "Up to 20 words and how to say them. Used if 'Pronunciation List' is Replace.",
			options: [
				{
					displayName: 'Pronunciation',
					name: 'pronunciation',
					values: [
						{
							displayName: 'Term',
							name: 'term',
							type: 'string',
							default: '',
							description: 'The word as it is written, 1 to 60 characters',
						},
						{
							displayName: 'Say As',
							name: 'say_as',
							type: 'string',
							default: '',
							description: 'How to pronounce the word, spelled as it sounds, 1 to 120 characters',
						},
					],
				},
			],
		},
	],
};

const liveConversationSettings: INodeProperties = {
	displayName: 'Live Conversation Settings',
	name: 'live_conversation_settings',
	type: 'fixedCollection',
	typeOptions: { multipleValues: false },
	default: { settings: defaultsOf(settings) },
	placeholder: 'Set live conversation',
	description:
		'How the live voice model listens, pauses and pronounces words. A choice set to Keep stays as it is.',
	options: [settings],
};

const byFields = { displayOptions: { show: { specifyFields: ['fields'] } } };

export const updateFields: INodeProperties = {
	...optionalFields('Update Fields', 'updateFields', 'Add field', [
		picker({
			displayName: 'Beta Backend',
			name: 'beta_backend',
			search: 'searchBackends',
			description: 'Backend of the model beta. Other models ignore it.',
			required: 'whenAdded',
			typedAs: 'By Value',
			idExample: 'backend_studio',
			dependsOn: ['agent_id.value', 'options.backendField.value'],
		}),
		conversationStyle,
		languagePicker,
		{
			displayName: 'First Message',
			name: 'first_message',
			type: 'string',
			typeOptions: { rows: 3 },
			default: '',
			description:
				'What the agent says first, up to 1000 characters. Empty clears it, and the agent opens the conversation on its own. As a tool of an AI agent, empty leaves it unchanged.',
		},
		liveConversationSettings,
		{
			displayName: 'Live Reasoning Effort',
			name: 'live_reasoning_effort',
			type: 'options',
			options: choices(LIVE_REASONING_EFFORT),
			default: 'medium',
			description:
				'How much the live voice model thinks before it answers. Other models ignore it.',
		},
		modelPicker('ai_provider', 'The voice model, such as base, beta or zeta'),
		{
			displayName: 'Prompt Instructions',
			name: 'prompt_instructions',
			type: 'string',
			typeOptions: { rows: 8 },
			default: '',
			description:
				'What the agent is told to do, up to 20,000 characters. Empty clears it and restores the default prompt. As a tool of an AI agent, empty leaves it unchanged.',
		},
		{
			displayName: 'Reasoning Effort',
			name: 'reasoning_effort',
			type: 'options',
			options: choices(REASONING_EFFORT),
			default: 'none',
			description:
				'How much the model thinks before it answers. Used by the model of one provider only.',
		},
		{
			displayName: 'Supported Language Names or IDs',
			name: 'supported_languages',
			type: 'multiOptions',
			typeOptions: { loadOptionsMethod: 'getLanguages' },
			default: [],
			description:
				'Languages the agent may switch to. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		},
		picker({
			displayName: 'Voice',
			name: 'selected_voice',
			search: 'searchVoices',
			description:
				"Voice of the agent. The list shows the voices of the model chosen here, or of the agent's current model.",
			required: 'whenAdded',
			rule: UUID_RULE,
			dependsOn: ['agent_id.value', 'updateFields.ai_provider.value'],
		}),
	]),
	...byFields,
};

export const clearAgentFields: INodeProperties = { ...clearFields(CLEARABLE), ...byFields };

export const jsonSettings = jsonFields(
	"Settings as a JSON object, with their names in the API. 'Agent: Get' with 'Settings Only' returns such an object. Null clears a setting. A setting that is left out stays as it is.",
);

const backendField = picker({
	displayName: 'Beta Backend Field',
	name: 'backendField',
	search: 'searchBackendFields',
	description: `Advanced: name of the field that holds the 'Beta Backend' in your API. Defaults to ${ASSUMED.backendField}.`,
	required: 'whenAdded',
	typedAs: 'By Name',
	idExample: ASSUMED.backendField,
	dependsOn: ['agent_id.value'],
});

export const getOptions = optionalFields('Options', 'options', 'Add option', [
	backendField,
	{
		displayName: 'Settings Only',
		name: 'settingsOnly',
		type: 'boolean',
		default: false,
		description:
			"Whether to return only the settings that 'Update' takes, ready for its 'JSON'. A setting without a value is null, and clears the same setting of the agent that you copy it to.",
	},
]);

export const updateOptions = optionalFields('Options', 'options', 'Add option', [
	backendField,
	{
		displayName: 'Dry Run',
		name: 'dryRun',
		type: 'boolean',
		default: false,
		description:
			'Whether to only return each field with its value before and after the update, and change nothing',
	},
]);
