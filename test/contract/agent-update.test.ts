import { randomUUID } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { startEmulator, type Emulator } from '../emulator/index.ts';
import {
	accountForAllTests,
	asJson,
	credentials,
	emulator,
	fail,
	run,
	succeed,
} from '../support/account.ts';
import { locator } from '../support/samples.ts';

accountForAllTests();

/** The agent of the running test. */
let agentId: string;

beforeEach(() => {
	agentId = emulator.store.addAgent('inbound', { ai_provider: 'zeta' }).id;
});

const update = async (parameters: INodeParameters, item = {}) =>
	await run('agent.update', { agent_id: locator(agentId), ...parameters }, [item]);

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
	expect(error?.description).toMatch(/Nothing was sent/);
	expect(error?.context?.itemIndex).toBe(0);
	expect(emulator.requests).toEqual([]);
}

/** Updates these fields. */
const fields = (updateFields: object) => ({ updateFields }) as INodeParameters;
const set = (name: string, value: unknown) => fields({ [name]: value });

const STYLE = {
	tone: 'warm',
	formality: 'formal',
	response_length: 'concise',
	pace: 'brisk',
	custom_note: 'No jokes.',
};
const LIVE = { backchannels: 'subtle', pauses: 'patient' };

const styled = (rest: object = {}) => ({ style: { ...STYLE, ...rest } });
const style = (rest?: object) => set('conversation_style', styled(rest));

const settled = (pronunciation_list?: string, pronunciation?: object[], rest: object = {}) => ({
	settings: {
		...LIVE,
		...(pronunciation_list && { pronunciation_list }),
		...(pronunciation && { pronunciations: { pronunciation } }),
		...rest,
	},
});
const live = (...given: Parameters<typeof settled>) =>
	set('live_conversation_settings', settled(...given));

const words = (count: number) =>
	Array.from({ length: count }, (_, at) => ({ term: `term ${at}`, say_as: `say ${at}` }));

/** So many characters, each of which JavaScript counts as two. */
const long = (count: number) => '😀'.repeat(count);

const LONGEST_WORDS = [...words(19), { term: long(60), say_as: long(120) }];

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
const EFFORTS: Record<string, string[]> = {
	live_reasoning_effort: ['low', 'medium', 'high'],
	reasoning_effort: ['none', 'high'],
	beta_backend: ['backend_primary', 'backend_studio'],
};

// What is refused of each field is asked in contract/input.
test.each([0, 1, 2, 3])('every choice of the reference is sent: number %d', async (at) => {
	const choose = (from: Record<string, string[]>) =>
		Object.fromEntries(
			Object.entries(from).map(([name, values]) => [name, values[at % values.length]!]),
		);
	const chosen = {
		conversation_style: { ...STYLE, ...choose(STYLES) },
		live_conversation_settings: { ...LIVE, ...choose(LIVES) },
	};
	const given = {
		conversation_style: { style: chosen.conversation_style },
		live_conversation_settings: { settings: chosen.live_conversation_settings },
	};
	await expectSent(fields({ ...choose(EFFORTS), ...given }), { ...choose(EFFORTS), ...chosen });
});

describe('an update sends', () => {
	const item = { name: 'Ann', codes: ['en', 'it'], text: 'en, it', clear: ['ai_provider'] };

	test.each<[what: string, parameters: INodeParameters, body: object]>([
		[
			'fields of each kind',
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
				conversation_style: styled({ custom_note: long(500) }),
				live_conversation_settings: settled('replace', LONGEST_WORDS),
			}),
			{
				prompt_instructions: long(20_000),
				first_message: long(1000),
				conversation_style: { ...STYLE, custom_note: long(500) },
				live_conversation_settings: { ...LIVE, pronunciations: LONGEST_WORDS },
			},
		],
		['live settings, pronunciations kept', live('keep'), { live_conversation_settings: LIVE }],
		['live settings, no word of pronunciations', live(), { live_conversation_settings: LIVE }],
		[
			'pronunciations cleared',
			live('clear'),
			{ live_conversation_settings: { ...LIVE, pronunciations: [] } },
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
		[
			'single values by expression',
			fields({
				first_message: '=Hello {{ $json.name }}',
				supported_languages: ['en', '={{ $json.codes[1] }}'],
				conversation_style: styled({ tone: '={{ "direct" }}' }),
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
				updateFields: { supported_languages: '={{ $json.codes }}' },
				clearFields: '={{ $json.clear }}',
			},
			{ supported_languages: ['en', 'it'], ai_provider: null },
		],
		[
			'lists as text by expression',
			{
				updateFields: { supported_languages: '={{ $json.text }}' },
				clearFields: '={{ "ai_provider, first_message" }}',
			},
			{ supported_languages: ['en', 'it'], ai_provider: null, first_message: null },
		],
	])('%s', async (_what, parameters, body) => {
		await expectSent(parameters, body, item);
	});

	test('a voice by its id', async () => {
		const voice = emulator.store.voices.find(({ ai_provider: model }) => model === 'zeta')!.id;
		await expectSent(set('selected_voice', locator(voice)), { selected_voice: voice });
	});
});

describe('an update is refused before anything is sent', () => {
	test.each<[what: string, parameters: INodeParameters, complaint: RegExp]>([
		['nothing to update', {}, /Nothing to update/],
		[
			'no languages',
			set('supported_languages', []),
			/Supported Language Names or IDs' must name at least one/,
		],
		['an empty style', set('conversation_style', {}), /Conversation Style' is required/],
		[
			'empty live settings',
			set('live_conversation_settings', {}),
			/Live Conversation Settings' is required/,
		],
		['21 pronunciations', live('replace', words(21)), /Pronunciations' must have at most 20/],
		['nothing to replace with', live('replace'), /Pronunciations' must have at least one entry/],
		[
			'pronunciations while they are kept',
			live('keep', words(1)),
			/Pronunciations' must be empty, or choose Replace/,
		],
		[
			'pronunciations while they are cleared',
			live('clear', words(1)),
			/Pronunciations' must be empty, or choose Replace/,
		],
		[
			'one set and cleared',
			{
				updateFields: { first_message: 'Hi', beta_backend: 'backend_primary' },
				clearFields: ['first_message'],
			},
			/First Message' is both set and cleared/,
		],
	])('%s', async (_what, parameters, complaint) => {
		await expectRefused(parameters, complaint);
	});
});

describe('Keep', () => {
	const held = () => {
		const { conversation_style: talk, live_conversation_settings: listening } =
			emulator.store.agents.get(agentId)!;
		return { conversation_style: talk, live_conversation_settings: listening };
	};

	test('is what each choice does that is not set', async () => {
		const live_conversation_settings = { ...LIVE, pronunciations: null };
		emulator.store.agents.change(agentId, {
			conversation_style: STYLE,
			live_conversation_settings,
		});
		const words = [{ term: 'Aurora', say_as: 'ow-ROH-rah' }];
		const replaced = { pronunciation_list: 'replace', pronunciations: { pronunciation: words } };
		const { error } = await update(
			fields({
				conversation_style: { style: { tone: 'direct' } },
				live_conversation_settings: { settings: replaced },
			}),
		);
		expect(error?.message).toBeUndefined();
		expect(held()).toEqual({
			conversation_style: { ...STYLE, tone: 'direct' },
			live_conversation_settings: { ...LIVE, pronunciations: words },
		});
	});

	test('a blank note stays; Clear Custom Note removes it', async () => {
		emulator.store.agents.change(agentId, { conversation_style: STYLE });
		await update(style({ custom_note: '' }));
		expect(held().conversation_style?.custom_note).toBe('No jokes.');
		await update(style({ custom_note: '', clear_note: true }));
		expect(held().conversation_style?.custom_note).toBe('');
		await update(style({ clear_note: true })).then(({ error }) =>
			expect(error?.message).toContain("Custom Note' is both set and cleared"),
		);
	});

	test('is impossible for an agent without these settings, so the others must be chosen too', async () => {
		const { id } = emulator.store.addAgent('inbound');
		const where = { agent_id: locator(id) };
		const alone = set('conversation_style', { style: { tone: 'warm', pace: 'brisk' } });
		const { error } = await update({ ...where, ...alone });
		expect(error?.message).toContain(
			"the agent has no Conversation Style yet, so there is nothing to keep: choose 'Formality' and 'Response Length' too",
		);
		expect(bodies()).toEqual([]);
		expect((await update({ ...where, ...live() })).error?.message).toBeUndefined();
	});
});

describe('Using JSON', () => {
	test.each<[what: string, given: object, body: object]>([
		['null', { prompt_instructions: null }, { prompt_instructions: null }],
		['a field that the node does not know', { new_setting: [1] }, { new_setting: [1] }],
		[
			'what a Get returned, without its ID',
			{ id: 'x', first_message: 'Hi' },
			{ first_message: 'Hi' },
		],
	])('%s is sent', async (_what, given, body) => {
		await update(asJson(given));
		expect(bodies()).toEqual([body]);
	});

	test('part of a style keeps the rest, as in the fields', async () => {
		emulator.store.agents.change(agentId, { conversation_style: STYLE });
		const given = asJson({ conversation_style: { tone: 'direct', custom_note: '' } });
		await expectSent(given, { conversation_style: { ...STYLE, tone: 'direct', custom_note: '' } });
	});

	test.each<[given: object, complaint: RegExp]>([
		[{}, /Nothing to update/],
		[{ first_message: '' }, /'JSON' has a blank first_message: write null to clear it/],
		[{ prompt_instructions: ' ' }, /'JSON' has a blank prompt_instructions/],
	])('%j is refused', async (given, complaint) => {
		await expectRefused(asJson(given), complaint);
	});

	// An expression without a value must never clear a prompt.
	test('a setting without a value is refused', async () => {
		const json = '={{ { prompt_instructions: $json.nothing, first_message: "Hi" } }}';
		await expectRefused({ specifyFields: 'json', json }, /prompt_instructions has no value/);
	});

	test.each(['', '={{ " " }}'])(
		'a blank text (%j) clears no prompt and no first message',
		async (blank) => {
			for (const name of ['prompt_instructions', 'first_message']) {
				await expectRefused(set(name, blank), /must not be blank. To empty it, .*'Clear Fields'/);
			}
		},
	);
});

/** Runs an operation, which must succeed, on an agent of an account. */
async function on(account: Emulator, operation: string, parameters: INodeParameters, item = {}) {
	const { json, hints } = await succeed(`agent.${operation}`, parameters, [item], {
		credentials: credentials(account.keys.all, account.url),
	});
	return { json, hints };
}

const settingsOf = async (account: Emulator, id: string) => {
	const options = { settingsOnly: true };
	return (await on(account, 'get', { agent_id: locator(id), options })).json[0]!;
};

test('the Beta Backend has the name that the user chooses, and an error asks for it', async () => {
	const other = await startEmulator({ data: 'small', readings: { betaBackend: 'own' } });
	const agent_id = locator(
		other.store.agents.find(({ ai_provider: model }) => model === 'beta')!.id,
	);
	const backend = set('beta_backend', 'studio-2');
	for (const change of [backend, asJson({ beta_backend: null })]) {
		const account = { credentials: credentials(other.keys.all, other.url) };
		const error = await fail('agent.update', { agent_id, ...change }, [{}], account);
		expect(error.httpCode).toBe('400');
		expect(error.description).toContain("'Agent: Beta Backend'");
	}
	const names = { agentBackend: 'lumen_backend' };
	const account = { credentials: credentials(other.keys.all, other.url, names) };
	const { json } = await succeed('agent.update', { agent_id, ...backend }, [{}], account);
	expect(json).toMatchObject([{ lumen_backend: 'studio-2' }]);
	const settings = await settingsOf(other, agent_id.value as string);
	expect(settings).toMatchObject({ lumen_backend: 'studio-2' });
	expect(settings).not.toHaveProperty('beta_backend');
	const clear = { agent_id, clearFields: ['beta_backend'] };
	const { json: cleared } = await succeed('agent.update', clear, [{}], account);
	expect(cleared).toMatchObject([{ lumen_backend: null }]);
	await other.close();
});

describe('rolling out an agent', () => {
	let client: Emulator;

	beforeEach(async () => {
		client = await startEmulator({ data: 'small' });
	});
	afterEach(async () => await client.close());

	test('Settings Only has exactly what an update takes', async () => {
		expect(Object.keys(await settingsOf(emulator, agentId)).sort()).toEqual(CLEARABLE.toSorted());
	});

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
		const settings = await settingsOf(emulator, agentId);
		const rollOut = { agent_id: locator(target.id), ...asJson(settings) };

		const dry = await on(client, 'update', { ...rollOut, options: { dryRun: true } });
		const { json: rows } = dry;
		expect(dry.hints).toMatchObject([{ message: expect.stringContaining('Nothing was changed') }]);
		expect(rows.map(({ field }) => field)).toEqual(Object.keys(settings));
		expect(rows).toContainEqual({
			agent_id: target.id,
			agent_name: target.name,
			field: 'first_message',
			before: 'Old message',
			after: null,
			changes: true,
		});
		expect(client.requests.map(({ method }) => method)).toEqual(['GET']);

		const byExpression = { ...rollOut, json: '={{ $json }}' };
		await on(client, 'update', byExpression, settings);
		expect(await settingsOf(client, target.id)).toEqual(settings);

		const misspelt = { ...rollOut, ...asJson({ greeting: 'Hi' }), options: { dryRun: true } };
		expect((await on(client, 'update', misspelt)).hints[1]!.message).toBe(
			'The agent has no setting greeting yet, so the API may refuse it. Check the spelling.',
		);
		const { json: again } = await on(client, 'update', { ...rollOut, options: { dryRun: true } });
		expect(again.every(({ changes }) => changes === false)).toBe(true);
	});

	test('a voice that the other account does not have changes nothing', async () => {
		const { id } = client.store.addAgent('inbound', { first_message: 'Old message' });
		const settings = { first_message: 'New message', selected_voice: randomUUID() };
		const error = await fail('agent.update', { agent_id: locator(id), ...asJson(settings) }, [{}], {
			credentials: credentials(client.keys.all, client.url),
		});
		expect(error.httpCode).toBe('400');
		expect(client.store.agents.get(id)).toMatchObject({ first_message: 'Old message' });
	});
});
