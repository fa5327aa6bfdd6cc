import { randomUUID } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect, test } from 'vitest';

import {
	accountForAllTests,
	asJson,
	changeAccount,
	credentials,
	emulator,
	fail,
	named,
	run,
	sent,
	succeed,
} from '../support/account.ts';
import { locator } from '../support/samples.ts';

accountForAllTests();

/** The agent of the running test. */
let agentId: string;

beforeEach(() => {
	agentId = emulator.store.addAgent('inbound', { ai_provider: 'zeta' }).id;
});

const STYLE = {
	tone: 'warm',
	formality: 'formal',
	response_length: 'concise',
	pace: 'brisk',
	custom_note: 'No jokes.',
};
const LIVE = { backchannels: 'subtle', pauses: 'patient' };

/** So many characters, each of which JavaScript counts as two. */
const long = (count: number) => '😀'.repeat(count);

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

describe('Update', () => {
	const update = async (parameters: INodeParameters, item = {}) =>
		await run('agent.update', { agent_id: locator(agentId), ...parameters }, [item]);

	const bodies = () =>
		emulator.requests.filter(({ method }) => method === 'PATCH').map(({ body }) => body);

	/** Updates these fields. */
	const fields = (updateFields: object) => ({ updateFields }) as INodeParameters;
	const style = (rest: object = {}) => ({ conversation_style: { style: { ...STYLE, ...rest } } });
	const live = (pronunciation_list?: string, pronunciation?: object[]) => ({
		live_conversation_settings: {
			settings: {
				...LIVE,
				...(pronunciation_list && { pronunciation_list }),
				...(pronunciation && { pronunciations: { pronunciation } }),
			},
		},
	});

	const LONGEST_WORDS = [...words(19), { term: long(60), say_as: long(120) }];

	test.each<[what: string, parameters: INodeParameters, body: object]>([
		[
			'texts as they are, codes without spaces',
			fields({
				prompt_instructions: '  Be\nbrief. ',
				first_message: ' \n Hi ',
				ai_provider: locator('zeta'),
				default_language: locator(' IT'),
				supported_languages: ['en', 'it'],
			}),
			{
				prompt_instructions: '  Be\nbrief. ',
				first_message: ' \n Hi ',
				ai_provider: 'zeta',
				default_language: 'it',
				supported_languages: ['en', 'it'],
			},
		],
		[
			'the longest texts and lists',
			fields({
				prompt_instructions: long(20_000),
				first_message: long(1000),
				...style({ custom_note: long(500) }),
				...live('replace', LONGEST_WORDS),
			}),
			{
				prompt_instructions: long(20_000),
				first_message: long(1000),
				conversation_style: { ...STYLE, custom_note: long(500) },
				live_conversation_settings: { ...LIVE, pronunciations: LONGEST_WORDS },
			},
		],
		[
			'live settings, pronunciations kept',
			fields(live('keep')),
			{ live_conversation_settings: LIVE },
		],
		[
			'pronunciations cleared',
			fields(live('clear')),
			{ live_conversation_settings: { ...LIVE, pronunciations: [] } },
		],
		[
			'all eleven cleared',
			{ clearFields: CLEARABLE },
			Object.fromEntries(CLEARABLE.map((name) => [name, null])),
		],
		[
			'values and lists by expression',
			{
				...fields({
					first_message: '=Hello {{ $json.name }}',
					supported_languages: '={{ $json.codes }}',
					...style({ tone: '={{ "direct" }}' }),
				}),
				clearFields: '={{ "ai_provider, beta_backend" }}',
			},
			{
				first_message: 'Hello Ann',
				supported_languages: ['en', 'it'],
				conversation_style: { ...STYLE, tone: 'direct' },
				ai_provider: null,
				beta_backend: null,
			},
		],
		[
			'null and unknown fields in JSON, but no ID',
			asJson({ id: 'x', prompt_instructions: null, new_setting: [1] }),
			{ prompt_instructions: null, new_setting: [1] },
		],
	])('sends %s', async (_what, parameters, body) => {
		await update(parameters, { name: 'Ann', codes: ['en', 'it'] });
		expect(bodies()).toEqual([body]);
	});

	// What is refused of each field: contract/input.
	test.each<[message: RegExp, parameters: INodeParameters]>([
		[/Nothing to update/, {}],
		[/Pronunciations' must have at most 20/, fields(live('replace', words(21)))],
		[/Pronunciations' must have at least one entry/, fields(live('replace'))],
		[/must be empty, or choose Replace/, fields(live('clear', words(1)))],
		[
			/First Message' is both set and cleared/,
			{ ...fields({ first_message: 'Hi' }), clearFields: ['first_message'] },
		],
		[/Custom Note' is both set and cleared/, fields(style({ clear_note: true }))],
		[/'JSON' has a blank first_message: write null/, asJson({ first_message: '' })],
		// An expression without a value must never clear a prompt.
		[
			/prompt_instructions has no value/,
			{ specifyFields: 'json', json: '={{ { prompt_instructions: $json.nothing } }}' },
		],
		[/Prompt.*must not be blank.*'Clear Fields'/, fields({ prompt_instructions: '' })],
		[/First.*must not be blank.*'Clear Fields'/, fields({ first_message: '={{ " " }}' })],
	])('is refused before anything is sent: %s', async (message, parameters) => {
		const { error } = await update(parameters);
		expect(error?.message).toMatch(message);
		expect(error?.description).toMatch(/Nothing was sent/);
		expect(error?.context?.itemIndex).toBe(0);
		expect(emulator.requests).toEqual([]);
	});

	// The same in JSON: contract/keepOtherFields.
	describe('keeps', () => {
		const stored = () => {
			const { conversation_style, live_conversation_settings } =
				emulator.store.agents.get(agentId)!;
			return { conversation_style, live_conversation_settings };
		};
		const live_conversation_settings = { ...LIVE, pronunciations: null };

		beforeEach(() => {
			const settings = { conversation_style: STYLE, live_conversation_settings };
			emulator.store.agents.change(agentId, settings);
		});

		test('what is not chosen in a style and in live settings', async () => {
			const pronunciation = words(1);
			const settings = { pronunciation_list: 'replace', pronunciations: { pronunciation } };
			await update(
				fields({
					conversation_style: { style: { tone: 'direct' } },
					live_conversation_settings: { settings },
				}),
			);
			expect(stored()).toEqual({
				conversation_style: { ...STYLE, tone: 'direct' },
				live_conversation_settings: { ...LIVE, pronunciations: pronunciation },
			});
		});

		test('a note that is left blank; Clear Custom Note removes it', async () => {
			await update(fields(style({ custom_note: '' })));
			expect(stored().conversation_style?.custom_note).toBe('No jokes.');
			await update(fields(style({ custom_note: '', clear_note: true })));
			expect(stored().conversation_style?.custom_note).toBe('');
		});

		test('nothing of an agent without these settings, so the others must be chosen too', async () => {
			const { id } = emulator.store.addAgent('inbound');
			const parts = { conversation_style: { style: { tone: 'warm', pace: 'brisk' } } };
			const { error } = await update({ agent_id: locator(id), ...fields(parts) });
			expect(error?.message).toContain(
				"the agent has no Conversation Style yet, so there is nothing to keep: choose 'Formality' and 'Response Length' too",
			);
			expect(bodies()).toEqual([]);
			const whole = await update({ agent_id: locator(id), ...fields(live()) });
			expect(whole.error?.message).toBeUndefined();
		});
	});
});

const settingsOf = async (id: string, rest = {}) => {
	const parameters = { agent_id: locator(id), options: { settingsOnly: true } };
	return (await succeed('agent.get', parameters, [{}], rest)).json[0]!;
};

// That an error asks for this name: dialects/operations.
test('the Beta Backend has the name that the credential says', async () => {
	await changeAccount({ data: 'small', readings: { betaBackend: 'own' } });
	const { id } = emulator.store.agents.find(({ ai_provider: model }) => model === 'beta')!;
	const rest = named({ agentBackend: 'lumen_backend' });
	const update = async (parameters: INodeParameters) =>
		(await succeed('agent.update', { agent_id: locator(id), ...parameters }, [{}], rest)).json;
	const set = { lumen_backend: 'studio-2' };
	expect(await update({ updateFields: { beta_backend: 'studio-2' } })).toMatchObject([set]);
	const settings = await settingsOf(id, rest);
	expect(settings).toMatchObject(set);
	expect(settings).not.toHaveProperty('beta_backend');
	expect(await update({ clearFields: ['beta_backend'] })).toMatchObject([{ lumen_backend: null }]);
	await changeAccount({});
});

test('rolling out an agent copies its settings to another account, empty ones too, after a dry run', async () => {
	const { store, apiKey } = emulator.addOrganization();
	const rest = { credentials: credentials(apiKey) };
	emulator.store.agents.change(agentId, {
		first_message: null,
		live_conversation_settings: { ...LIVE, pronunciations: null },
	});
	const target = store.addAgent('inbound', {
		prompt_instructions: 'Old prompt',
		first_message: 'Old message',
		conversation_style: STYLE,
		live_conversation_settings: { ...LIVE, pronunciations: words(2) },
	});
	const settings = await settingsOf(agentId);
	expect(Object.keys(settings).sort()).toEqual(CLEARABLE.toSorted());
	const rollOut = { agent_id: locator(target.id), ...asJson(settings) };
	const dryRun = { ...rollOut, options: { dryRun: true } };

	emulator.reset();
	const dry = await succeed('agent.update', dryRun, [{}], rest);
	expect(dry.hints).toMatchObject([{ message: expect.stringContaining('Nothing was changed') }]);
	expect(dry.json.map(({ field }) => field)).toEqual(Object.keys(settings));
	expect(dry.json).toContainEqual({
		agent_id: target.id,
		agent_name: target.name,
		field: 'first_message',
		before: 'Old message',
		after: null,
		changes: true,
	});
	expect(sent()).toEqual([`GET /agents/${target.id}`]);

	const byExpression = { ...rollOut, json: '={{ $json }}' };
	await succeed('agent.update', byExpression, [settings], rest);
	expect(await settingsOf(target.id, rest)).toEqual(settings);
	const again = await succeed('agent.update', dryRun, [{}], rest);
	expect(again.json.every(({ changes }) => changes === false)).toBe(true);

	const misspelt = { ...dryRun, ...asJson({ greeting: 'Hi' }) };
	const { hints } = await succeed('agent.update', misspelt, [{}], rest);
	expect(hints[1]?.message).toMatch(/no setting greeting yet.*Check the spelling/);
});

// That they can be written back: e2e/examples/agents.
describe('the settings and tools of an agent', () => {
	test('come with Get Many as Get and the tools show them', async () => {
		emulator.store.addAgent('meta');
		const options = { include: ['settings', 'tools'] };
		const { json } = await succeed('agent.getAll', { returnAll: true, options });
		expect(json).toHaveLength(emulator.store.agents.size);
		for (const { id, agent_type, settings, tools } of json) {
			expect(settings).toEqual(await settingsOf(String(id)));
			const { 'end-the-call': _, ...own } = emulator.store.tools.get(String(id))!;
			expect(tools).toEqual(own);
			if (agent_type === 'inbound') expect(Object.keys(own)).toHaveLength(4);
		}
	});

	test('are kept without the agent, which an update of a tool would refuse', async () => {
		const settings = { enabled: true, hours: { mon: '9-17' } };
		const body = { ok: true, data: { agent_id: agentId, ...settings }, meta: null, error: null };
		const match = ({ path }: { path: string }) => path.endsWith('/make-reservation');
		emulator.faults.add({ kind: 'status', status: 200, body, match });
		const options = { include: ['tools'] };
		const { json } = await succeed('agent.get', { agent_id: locator(agentId), options });
		expect((json[0]!.tools as IDataObject)['make-reservation']).toEqual(settings);
	});

	test('do not go together with Settings Only', async () => {
		const options = { include: ['tools'], settingsOnly: true };
		const { message } = await fail('agent.get', { agent_id: locator(agentId), options });
		expect(message).toMatch(/Settings Only/);
		expect(sent()).toEqual([]);
	});
});

// That it ends with Stop, in time, and at 16 MB: promises/stopEndsAll.
describe('Get Voice Preview', () => {
	let voice: (typeof emulator.store.voices)[number];

	beforeEach(() => {
		const [{ file, ...rest }] = emulator.store.voices as [typeof voice];
		voice = { ...rest, id: randomUUID(), file: { ...file } };
		emulator.store.voices.push(voice);
	});

	const get = (parameters: INodeParameters = {}) =>
		['agent.getVoicePreview', { voice_id: locator(voice.id), ...parameters }] as const;

	test('is a file beside the fields of the voice, read without the key', async () => {
		const { items } = await succeed(...get({ binaryPropertyName: ' sound ' }));
		const [{ json, binary, pairedItem }] = items as [(typeof items)[0]];
		expect(json).toMatchObject({ id: voice.id, custom_name: voice.custom_name });
		expect(pairedItem).toEqual({ item: 0 });
		const { sound } = binary!;
		expect(sound).toMatchObject({ fileName: voice.file.file_name, mimeType: 'audio/mpeg' });
		// The emulator's store of files refuses a request with a key.
		expect(String(Buffer.from(sound!.data, 'base64'))).toBe(`ID3 ${voice.file.file_name}`);
	});

	test.each<[message: string, addressOf: () => string | null]>([
		['has no preview', () => null],
		['there was no answer from its server', () => 'http://127.0.0.1:1/secret'],
		['address may have expired', () => `${emulator.url}/preview.mp3?signature=secret`],
	])('says "%s" if there is no file, and shows no signature', async (message, addressOf) => {
		voice.file.url = addressOf();
		const error = await fail(...get());
		expect(error.message).toContain(message);
		expect(JSON.stringify(error)).not.toContain('secret');
	});

	test.each([
		['../../etc/passwd', '_.._etc_passwd'],
		['evil\u202e3pm.exe', 'evil3pm.exe'],
	])('called %j is a file called %j, and no page', async (name, fileName) => {
		Object.assign(voice.file, { file_name: name, content_type: 'text/html' });
		const { items } = await succeed(...get());
		expect(items[0]!.binary!.data).toMatchObject({ fileName, mimeType: 'audio/mpeg' });
	});

	test('is an error if there is no such voice', async () => {
		const error = await fail(...get({ voice_id: locator(randomUUID()) }));
		expect(error.message).toContain('there is no voice with the ID');
	});
});
