import { Agent } from 'undici';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clientOf } from '../emulator/client.ts';
import type { Client, Received } from '../emulator/client.ts';
import { startEmulator } from '../emulator/index.ts';
import type { Emulator, Fault } from '../emulator/index.ts';

let emulator: Emulator;
let send: Client;
let dispatcher: Agent;

beforeAll(async () => {
	emulator = await startEmulator();
});
beforeEach(() => {
	dispatcher = new Agent();
	const plain = clientOf(emulator);
	send = (call, sent) => plain(call, { dispatcher, ...sent });
});
afterEach(async () => {
	emulator.reset();
	await dispatcher.destroy();
});
afterAll(() => emulator.close());

const placed = () => emulator.store.catalogues.all().filter(({ name }) => name === 'Wine').length;
const place = () => send('POST /catalogues', { body: { name: 'Wine' } });

/** What a fault makes of a write: its answer, or 'lost'; and whether the write was made. */
async function under(
	fault: Fault,
): Promise<{ answer: Received | 'lost'; made: number; handled: boolean; status: number }> {
	emulator.faults.add(fault);
	const before = placed();
	const answer = await place().catch(() => 'lost' as const);
	const { handled, status } = emulator.requests.at(-1)!;
	return { answer, made: placed() - before, handled, status };
}

const NOT_HANDLED = { made: 0, handled: false };
const HANDLED = { made: 1, handled: true };

describe('each fault does what it says', () => {
	test.each<[Fault, object]>([
		[
			{ kind: 'status', status: 503 },
			{
				...NOT_HANDLED,
				status: 503,
				answer: { status: 503, body: { ok: false, error: { code: 'HTTP_503' } } },
			},
		],
		[
			{ kind: 'status', status: 409, code: 'CONFLICT', message: 'changed meanwhile' },
			{
				...NOT_HANDLED,
				answer: {
					status: 409,
					body: { error: { code: 'CONFLICT', message: 'changed meanwhile' } },
				},
			},
		],
		[
			{ kind: 'status', status: 429, retryAfter: 'Wed, 21 Oct 2026 07:28:00 GMT' },
			{ ...NOT_HANDLED, answer: { headers: { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' } } },
		],
		[
			{ kind: 'status', status: 502, body: 'Bad Gateway' },
			{ ...NOT_HANDLED, answer: { status: 502, body: 'Bad Gateway' } },
		],
		[
			{ kind: 'status', status: 500, body: { oops: true } },
			{ ...NOT_HANDLED, answer: { status: 500, body: { oops: true } } },
		],
		[
			{ kind: 'unauthorized' },
			{
				...NOT_HANDLED,
				answer: { status: 401, body: { error: { code: 'AUTHENTICATION_FAILED' } } },
			},
		],
		[{ kind: 'reset-before' }, { ...NOT_HANDLED, answer: 'lost', status: 0 }],
		[{ kind: 'reset-after' }, { ...HANDLED, answer: 'lost', status: 0 }],
		[{ kind: 'half-body' }, { ...HANDLED, answer: 'lost', status: 200 }],
		[
			{ kind: 'html' },
			{
				...NOT_HANDLED,
				answer: { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } },
			},
		],
		[
			{ kind: 'not-envelope' },
			{ ...NOT_HANDLED, answer: { status: 200, body: { hello: 'world' } } },
		],
		[
			{ kind: 'ok-false' },
			{
				...NOT_HANDLED,
				answer: { status: 200, body: { ok: false, error: { code: 'INVALID_REQUEST' } } },
			},
		],
		[
			{ kind: 'wrong-data' },
			{ ...HANDLED, answer: { status: 201, body: { ok: true, data: expect.any(String) } } },
		],
		[
			{ kind: 'redirect', location: 'http://elsewhere.test/' },
			{ ...NOT_HANDLED, answer: { status: 302, headers: { location: 'http://elsewhere.test/' } } },
		],
		[
			{ kind: 'redirect', location: '/v1/wallet', status: 307 },
			{ ...NOT_HANDLED, answer: { status: 307 } },
		],
	])('%o', async (fault, outcome) => {
		expect(await under(fault)).toMatchObject(outcome);
		expect((await place()).status).toBe(201);
	});

	test('no-data', async () => {
		const { answer } = await under({ kind: 'no-data' });
		expect((answer as Received).body).toEqual({ ok: true, meta: null, error: null });
	});

	test('no-meta and lying-meta', async () => {
		emulator.faults.add({ kind: 'no-meta' });
		emulator.faults.add({ kind: 'lying-meta', total: 7 });
		const [without, lying, honest] = [
			await send('GET /orders'),
			await send('GET /orders'),
			await send('GET /orders'),
		];
		expect(without.body).toMatchObject({ meta: null, data: honest.body.data });
		expect([lying.body.meta.total_items, honest.body.meta.total_items]).toEqual([7, 12]);
	});

	test('latency delays, and another fault may come on top', async () => {
		emulator.faults.add({ kind: 'latency', ms: 60, times: 2 });
		emulator.faults.add({ kind: 'status', status: 500 });
		const start = performance.now();
		expect([(await send('GET /wallet')).status, (await send('GET /wallet')).status]).toEqual([
			500, 200,
		]);
		expect(performance.now() - start).toBeGreaterThan(115);
	});

	test('hang never answers', async () => {
		emulator.faults.add({ kind: 'hang' });
		const answer = send('GET /wallet').catch(() => 'lost');
		const patience = new Promise((done) => setTimeout(done, 150, 'waiting'));
		expect(await Promise.race([answer, patience])).toBe('waiting');
	});
});

describe('which requests a fault meets', () => {
	const statuses = async (count: number, call = 'GET /wallet') => {
		const seen: number[] = [];
		for (let n = 0; n < count; n += 1) seen.push((await send(call)).status);
		return seen;
	};

	test('times and skip', async () => {
		emulator.faults.add({ kind: 'status', status: 503, times: 2, skip: 1 });
		expect(await statuses(5)).toEqual([200, 503, 503, 200, 200]);
	});

	test('match', async () => {
		emulator.faults.add({
			kind: 'status',
			status: 503,
			times: Infinity,
			match: ({ route }) => route === 'GET /usage',
		});
		expect(await statuses(2)).toEqual([200, 200]);
		expect(await statuses(2, 'GET /usage')).toEqual([503, 503]);
		emulator.faults.clear();
		expect(await statuses(1, 'GET /usage')).toEqual([200]);
	});

	test('a rate limit stands, and lets pass what it promises', async () => {
		emulator.faults.add({ kind: 'rate-limit', perSecond: 5, retryAfter: true });
		const answers = await Promise.all(Array.from({ length: 12 }, () => send('GET /wallet')));
		const limited = answers.filter(({ status }) => status === 429);
		expect(limited.length).toBeGreaterThanOrEqual(5);
		expect(answers.length - limited.length).toBeGreaterThanOrEqual(5);
		expect(limited.every(({ headers }) => headers['retry-after'] === '1')).toBe(true);
		await new Promise((done) => setTimeout(done, 450));
		expect(await statuses(1)).toEqual([200]);
	});
});

test('closing comes to its end, whatever hangs', async () => {
	const own = await startEmulator();
	own.faults.add({ kind: 'hang' });
	const waiting = clientOf(own)('GET /wallet', { dispatcher }).catch(() => 'lost');
	while (own.requests.length === 0) await new Promise((done) => setTimeout(done, 5));
	await own.close();
	expect(await waiting).toBe('lost');
});

test('500 requests in seconds', async () => {
	const own = await startEmulator({ data: 'demo' });
	const ask = clientOf(own);
	const count = 500;
	const start = performance.now();
	await Promise.all(
		Array.from({ length: 10 }, async () => {
			for (let n = 0; n < count / 10; n += 1)
				await ask('GET /call-history', { dispatcher, query: { limit: 10 } });
		}),
	);
	expect(performance.now() - start).toBeLessThan(20_000);
	await own.close();
});
