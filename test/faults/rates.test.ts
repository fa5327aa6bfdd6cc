import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';

import type { LoggedRequest } from '../emulator/index.ts';
import { locator } from '../support/samples.ts';
import { isFull, run, startEmulator, tally, type Emulator } from './lab.ts';

afterAll(() => console.log(`Rate limits: ${tally.runs} runs, ${tally.requests} requests`));

const refusals = (requests: LoggedRequest[]) =>
	requests.filter(({ status }) => status === 429).length;

/** The most requests that run in parallel. */
const UNDER_WAY = 50;

/** At the first refusal, all requests that run are refused. Trying out a faster pace costs a few more. */
const MOST_REFUSED = UNDER_WAY + 30;

async function withEmulator(test: (emulator: Emulator) => Promise<void>): Promise<void> {
	const emulator = await startEmulator({ data: 'small' });
	await test(emulator).finally(emulator.close);
}

/** Reads as many contacts one by one, and measures the time. */
async function getContacts(
	emulator: Emulator,
	count: number,
	requestOptions = {},
	onError?: string,
) {
	const ids = emulator.store.contacts.all().map(({ id }) => id);
	const began = performance.now();
	const result = await run(emulator, {
		parameters: {
			resource: 'contact',
			operation: 'get',
			contact: locator('={{ $json.id }}'),
			requestOptions,
		},
		items: Array.from({ length: count }, (_, at) => ({ json: { id: ids[at % ids.length]! } })),
		node: onError ? { onError: onError as 'continueRegularOutput' } : {},
	});
	return { ...result, ids, took: performance.now() - began };
}

// The emulator allows the requests of one second at once, and then that many a second. The limits are
// so low that even a busy machine reaches them.
const LIMITS = isFull
	? [
			{ count: 500, perSecond: 20, retryAfter: true },
			{ count: 500, perSecond: 20, retryAfter: false },
			{ count: 60, perSecond: 5, retryAfter: false },
			{ count: 1000, perSecond: 100, retryAfter: true },
		]
	: [
			{ count: 24, perSecond: 3, retryAfter: true },
			{ count: 30, perSecond: 4, retryAfter: false },
		];

describe.concurrent('more items than the API allows', () => {
	it.each(LIMITS)('$count items at $perSecond a second, Retry-After $retryAfter', async (limit) => {
		const { count, perSecond, retryAfter } = limit;
		await withEmulator(async (emulator) => {
			emulator.faults.add({ kind: 'rate-limit', perSecond, retryAfter });
			const { error, json, ids, hints, took } = await getContacts(emulator, count);

			expect(error).toBeUndefined();
			expect(json.map(({ id }) => id)).toEqual(
				Array.from({ length: count }, (_, at) => ids[at % ids.length]),
			);
			const refused = refusals(emulator.requests);
			const least = Math.max(0, (count - perSecond) / perSecond) * 1000;
			console.log(
				`${count} items at ${perSecond}/s, Retry-After ${retryAfter}: ${refused} refused of ${emulator.requests.length}, ${(took / 1000).toFixed(1)} s where ${(least / 1000).toFixed(1)} s is the least`,
			);
			expect(refused).toBeLessThanOrEqual(MOST_REFUSED);
			expect(emulator.requests.length).toBe(count + refused);
			const first = emulator.requests.find(({ status }) => status === 429)?.at ?? Infinity;
			const tooSoon = emulator.requests.filter(({ at }) => at > first && at < first + 900);
			// Retry-After says one second. Requests that were sent before still arrive.
			if (retryAfter) expect(tooSoon.length).toBeLessThanOrEqual(UNDER_WAY);
			// unit/pace tests the pace itself, with a simulated clock.
			expect(took).toBeLessThan(least * 2 + 20_000);
			const said = hints.map(({ message }) => message).join();
			expect(refused).toBeGreaterThan(0);
			expect(said).toMatch(/rate limit delayed this node by \d+\.\d seconds/);
		});
	});

	it.each<[form: string, headers: (remaining: number, seconds: number) => Record<string, string>]>([
		[
			'X-RateLimit-Remaining',
			(remaining, seconds) => ({
				'x-ratelimit-remaining': String(remaining),
				'x-ratelimit-reset': String(Math.ceil(Date.now() / 1000) + seconds),
			}),
		],
		['RateLimit', (remaining, seconds) => ({ ratelimit: `"a";r=${remaining};t=${seconds}` })],
	])('none is refused by a server that says in %s what is left', async (_form, headers) => {
		await withEmulator(async (emulator) => {
			// The first requests run at once, before the headers can say anything.
			emulator.faults.add({ kind: 'rate-limit', perSecond: 2, burst: 12, headers });
			const { error, json, hints } = await getContacts(emulator, 24);
			expect(error).toBeUndefined();
			expect(json.length).toBe(24);
			expect(refusals(emulator.requests)).toBe(0);
			expect(hints.length).toBe(1);
		});
	});

	it('a list of many pages', async () => {
		await withEmulator(async (emulator) => {
			emulator.store.fill({ calls: 3000 });
			const ids = emulator.store.calls.all().map(({ id }) => id);
			emulator.faults.add({ kind: 'rate-limit', perSecond: 15 });
			const { error, json } = await run(emulator, {
				parameters: { resource: 'call', operation: 'getAll', returnAll: true },
			});
			expect(error).toBeUndefined();
			expect(json.map(({ id }) => id).sort()).toEqual(ids.sort());
			expect(refusals(emulator.requests)).toBeLessThanOrEqual(MOST_REFUSED);
		});
	});

	it('writes, none of which is made twice', async () => {
		await withEmulator(async (emulator) => {
			// So low that even a slow machine reaches it.
			const count = 24;
			const before = emulator.store.contacts.size;
			emulator.faults.add({ kind: 'rate-limit', perSecond: 6 });
			const phone = (at: number) => `+39347${String(1_000_000 + at)}`;
			const { error, json } = await run(emulator, {
				parameters: {
					resource: 'contact',
					operation: 'create',
					specifyFields: 'json',
					json: '={{ { phone_number: $json.phone } }}',
					requestOptions: { writes: 8 },
				},
				items: Array.from({ length: count }, (_, at) => ({ json: { phone: phone(at) } })),
			});
			expect(error).toBeUndefined();
			expect(json.map(({ phone_number: number }) => number)).toEqual(
				Array.from({ length: count }, (_, at) => phone(at)),
			);
			expect(emulator.store.contacts.size).toBe(before + count);
			expect(emulator.requests.filter(({ handled }) => handled).length).toBe(count);
			expect(refusals(emulator.requests)).toBeGreaterThan(0);
		});
	});

	it('one refusal by chance does not slow the rest', async () => {
		await withEmulator(async (emulator) => {
			emulator.faults.add({ kind: 'status', status: 429, skip: 1 });
			const { error, took } = await getContacts(emulator, 300);
			expect(error).toBeUndefined();
			// At the pace that one refusal suggests, it would take minutes.
			expect(took).toBeLessThan(25_000);
		});
	});
});

describe.concurrent('an API that goes on refusing', () => {
	it.each([
		['0.2', 1.2],
		['30', 2],
		[undefined, 1.5],
		[new Date(Date.now() - 1000).toUTCString(), 1.5],
	])('Retry-After %s: given up within a Max Wait of %d s', async (retryAfter, maxWait) => {
		await withEmulator(async (emulator) => {
			emulator.faults.add({ kind: 'status', status: 429, retryAfter, times: Infinity });
			const { error, took } = await getContacts(emulator, 30, { maxWait });
			// If it waited longer, it would be for 30 s or without end.
			expect(took).toBeLessThan(maxWait * 1000 + 15_000);
			expect(error?.message).toMatch(
				/^Contact: Get: the server is busy \(status 429 HTTP_429: .+\) and asks to wait longer than allowed$/,
			);
			expect(error?.description).toMatch(
				new RegExp(`than the 'Max Wait' of ${maxWait} s\\. Raise 'Max Wait'`),
			);
			expect(error?.httpCode).toBe('429');

			// Requests that were sent before still arrive, but no others.
			await sleep(1000);
			const { length } = emulator.requests;
			await sleep(500);
			expect(emulator.requests.length).toBe(length);
		});
	});

	it('with Continue On Fail every item says so', async () => {
		await withEmulator(async (emulator) => {
			emulator.faults.add({ kind: 'status', status: 429, retryAfter: '30', times: Infinity });
			const { json, items } = await getContacts(
				emulator,
				25,
				{ maxWait: 1 },
				'continueRegularOutput',
			);
			expect(json.length).toBe(25);
			for (const { error } of json)
				expect(error).toMatch(/the server is busy \(status 429 HTTP_429: .+\)/);
			expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
				Array.from({ length: 25 }, (_, item) => ({ item })),
			);
		});
	});
});
