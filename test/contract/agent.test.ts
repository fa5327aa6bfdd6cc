import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';

import { startEmulator, type Emulator } from '../emulator/index.ts';
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
	const ITEM = { name: 'Ann', codes: ['en', 'it'], text: 'en, it', clear: ['ai_provider'] };
	const LIVE_ONLY = { live_conversation_settings: LIVE };

	test.each<[what: string, parameters: INodeParameters, body: object]>([
		[
			'texts as they are, codes without spaces',
			fields({
				...{ prompt_instructions: '  Be\nbrief. ', first_message: ' \n Hi ' },
				...{ ai_provider: locator('zeta'), default_language: locator(' IT') },
				supported_languages: ['en', 'it'],
			}),
			{
				...{ prompt_instructions: '  Be\nbrief. ', first_message: ' \n Hi ' },
				...{ ai_provider: 'zeta', default_language: 'it', supported_languages: ['en', 'it'] },
			},
		],
		[
			'the longest texts and lists',
			fields({
				...{ prompt_instructions: long(20_000), first_message: long(1000) },
				...{ ...style({ custom_note: long(500) }), ...live('replace', LONGEST_WORDS) },
			}),
			{
				...{ prompt_instructions: long(20_000), first_message: long(1000) },
				conversation_style: { ...STYLE, custom_note: long(500) },
				live_conversation_settings: { ...LIVE, pronunciations: LONGEST_WORDS },
			},
		],
		['live settings, pronunciations kept', fields(live('keep')), LIVE_ONLY],
		['live settings, no word of pronunciations', fields(live()), LIVE_ONLY],
		[
			'pronunciations cleared',
			fields(live('clear')),
			{ live_conversation_settings: { ...LIVE, pronunciations: [] } },
		],
		[
			'some set, others cleared',
			{ updateFields: { first_message: 'Hi' }, clearFields: ['beta_backend', 'ai_provider'] },
			{ first_message: 'Hi', beta_backend: null, ai_provider: null },
		],
		[
			'all eleven cleared',
			{ clearFields: CLEARABLE },
			Object.fromEntries(CLEARABLE.map((name) => [name, null])),
		],
		[
			'single values by expression',
			fields({
				first_message: '=Hello {{ $json.name }}',
				supported_languages: ['en', '={{ $json.codes[1] }}'],
				...style({ tone: '={{ "direct" }}' }),
			}),
			{
				first_message: 'Hello Ann',
				supported_languages: ['en', 'it'],
				conversation_style: { ...STYLE, tone: 'direct' },
			},
		],
		[
			'lists by expression',
			{
				...fields({ supported_languages: '={{ $json.codes }}' }),
				clearFields: '={{ $json.clear }}',
			},
			{ supported_languages: ['en', 'it'], ai_provider: null },
		],
		[
			'lists as text by expression',
			{
				...fields({ supported_languages: '={{ $json.text }}' }),
				clearFields: '={{ "ai_provider, first_message" }}',
			},
			{ supported_languages: ['en', 'it'], ai_provider: null, first_message: null },
		],
		['null in JSON', asJson({ prompt_instructions: null }), { prompt_instructions: null }],
		['an unknown field in JSON', asJson({ new_setting: [1] }), { new_setting: [1] }],
		[
			'what a Get returned, without its ID',
			asJson({ id: 'x', first_message: 'Hi' }),
			{ first_message: 'Hi' },
		],
	])('sends %s', async (_what, parameters, body) => {
		await update(parameters, ITEM);
		expect(bodies()).toEqual([body]);
	});

	const CHOICES: Record<string, string[]> = {
		live_reasoning_effort: ['low', 'medium', 'high'],
		reasoning_effort: ['none', 'high'],
		beta_backend: ['backend_primary', 'backend_studio'],
	};
	const STYLES: Record<string, string[]> = {
		tone: ['friendly', 'warm', 'professional', 'direct'],
		formality: ['informal', 'balanced', 'formal'],
		response_length: ['concise', 'balanced', 'detailed'],
		pace: ['relaxed', 'natural', 'brisk'],
	};
	const LIVES: Record<string, string[]> = {
		backchannels: ['off', 'subtle', 'natural', 'expressive'],
		pauses: ['natural', 'patient'],
	};

	// What is refused of each field: contract/input.
	test.each([0, 1, 2, 3])('sends every choice of the reference: number %d', async (at) => {
		const choose = (from: Record<string, string[]>) =>
			Object.fromEntries(
				Object.entries(from).map(([name, values]) => [name, values[at % values.length]!]),
			);
		const conversation_style = { ...STYLE, ...choose(STYLES) };
		const live_conversation_settings = { ...LIVE, ...choose(LIVES) };
		await update(
			fields({
				...choose(CHOICES),
				conversation_style: { style: conversation_style },
				live_conversation_settings: { settings: live_conversation_settings },
			}),
		);
		expect(bodies()).toEqual([
			{ ...choose(CHOICES), conversation_style, live_conversation_settings },
		]);
	});

	test.each<[message: RegExp, parameters: INodeParameters]>([
		[/Nothing to update/, {}],
		[/Nothing to update/, asJson({})],
		[
			/Supported Language Names or IDs' must name at least one/,
			fields({ supported_languages: [] }),
		],
		[/Conversation Style' is required/, fields({ conversation_style: {} })],
		[/Live Conversation Settings' is required/, fields({ live_conversation_settings: {} })],
		[/Pronunciations' must have at most 20/, fields(live('replace', words(21)))],
		[/Pronunciations' must have at least one entry/, fields(live('replace'))],
		[/must be empty, or choose Replace/, fields(live('keep', words(1)))],
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
		...['prompt_instructions', 'first_message'].flatMap((name) =>
			['', '={{ " " }}'].map((blank): [RegExp, INodeParameters] => [
				/must not be blank. To empty it, .*'Clear Fields'/,
				fields({ [name]: blank }),
			]),
		),
	])('is refused before anything is sent: %s', async (message, parameters) => {
		const { error } = await update(parameters);
		expect(error?.message).toMatch(message);
		expect(error?.description).toMatch(/Nothing was sent/);
		expect(error?.context?.itemIndex).toBe(0);
		expect(emulator.requests).toEqual([]);
	});

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
			const pronunciations = words(1);
			const settings = {
				...{ pronunciation_list: 'replace', pronunciations: { pronunciation: pronunciations } },
			};
			await update(
				fields({
					conversation_style: { style: { tone: 'direct' } },
					live_conversation_settings: { settings },
				}),
			);
			expect(stored()).toEqual({
				conversation_style: { ...STYLE, tone: 'direct' },
				live_conversation_settings: { ...LIVE, pronunciations },
			});
			await update(asJson({ conversation_style: { tone: 'warm', custom_note: '' } }));
			expect(stored().conversation_style).toEqual({ ...STYLE, tone: 'warm', custom_note: '' });
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

test('the Beta Backend has the name that the credential says, and an error asks for it', async () => {
	await changeAccount({ data: 'small', readings: { betaBackend: 'own' } });
	const { id } = emulator.store.agents.find(({ ai_provider: model }) => model === 'beta')!;
	const backend = { agent_id: locator(id), updateFields: { beta_backend: 'studio-2' } };
	const clear = { agent_id: locator(id), clearFields: ['beta_backend'] };
	for (const change of [backend, { agent_id: locator(id), ...asJson({ beta_backend: null }) }]) {
		const error = await fail('agent.update', change);
		expect(error.httpCode).toBe('400');
		expect(error.description).toContain("'Agent: Beta Backend'");
	}
	const rest = named({ agentBackend: 'lumen_backend' });
	const { json } = await succeed('agent.update', backend, [{}], rest);
	expect(json).toMatchObject([{ lumen_backend: 'studio-2' }]);
	const settings = await settingsOf(id, rest);
	expect(settings).toMatchObject({ lumen_backend: 'studio-2' });
	expect(settings).not.toHaveProperty('beta_backend');
	const cleared = await succeed('agent.update', clear, [{}], rest);
	expect(cleared.json).toMatchObject([{ lumen_backend: null }]);
	await changeAccount({});
});

describe('rolling out an agent', () => {
	let client: Emulator;
	let rest: { credentials: ReturnType<typeof credentials> };

	beforeEach(async () => {
		client = await startEmulator({ data: 'small' });
		rest = { credentials: credentials(client.keys.all, client.url) };
	});
	afterEach(async () => await client.close());

	test('copies its settings to another account, empty ones too, after a dry run', async () => {
		emulator.store.agents.change(agentId, {
			first_message: null,
			live_conversation_settings: { ...LIVE, pronunciations: null },
		});
		const target = client.store.addAgent('inbound', {
			prompt_instructions: 'Old prompt',
			first_message: 'Old message',
			conversation_style: STYLE,
			live_conversation_settings: { ...LIVE, pronunciations: words(2) },
		});
		const settings = await settingsOf(agentId);
		expect(Object.keys(settings).sort()).toEqual(CLEARABLE.toSorted());
		const rollOut = { agent_id: locator(target.id), ...asJson(settings) };
		const dryRun = { ...rollOut, options: { dryRun: true } };

		const dry = await succeed('agent.update', dryRun, [{}], rest);
		expect(dry.hints).toMatchObject([{ message: expect.stringContaining('Nothing was changed') }]);
		expect(dry.json.map(({ field }) => field)).toEqual(Object.keys(settings));
		expect(dry.json).toContainEqual({
			...{ agent_id: target.id, agent_name: target.name, field: 'first_message' },
			...{ before: 'Old message', after: null, changes: true },
		});
		expect(client.requests.map(({ method }) => method)).toEqual(['GET']);

		const byExpression = { ...rollOut, json: '={{ $json }}' };
		await succeed('agent.update', byExpression, [settings], rest);
		expect(await settingsOf(target.id, rest)).toEqual(settings);

		const misspelt = { ...rollOut, ...asJson({ greeting: 'Hi' }), options: { dryRun: true } };
		const { hints } = await succeed('agent.update', misspelt, [{}], rest);
		const message =
			'The agent has no setting greeting yet, so the API may refuse it. Check the spelling.';
		expect(hints[1]).toMatchObject({ message });
		const again = await succeed('agent.update', dryRun, [{}], rest);
		expect(again.json.every(({ changes }) => changes === false)).toBe(true);
	});

	test('a voice that the other account does not have changes nothing', async () => {
		const { id } = client.store.addAgent('inbound', { first_message: 'Old message' });
		const settings = { first_message: 'New message', selected_voice: randomUUID() };
		const given = { agent_id: locator(id), ...asJson(settings) };
		expect((await fail('agent.update', given, [{}], rest)).httpCode).toBe('400');
		expect(client.store.agents.get(id)).toMatchObject({ first_message: 'Old message' });
	});
});

describe('the settings and tools of an agent', () => {
	const getAll = async (): Promise<IDataObject[]> => {
		const options = { include: ['settings', 'tools'] };
		return (await succeed('agent.getAll', { returnAll: true, options })).json;
	};

	test('come with Get Many as Get and the tools show them', async () => {
		emulator.store.addAgent('meta');
		const json = await getAll();
		expect(json).toHaveLength(emulator.store.agents.size);
		for (const { id, agent_type, settings, tools } of json) {
			expect(settings).toEqual(await settingsOf(String(id)));
			const { 'end-the-call': _, ...own } = emulator.store.tools.get(String(id))!;
			expect(tools).toEqual(own);
			if (agent_type === 'inbound') expect(Object.keys(own)).toHaveLength(4);
		}
	});

	test('can be written back: nothing differs, and a changed tool is as before', async () => {
		const { agents, tools } = emulator.store;
		const { id } = agents.all()[0]!;
		const read = async () => (await getAll()).find((agent) => agent.id === id)!;
		const saved = await read();
		const changed = { prompt_instructions: 'Something else', first_message: null, ai_speed: 1.3 };
		agents.change(id, changed);
		tools.get(id)!['transfer-to-phone']!.phone_number = '+390699999999';
		expect(await read()).not.toEqual(saved);
		const agent_id = locator(id);
		await succeed('agent.update', { agent_id, ...asJson(saved.settings as object) });
		for (const [tool, config] of Object.entries(saved.tools as object))
			await succeed('agentTool.update', { agent_id, tool, ...asJson(config as object) });
		expect({ ...(await read()), updated_at: saved.updated_at }).toEqual(saved);
		// The API lets nobody change it.
		expect(agents.get(id)!.ai_speed).toBe(1.3);
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

	/** A store of files that answers as the test wants. */
	async function stored(answer: RequestListener): Promise<void> {
		const server = createServer(answer);
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		onTestFinished(() => void server.close());
		const { port } = server.address() as { port: number };
		voice.file.url = `http://127.0.0.1:${port}/preview.mp3?signature=secret`;
	}

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

	test.each([
		[null, 'has no preview'],
		['file:///etc/passwd', 'there was no answer from its server'],
		['http://127.0.0.1:1/preview.mp3', 'there was no answer from its server'],
	])('is an error if its address is %s', async (url, message) => {
		voice.file.url = url;
		expect((await fail(...get())).message).toContain(message);
	});

	test.each<[message: string, what: string, answer: RequestListener]>([
		[
			'answered with status 403',
			'its address has expired',
			(_request, response) => response.writeHead(403).end('<Error>expired</Error>'),
		],
		[
			'broke off',
			'the connection breaks',
			(_request, response) =>
				void response
					.writeHead(200, { 'content-length': '100' })
					.write('ID3', () => response.destroy()),
		],
	])('says "%s" if %s, and shows no signature', async (message, _what, answer) => {
		await stored(answer);
		const error = await fail(...get());
		expect(error.message).toContain(message);
		expect(JSON.stringify(error)).not.toContain('secret');
	});

	test.each([
		['../../etc/passwd', '_.._etc_passwd'],
		['a/b\\c.mp3', 'a_b_c.mp3'],
		['..', 'file'],
		['', 'file'],
		[`${'a'.repeat(300)}.mp3`, `${'a'.repeat(196)}.mp3`],
		['evil\u202e3pm.exe', 'evil3pm.exe'],
	])('called %j is a file called %j, and no page', async (name, fileName) => {
		await stored((_request, response) => response.end('ID3'));
		Object.assign(voice.file, { file_name: name, content_type: 'text/html' });
		const { items } = await succeed(...get());
		expect(items[0]!.binary!.data).toMatchObject({ fileName, mimeType: 'audio/mpeg' });
		expect(items[0]!.binary!.data).not.toHaveProperty('directory');
	});

	test('is an error if there is no such voice', async () => {
		const error = await fail(...get({ voice_id: locator(randomUUID()) }));
		expect(error.message).toContain('there is no voice with the ID');
	});
});
