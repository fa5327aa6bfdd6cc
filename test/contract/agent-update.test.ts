import type { INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startEmulator, type Emulator } from '../emulator/index.ts';
import { runNode } from '../support/harness.ts';
import { locator } from '../support/samples.ts';

let emulator: Emulator;
let agentId: string;

beforeAll(async () => {
	emulator = await startEmulator();
	agentId = emulator.store.agents.find(({ ai_provider: model }) => model === 'zeta')!.id;
});
beforeEach(() => emulator.reset());
afterAll(async () => await emulator.close());

async function update(parameters: INodeParameters, item = {}) {
	return await runNode({
		parameters: {
			resource: 'agent',
			operation: 'update',
			agent_id: locator(agentId),
			...parameters,
		},
		credentials: { ykVoiceApi: { apiKey: emulator.keys.all, baseUrl: emulator.url } },
		items: [{ json: item }],
	});
}

/** A value that an expression gives: what is typed, n8n's editor refuses by itself. */
const given = (value: string, mode = 'id') => locator(`={{ ${JSON.stringify(value)} }}`, mode);

const bodies = () =>
	emulator.requests.filter(({ method }) => method === 'PATCH').map(({ body }) => body);

async function expectSent(parameters: INodeParameters, body: object, item = {}) {
	const { error } = await update(parameters, item);
	expect([error?.message, error?.description]).toEqual([undefined, undefined]);
	expect(bodies()).toEqual([body]);
}

async function expectRefused(parameters: INodeParameters, complaint: RegExp, item = {}) {
	const { error } = await update(parameters, item);
	expect(error?.message).toMatch(complaint);
	expect(error?.message).toMatch(/^Agent: Update: /);
	expect(error?.description).toMatch(/Nothing was sent/);
	expect(error?.context?.itemIndex).toBe(0);
	expect(emulator.requests).toEqual([]);
}

/** A parameter of the update, alone. */
const set = (name: string, value: unknown) =>
	({ updateFields: { [name]: value } }) as INodeParameters;

const EMOJI = '😀';

const STYLE = {
	tone: 'warm',
	formality: 'formal',
	response_length: 'concise',
	pace: 'brisk',
	custom_note: '',
};
const LIVE = { backchannels: 'subtle', pauses: 'patient' };

const style = (rest: object = {}) => set('conversation_style', { style: { ...STYLE, ...rest } });

const live = (pronunciation_list?: string, pronunciation?: object[], rest: object = {}) =>
	set('live_conversation_settings', {
		settings: {
			...LIVE,
			...(pronunciation_list && { pronunciation_list }),
			...(pronunciation && { pronunciations: { pronunciation } }),
			...rest,
		},
	});

const words = (count: number) =>
	Array.from({ length: count }, (_, at) => ({ term: `term ${at}`, say_as: `say ${at}` }));

const CLEARABLE = [
	'prompt_instructions',
	'first_message',
	'ai_provider',
	'selected_voice',
	'default_language',
	'supported_languages',
	'conversation_style',
	'live_conversation_settings',
	'live_reasoning_effort',
	'reasoning_effort',
	'beta_backend',
];

const ENUMS: Array<
	[
		field: string,
		label: string,
		values: string[],
		of: (value: unknown) => INodeParameters,
		sent: (value: string) => object,
	]
> = [
	['live_reasoning_effort', 'Live Reasoning Effort', ['low', 'medium', 'high']],
	['reasoning_effort', 'Reasoning Effort', ['none', 'high']],
	['beta_backend', 'Beta Backend', ['backend_primary', 'backend_studio']],
].map(([field, label, values]) => [
	field as string,
	label as string,
	values as string[],
	(value) => set(field as string, value),
	(value) => ({ [field as string]: value }),
]);
for (const [field, label, values] of [
	['tone', 'Tone', ['friendly', 'warm', 'professional', 'direct']],
	['formality', 'Formality', ['informal', 'balanced', 'formal']],
	['response_length', 'Response Length', ['concise', 'balanced', 'detailed']],
	['pace', 'Pace', ['relaxed', 'natural', 'brisk']],
] as Array<[string, string, string[]]>) {
	ENUMS.push([
		field,
		`Conversation Style → ${label}`,
		values,
		(value) => style({ [field]: value }),
		(value) => ({ conversation_style: { ...STYLE, [field]: value } }),
	]);
}
for (const [field, label, values] of [
	['backchannels', 'Backchannels', ['off', 'subtle', 'natural', 'expressive']],
	['pauses', 'Pauses', ['natural', 'patient']],
] as Array<[string, string, string[]]>) {
	ENUMS.push([
		field,
		`Live Conversation Settings → ${label}`,
		values,
		(value) => live(undefined, undefined, { [field]: value }),
		(value) => ({ live_conversation_settings: { ...LIVE, [field]: value } }),
	]);
}

describe.each(ENUMS)('%s', (_field, label, values, parameters, body) => {
	test.each(values)('%s is sent', async (value) => {
		await expectSent(parameters(value), body(value));
	});

	test.each(['', 'other', '__proto__', 'constructor', 5, false])('%j is refused', async (value) => {
		await expectRefused(parameters(value), new RegExp(`'Update Fields → ${label}' must be`));
	});

	test.each(['={{ undefined }}', '={{ null }}', '={{ $json.nothing }}'])(
		'%s is refused',
		async (value) => {
			await expectRefused(parameters(value), new RegExp(`'Update Fields → ${label}' has no value`));
		},
	);
});

describe('sent', () => {
	test.each<[what: string, parameters: INodeParameters, body: object]>([
		['one property', set('first_message', 'Hello'), { first_message: 'Hello' }],
		[
			'text as it is',
			set('prompt_instructions', '  Be\nbrief. '),
			{ prompt_instructions: '  Be\nbrief. ' },
		],
		[
			'20,000 characters',
			set('prompt_instructions', EMOJI.repeat(20_000)),
			{ prompt_instructions: EMOJI.repeat(20_000) },
		],
		[
			'1,000 characters',
			set('first_message', EMOJI.repeat(1000)),
			{ first_message: EMOJI.repeat(1000) },
		],
		['a blank prompt', set('prompt_instructions', ''), { prompt_instructions: '' }],
		['a first message of spaces', set('first_message', ' \n '), { first_message: ' \n ' }],
		['a model', set('ai_provider', locator('zeta')), { ai_provider: 'zeta' }],
		['a model from the list', set('ai_provider', locator('zeta', 'list')), { ai_provider: 'zeta' }],
		['a language', set('default_language', locator('it')), { default_language: 'it' }],
		[
			'a language written otherwise',
			set('default_language', locator(' IT')),
			{ default_language: 'it' },
		],
		['languages', set('supported_languages', ['en', 'it']), { supported_languages: ['en', 'it'] }],
		[
			'a note of 500 characters',
			style({ custom_note: EMOJI.repeat(500) }),
			{ conversation_style: { ...STYLE, custom_note: EMOJI.repeat(500) } },
		],
		['live settings, pronunciations kept', live('keep'), { live_conversation_settings: LIVE }],
		['live settings, no word of pronunciations', live(), { live_conversation_settings: LIVE }],
		[
			'pronunciations cleared',
			live('clear'),
			{ live_conversation_settings: { ...LIVE, pronunciations: [] } },
		],
		[
			'20 pronunciations',
			live('replace', words(20)),
			{ live_conversation_settings: { ...LIVE, pronunciations: words(20) } },
		],
		[
			'the longest pronunciation',
			live('replace', [{ term: EMOJI.repeat(60), say_as: EMOJI.repeat(120) }]),
			{
				live_conversation_settings: {
					...LIVE,
					pronunciations: [{ term: EMOJI.repeat(60), say_as: EMOJI.repeat(120) }],
				},
			},
		],
		[
			'some set, others cleared',
			{
				updateFields: { first_message: 'Hi', reasoning_effort: 'none' },
				clearFields: ['beta_backend', 'ai_provider'],
			},
			{ first_message: 'Hi', reasoning_effort: 'none', beta_backend: null, ai_provider: null },
		],
		[
			'all eleven cleared',
			{ clearFields: CLEARABLE },
			Object.fromEntries(CLEARABLE.map((name) => [name, null])),
		],
		...CLEARABLE.map((name): [string, INodeParameters, object] => [
			`null for ${name}`,
			{ clearFields: [name] },
			{ [name]: null },
		]),
	])('%s', async (_what, parameters, body) => {
		await expectSent(parameters, body);
	});

	test('a voice by its id', async () => {
		const voice = emulator.store.voices.find(({ ai_provider: model }) => model === 'zeta')!.id;
		await expectSent(set('selected_voice', locator(voice)), { selected_voice: voice });
	});

	test.each<[what: string, parameters: INodeParameters, body: object]>([
		['a text', set('first_message', '=Hello {{ $json.name }}'), { first_message: 'Hello Ann' }],
		['a blank', set('first_message', '={{ $json.blank }}'), { first_message: '' }],
		[
			'a list',
			set('supported_languages', '={{ $json.codes }}'),
			{ supported_languages: ['en', 'it'] },
		],
		[
			'a list as text',
			set('supported_languages', '={{ $json.text }}'),
			{ supported_languages: ['en', 'it'] },
		],
		['fields to clear', { clearFields: '={{ $json.clear }}' }, { ai_provider: null }],
		[
			'fields to clear as text',
			{ clearFields: '={{ "ai_provider, first_message" }}' },
			{ ai_provider: null, first_message: null },
		],
		[
			'an entry of a list',
			set('supported_languages', ['en', '={{ $json.codes[1] }}']),
			{ supported_languages: ['en', 'it'] },
		],
		[
			'a style',
			style({ tone: '={{ $json.tone }}' }),
			{ conversation_style: { ...STYLE, tone: 'direct' } },
		],
		['a model', set('ai_provider', locator('={{ $json.model }}')), { ai_provider: 'zeta' }],
	])('%s by expression', async (_what, parameters, body) => {
		const item = {
			name: 'Ann',
			blank: '',
			codes: ['en', 'it'],
			text: 'en, it',
			clear: ['ai_provider'],
			tone: 'direct',
			model: 'zeta',
		};
		await expectSent(parameters, body, item);
	});
});

describe('refused before anything is sent', () => {
	test.each<[what: string, parameters: INodeParameters, complaint: RegExp]>([
		['nothing to update', {}, /Nothing to update/],
		['nothing set, nothing cleared', { updateFields: {}, clearFields: [] }, /Nothing to update/],
		[
			'20,001 characters',
			set('prompt_instructions', EMOJI.repeat(20_001)),
			/Prompt Instructions.*at most 20000/,
		],
		[
			'1,001 characters',
			set('first_message', `${EMOJI.repeat(1000)}a`),
			/First Message.*at most 1000/,
		],
		['text that is none', set('first_message', '={{ 42 }}'), /First Message' must be text/],
		[
			'text that is a list',
			set('prompt_instructions', '={{ ["a"] }}'),
			/Prompt Instructions' must be text/,
		],
		['a blank model', set('ai_provider', given('')), /Model' is empty: choose a model/],
		[
			'a blank model from the list',
			set('ai_provider', given('  ', 'list')),
			/Model' is empty: choose a model/,
		],
		['a blank voice', set('selected_voice', given('')), /Voice' is empty: choose a voice/],
		['a voice that is no UUID', set('selected_voice', given('alba')), /Voice' must be a UUID/],
		[
			'a blank language',
			set('default_language', given('')),
			/Default Language' is empty: choose a default language/,
		],
		[
			'a language by name',
			set('default_language', given('english')),
			/Default Language' must be a language code/,
		],
		[
			'a language with region',
			set('default_language', given('en-US')),
			/Default Language' must be a language code/,
		],
		[
			'no language',
			set('default_language', locator('xx')),
			/Default Language' must be a language code/,
		],
		[
			'no languages',
			set('supported_languages', []),
			/Supported Language Names or IDs' must name at least one/,
		],
		[
			'a wrong one among languages',
			set('supported_languages', ['en', 'xx']),
			/Supported Language Names or IDs → entry 2' must be a language code/,
		],
		[
			'an empty one among languages',
			set('supported_languages', ['en', '']),
			/Supported Language Names or IDs → entry 2' /,
		],
		['an empty style', set('conversation_style', {}), /Conversation Style' is required/],
		[
			'a note of 501 characters',
			style({ custom_note: `${EMOJI.repeat(500)}a` }),
			/Conversation Style → Custom Note' must have at most 500/,
		],
		[
			'empty live settings',
			set('live_conversation_settings', {}),
			/Live Conversation Settings' is required/,
		],
		['21 pronunciations', live('replace', words(21)), /Pronunciations' must have at most 20/],
		[
			'a term of 61 characters',
			live('replace', [{ term: `${EMOJI.repeat(60)}a`, say_as: 'a' }]),
			/Pronunciations → entry 1 → Term' must have at most 60/,
		],
		[
			'say as of 121 characters',
			live('replace', [...words(1), { term: 'a', say_as: `${EMOJI.repeat(120)}a` }]),
			/Pronunciations → entry 2 → Say As' must have at most 120/,
		],
		[
			'a blank term',
			live('replace', [{ term: '', say_as: 'a' }]),
			/entry 1 → Term' must not be blank/,
		],
		[
			'a blank say as',
			live('replace', [{ term: 'a', say_as: ' ' }]),
			/entry 1 → Say As' must not be blank/,
		],
		['nothing to replace with', live('replace'), /Pronunciations' must have at least one entry/],
		[
			'an empty list to replace with',
			live('replace', []),
			/Pronunciations' must have at least one entry/,
		],
		[
			'pronunciations while they are kept',
			live('keep', words(1)),
			/Pronunciations' must be empty while Pronunciation List is Keep/,
		],
		[
			'pronunciations while they are cleared',
			live('clear', words(1)),
			/Pronunciations' must be empty while Pronunciation List is Clear/,
		],
		[
			'another thing to do with pronunciations',
			live('merge'),
			/Pronunciation List' must be one of: keep, replace, clear/,
		],
		[
			'one set and cleared',
			{
				updateFields: { first_message: 'Hi', beta_backend: 'backend_primary' },
				clearFields: ['first_message'],
			},
			/First Message' is both set and cleared/,
		],
		[
			'clearing what cannot be cleared',
			{ clearFields: ['name'] },
			/Clear Fields → entry 1' must be one of/,
		],
		[
			'clearing a prototype’s key',
			{ clearFields: ['__proto__'] },
			/Clear Fields → entry 1' must be one of/,
		],
		[
			'no agent',
			{ agent_id: given(''), ...set('first_message', 'Hi') },
			/'Agent' is empty: choose an agent/,
		],
		[
			'an agent that is no UUID',
			{ agent_id: given('../models'), ...set('first_message', 'Hi') },
			/'Agent' must be a UUID/,
		],
	])('%s', async (_what, parameters, complaint) => {
		await expectRefused(parameters, complaint);
	});

	test.each<[label: string, parameters: INodeParameters]>([
		['First Message', set('first_message', '={{ undefined }}')],
		['Prompt Instructions', set('prompt_instructions', '={{ $json.nothing }}')],
		['Prompt Instructions', set('prompt_instructions', '={{ null }}')],
		['Supported Language Names or IDs', set('supported_languages', '={{ undefined }}')],
		['Supported Language Names or IDs', set('supported_languages', ['en', '={{ undefined }}'])],
		['Model', set('ai_provider', locator('={{ undefined }}'))],
		['Voice', set('selected_voice', locator('={{ $json.nothing }}'))],
		['Default Language', set('default_language', locator('={{ null }}'))],
		['Conversation Style → Custom Note', style({ custom_note: '={{ undefined }}' })],
		['Pronunciations → Term', live('replace', [{ term: '={{ undefined }}', say_as: 'a' }])],
		['Clear Fields', { ...set('first_message', 'Hi'), clearFields: '={{ undefined }}' }],
		['Agent', { agent_id: locator('={{ undefined }}'), ...set('first_message', 'Hi') }],
	])('%s by an expression that gives nothing', async (label, parameters) => {
		await expectRefused(
			parameters,
			new RegExp(
				`${label}' (has no value|is required|must)|${label} → entry 2' (has no value|is required)`,
			),
		);
	});

	// n8n drops what the node does not declare, so nothing is left of this.
	test('a read-only field', async () => {
		await expectRefused(set('agent_type', 'outbound'), /Nothing to update/);
	});
});

describe('what the account holds afterwards', () => {
	test('a blank clears the prompt', async () => {
		await update(set('prompt_instructions', ' '));
		expect(emulator.store.agents.get(agentId)?.prompt_instructions).toBeNull();
	});

	test('pronunciations are kept, replaced and cleared', async () => {
		const held = () =>
			emulator.store.agents.get(agentId)?.live_conversation_settings?.pronunciations;
		await update(live('replace', words(2)));
		expect(held()).toEqual(words(2));
		await update(live('keep'));
		expect(held()).toEqual(words(2));
		await update(live('clear'));
		expect(held()).toEqual([]);
	});
});
