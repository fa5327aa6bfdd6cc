import { Agent } from 'undici';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { clientOf, type Client } from '../emulator/client.ts';
import { DIALECTS } from '../emulator/dialects.ts';
import { startEmulator, type Emulator, type Fault } from '../emulator/index.ts';
import { TRAIT_NAMES, TRAITS } from '../emulator/readings.ts';

// The tests that let the API fail are worth something only if the emulator does fail as it is told.

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

test.each<[fault: Fault, answered: number | 'lost', made: number]>([
	[{ kind: 'status', status: 503 }, 503, 0],
	[{ kind: 'unauthorized' }, 401, 0],
	[{ kind: 'reset-before' }, 'lost', 0],
	[{ kind: 'reset-after' }, 'lost', 1],
	[{ kind: 'half-body' }, 'lost', 1],
	[{ kind: 'html' }, 200, 0],
	[{ kind: 'not-envelope' }, 200, 0],
	[{ kind: 'ok-false' }, 200, 0],
	[{ kind: 'no-data' }, 201, 1],
	[{ kind: 'wrong-data' }, 201, 1],
	[{ kind: 'redirect', location: 'http://elsewhere.test/' }, 302, 0],
])('%o answers a change with %s, and makes %i', async (fault, answered, made) => {
	const before = emulator.store.catalogues.size;
	emulator.faults.add(fault);
	const answer = await send('POST /catalogues', { body: { name: 'Wine' } }).catch(() => 'lost');
	expect(typeof answer === 'string' ? answer : answer.status).toBe(answered);
	expect(emulator.store.catalogues.size - before).toBe(made);
});

test('a total is left out or wrong, and the records are right', async () => {
	emulator.faults.add({ kind: 'no-meta' });
	emulator.faults.add({ kind: 'lying-meta', total: 7 });
	const bodies = [];
	for (let n = 0; n < 3; n += 1) bodies.push((await send('GET /orders')).body);
	expect(bodies.map(({ meta }) => meta?.total_items)).toEqual([undefined, 7, 12]);
	expect(bodies[0].data).toEqual(bodies[2].data);
});

test('a fault can skip requests, meet several, and be for one route only', async () => {
	const only = { match: ({ route }: { route?: string }) => route === 'GET /wallet' };
	emulator.faults.add({ kind: 'status', status: 503, times: 2, skip: 1, ...only });
	const statuses = [];
	for (const path of ['wallet', 'usage', 'wallet', 'wallet', 'wallet'])
		statuses.push((await send(`GET /${path}`)).status);
	expect(statuses).toEqual([200, 200, 503, 503, 200]);
});

test('a rate limit refuses what is too much, and accepts as many as it promises', async () => {
	emulator.faults.add({ kind: 'rate-limit', perSecond: 5, retryAfter: true });
	const answers = await Promise.all(Array.from({ length: 12 }, () => send('GET /wallet')));
	const limited = answers.filter(({ status }) => status === 429);
	expect(limited.length).toBeGreaterThanOrEqual(5);
	expect(answers.length - limited.length).toBeGreaterThanOrEqual(5);
	expect(limited.every(({ headers }) => headers['retry-after'] === '1')).toBe(true);
});

test.each([
	[{ limited: '429 seconds' } as const, 429, '3'],
	[{ limited: '503 unsaid' } as const, 503, undefined],
])('a rate limit in the words of a dialect: %o', async (readings, status, wait) => {
	const own = await startEmulator({ data: 'small', readings });
	own.faults.add({ kind: 'limited', seconds: 3 });
	const answer = await clientOf(own)('GET /orders');
	await own.close();
	expect([answer.status, answer.headers['retry-after']]).toEqual([status, wait]);
});

test.each(TRAIT_NAMES)('each reading of the trait %s is spoken by a dialect', (trait) => {
	// The first reading is the emulator's own.
	for (const value of TRAITS[trait].slice(1)) {
		const isSpoken = Object.values(DIALECTS).some(({ readings }) => readings[trait] === value);
		expect(isSpoken, value).toBe(true);
	}
});
