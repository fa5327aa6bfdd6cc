import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import { choices, clearFields, optionalFields, picker } from '../../table/fields';
import { LANGUAGE_RULE, UUID_RULE } from '../../table/identifier';
import {
	BACKCHANNELS,
	BETA_BACKEND,
	CLEARABLE,
	FORMALITY,
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

const style: INodePropertyCollection = {
	displayName: 'Style',
	name: 'style',
	values: [
		{
			displayName: 'Custom Note',
			name: 'custom_note',
			type: 'string',
			typeOptions: { rows: 3 },
			default: '',
			description: 'The style in your own words, up to 500 characters',
		},
		{
			displayName: 'Formality',
			name: 'formality',
			type: 'options',
			options: choices(FORMALITY),
			default: 'balanced',
			description: 'How formally the agent addresses people',
		},
		{
			displayName: 'Pace',
			name: 'pace',
			type: 'options',
			options: choices(PACE),
			default: 'natural',
			description: 'How fast the agent speaks',
		},
		{
			displayName: 'Response Length',
			name: 'response_length',
			type: 'options',
			options: choices(RESPONSE_LENGTH),
			default: 'balanced',
			description: 'How much the agent says at a time',
		},
		{
			displayName: 'Tone',
			name: 'tone',
			type: 'options',
			options: choices(TONE),
			default: 'friendly',
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
	description: 'How the agent talks. This replaces the whole style.',
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
			options: choices(BACKCHANNELS),
			default: 'natural',
			description: 'How often the agent shows that it is listening, such as with a short "mhm"',
		},
		{
			displayName: 'Pauses',
			name: 'pauses',
			type: 'options',
			options: choices(PAUSES),
			default: 'natural',
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
	description: 'How the live voice model listens, pauses and pronounces words',
	options: [settings],
};

export const updateFields: INodeProperties = optionalFields(
	'Update Fields',
	'updateFields',
	'Add field',
	[
		{
			displayName: 'Beta Backend',
			name: 'beta_backend',
			type: 'options',
			options: choices(BETA_BACKEND, {
				backend_primary: 'The default: data stays in the region, best phone transcription',
				backend_studio: 'The newer model',
			}),
			default: 'backend_primary',
			description: 'Backend of the model beta. Other models ignore it.',
		},
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
	],
);

export const clearAgentFields = clearFields(CLEARABLE);
