import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf } from '../emulator/client.ts';
import type { Client } from '../emulator/client.ts';
import { startEmulator } from '../emulator/index.ts';
import type { Agent, Emulator } from '../emulator/index.ts';

let emulator: Emulator;
let send: Client;
let agent: Agent;
let path: string;

beforeAll(async () => {
	emulator = await startEmulator();
	send = clientOf(emulator);
	agent = emulator.store.addAgent('inbound', { ai_provider: 'base' });
	path = `/agents/${agent.id}`;
});
afterAll(() => emulator.close());

const patch = (body: unknown) => send(`PATCH ${path}`, { body });
const voiceOf = (model: string) =>
	emulator.store.voices.find((voice) => voice.ai_provider === model)!.id;

const STYLE = { tone: 'warm', formality: 'formal', response_length: 'concise', pace: 'brisk' };
const LIVE = { backchannels: 'subtle', pauses: 'patient' };
const words = (count: number) => Array.from({ length: count }, () => ({ term: 'a', say_as: 'b' }));
const live = (more: object) => ({ live_conversation_settings: { ...LIVE, ...more } });
const pronounce = (item: object) => live({ pronunciations: [item] });

describe('the catalogue', () => {
	test('models are complete, one of them disabled', async () => {
		const { body } = await send('GET /agents/models');
		expect(body.meta).toEqual({ limit: 50, offset: 0, total_items: 4 });
		expect(
			body.data.map((model: { value: string; disabled: boolean }) => [model.value, model.disabled]),
		).toEqual([
			['base', false],
			['beta', false],
			['zeta', false],
			['omega', true],
		]);
	});

	test.each([
		[{}, 40],
		[{ model_name: 'zeta' }, 10],
		[{ model_name: 'nobody' }, 0],
	])('voices %o: %i', async (query, count) => {
		expect((await send('GET /agents/voices', { query })).body.meta.total_items).toBe(count);
	});

	test('agents come newest first, in the fields of a list item', async () => {
		const { data } = (await send('GET /agents/')).body;
		const moments = data.map((row: Agent) => row.created_at);
		expect(moments).toEqual([...moments].sort().reverse());
		expect(Object.keys(data[0]).sort()).toEqual([
			'agent_type',
			'agent_type_display_name',
			'ai_provider',
			'ai_provider_display_name',
			'created_at',
			'disable_first_message_interruptions',
			'first_message',
			'id',
			'is_active',
			'name',
			'updated_at',
		]);
	});

	test.each([
		['inbound', 200],
		['outbound', 200],
		['meta', 200],
		['whatsapp', 400],
		['', 400],
	])('agent_type=%s: %i', async (agent_type, status) => {
		const { status: answered, body } = await send('GET /agents/', { query: { agent_type } });
		expect(answered).toBe(status);
		if (status === 200)
			expect(new Set(body.data.map((row: Agent) => row.agent_type))).toEqual(new Set([agent_type]));
	});

	const REQUIRED = [
		...[
			'organization_id',
			'selected_voice',
			'verified_caller_id',
			'prompt_instructions',
			'first_message_delay_seconds',
		],
		...[
			'max_call_duration_minutes',
			'is_call_recording_enabled',
			'is_transcript_saving_enabled',
			'auto_hide_abusive_comments',
		],
		...[
			'user_silence_warning_seconds',
			'user_silence_hangup_seconds',
			'user_silence_prompt_message',
			'amd_enabled',
		],
		...['amd_action', 'amd_voicemail_message', 'default_language', 'supported_languages'],
	];

	test('each agent has every required field, and its voice fits', async () => {
		for (const { id } of emulator.store.agents.all()) {
			const { data } = (await send(`GET /agents/${id}`)).body;
			for (const field of REQUIRED) expect(data, data.name).toHaveProperty(field);
			if (data.voice) expect(data.voice.ai_provider).toBe(data.ai_provider);
		}
	});
});

describe('an agent update is refused', () => {
	test.each<[string, unknown]>([
		['an empty body', {}],
		['an array', []],
		['null', null],
		['an unknown property', { colour: 'red' }],
		['a read-only property: agent type', { agent_type: 'meta' }],
		['a read-only property: phone routing', { inbound_phone_number_id: null }],
		['a read-only property: caller id', { verified_caller_id: null }],
		['a read-only property: name', { name: 'x' }],
		['prompt_instructions of 20001', { prompt_instructions: 'x'.repeat(20_001) }],
		['prompt_instructions as a number', { prompt_instructions: 1 }],
		['first_message of 1001', { first_message: 'x'.repeat(1_001) }],
		['an unknown model', { ai_provider: 'gamma' }],
		['a disabled model', { ai_provider: 'omega', selected_voice: null }],
		['a blank model', { ai_provider: ' ' }],
		['a voice that is no uuid', { selected_voice: 'alba' }],
		['a blank voice', { selected_voice: '' }],
		['an unknown voice', { selected_voice: '00000000-0000-4000-8000-000000000000' }],
		['a language that is none', { default_language: 'english' }],
		['a language in capitals', { default_language: 'EN' }],
		['a code that is not assigned', { default_language: 'xx' }],
		['a blank language', { default_language: '' }],
		['languages as a string', { supported_languages: 'en' }],
		['a wrong one among the languages', { supported_languages: ['en', 'xx'] }],
		['a style with three fields', { conversation_style: { ...STYLE, pace: undefined } }],
		['a style with an unknown value', { conversation_style: { ...STYLE, tone: 'grim' } }],
		['a style with a blank value', { conversation_style: { ...STYLE, tone: '' } }],
		['a style with another property', { conversation_style: { ...STYLE, volume: 'high' } }],
		['a style as a string', { conversation_style: '' }],
		['custom_note of 501', { conversation_style: { ...STYLE, custom_note: 'x'.repeat(501) } }],
		['live settings without pauses', { live_conversation_settings: { backchannels: 'off' } }],
		['live settings without backchannels', { live_conversation_settings: { pauses: 'patient' } }],
		['live settings with another property', live({ volume: 1 })],
		['live settings with an unknown value', live({ pauses: 'long' })],
		['21 pronunciations', live({ pronunciations: words(21) })],
		['a pronunciation without say_as', pronounce({ term: 'a' })],
		['a blank term', pronounce({ term: '', say_as: 'b' })],
		['a term of 61', pronounce({ term: 'x'.repeat(61), say_as: 'b' })],
		['say_as of 121', pronounce({ term: 'a', say_as: 'x'.repeat(121) })],
		[
			'a pronunciation with another property',
			pronounce({ term: 'a', say_as: 'b', language: 'it' }),
		],
		['live_reasoning_effort none', { live_reasoning_effort: 'none' }],
		['reasoning_effort low', { reasoning_effort: 'low' }],
		['an unknown backend', { beta_backend: 'backend_third' }],
	])('%s', async (_, body) => {
		const before = structuredClone(agent);
		const answer = await patch(body);
		expect(answer.status).toBe(400);
		expect(answer.body).toMatchObject({
			ok: false,
			data: null,
			error: { code: 'INVALID_REQUEST' },
		});
		expect(agent).toEqual(before);
	});

	test.each<[string, (voices: typeof voiceOf) => object]>([
		['a voice of another model', (voices) => ({ selected_voice: voices('zeta') })],
		['a model the present voice does not fit', () => ({ ai_provider: 'beta' })],
		[
			'a model and a voice that do not fit',
			(voices) => ({ ai_provider: 'beta', selected_voice: voices('base') }),
		],
	])('%s', async (_, body) => {
		expect((await patch(body(voiceOf))).status).toBe(400);
	});
});

describe('an agent update is made', () => {
	test.each<[string, object, object]>([
		[
			'a text at its limit',
			{ first_message: 'x'.repeat(1_000) },
			{ first_message: 'x'.repeat(1_000) },
		],
		[
			'a limit counts characters',
			{ first_message: '🙂'.repeat(1_000) },
			{ first_message: '🙂'.repeat(1_000) },
		],
		['a blank prompt clears', { prompt_instructions: ' \n' }, { prompt_instructions: null }],
		['a blank first message clears', { first_message: '' }, { first_message: null }],
		['null clears a language', { default_language: null }, { default_language: null }],
		['null clears the languages', { supported_languages: null }, { supported_languages: null }],
		['languages', { supported_languages: ['it', 'de'] }, { supported_languages: ['it', 'de'] }],
		[
			'a style gets its empty note',
			{ conversation_style: STYLE },
			{ conversation_style: { ...STYLE, custom_note: '' } },
		],
		['null clears a style', { conversation_style: null }, { conversation_style: null }],
		['reasoning', { reasoning_effort: 'high' }, { reasoning_effort: 'high' }],
		['null follows the default', { reasoning_effort: null }, { reasoning_effort: null }],
		['live reasoning', { live_reasoning_effort: 'low' }, { live_reasoning_effort: 'low' }],
		[
			'null resets live reasoning',
			{ live_reasoning_effort: null },
			{ live_reasoning_effort: 'medium' },
		],
		['a backend', { beta_backend: 'backend_studio' }, { beta_backend: 'backend_studio' }],
		['null clears the backend', { beta_backend: null }, { beta_backend: null }],
	])('%s', async (_, body, expected) => {
		const { status, body: answer } = await patch(body);
		expect([status, answer.error, answer.meta]).toEqual([200, null, null]);
		expect(answer.data).toMatchObject(expected);
	});

	test('what is omitted stays, updated_at moves', async () => {
		const changing = emulator.store.addAgent('inbound', { updated_at: '2020-01-01T00:00:00.000Z' });
		const before = structuredClone(changing);
		const { data } = (await send(`PATCH /agents/${changing.id}`, { body: { first_message: 'Hi' } }))
			.body;
		expect(data).toMatchObject({ ...before, first_message: 'Hi', updated_at: data.updated_at });
		expect(data.updated_at > before.updated_at).toBe(true);
	});

	test('a model with a voice of its own', async () => {
		const body = { ai_provider: 'zeta', selected_voice: voiceOf('zeta') };
		const shown = { voice: { id: body.selected_voice }, ai_provider_display_name: 'Zeta' };
		expect((await patch(body)).body.data).toMatchObject({ ...body, ...shown });
		expect((await patch({ selected_voice: null })).body.data).toMatchObject({
			selected_voice: null,
			voice: null,
		});
		expect((await patch({ ai_provider: null })).body.data.ai_provider).toBeNull();
	});

	test.each<[string, object, unknown]>([
		['a list replaces', { pronunciations: words(20) }, words(20)],
		['omitted keeps', {}, words(20)],
		['null keeps', { pronunciations: null }, words(20)],
		['an empty list clears', { pronunciations: [] }, []],
	])('pronunciations: %s', async (_, settings, expected) => {
		expect(
			(await patch(live(settings))).body.data.live_conversation_settings.pronunciations,
		).toEqual(expected);
	});
});

describe('tools', () => {
	const tool = (name: string, id = agent.id) => `/agents/${id}/tools/${name}`;

	test('a phone agent has them, a meta agent has none', async () => {
		const meta = emulator.store.agents.find((candidate) => candidate.agent_type === 'meta')!;
		expect((await send(`GET /agents/${agent.id}/tools`)).body.data).toHaveLength(5);
		expect((await send(`GET /agents/${meta.id}/tools`)).body.data).toEqual([]);
		expect((await send(`GET ${tool('place-order', meta.id)}`)).status).toBe(404);
	});

	test.each<[string, object, number]>([
		['make-reservation', { enabled: false, max_party_size: 12 }, 200],
		['transfer-to-operator', { message: 'One moment' }, 200],
		['transfer-to-phone', { phone_number: '+390698765432' }, 200],
		['place-order', { catalogue_id: null }, 200],
		['transfer-to-phone', { phone_number: '0698765432' }, 400],
		['transfer-to-phone', { config: { enabled: true } }, 400],
		['make-reservation', { enabled: 'yes' }, 400],
		['place-order', {}, 400],
	])('PATCH %s %o: %i', async (name, body, status) => {
		const answer = await send(`PATCH ${tool(name)}`, { body });
		expect(answer.status).toBe(status);
		if (status === 200) expect((await send(`GET ${tool(name)}`)).body.data).toMatchObject(body);
	});

	test('end-the-call is only read', async () => {
		expect((await send(`GET ${tool('end-the-call')}`)).body.data.enabled).toBe(true);
		expect((await send(`PATCH ${tool('end-the-call')}`, { body: { enabled: false } })).status).toBe(
			501,
		);
	});
});
