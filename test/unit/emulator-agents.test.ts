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
