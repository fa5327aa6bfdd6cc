import { describe, expect, it, onTestFinished } from 'vitest';

import { startEmulator, type Emulator, type LoggedRequest } from '../emulator/index.ts';
import { locator } from '../support/samples.ts';
import { letWaitsPass } from '../support/sleep.ts';
import { isFull, run } from './lab.ts';

const refusals = (requests: LoggedRequest[]) =>
	requests.filter(({ status }) => status === 429).length;

/** Of so many requests, at most one in ten is refused, or those of the first burst. */
const mostRefused = (count: number) => Math.max(50, count / 10);

async function withEmulator(test: (emulator: Emulator) => Promise<void>): Promise<void> {
	const emulator = await startEmulator({ data: 'small' });
	await test(emulator).finally(emulator.close);
}

/** Reads as many contacts one by one, and measures the time. */
async function getContacts(emulator: Emulator, count: number, onError?: string) {
	const ids = emulator.store.contacts.all().map(({ id }) => id);
	const result = await run(emulator, {
		parameters: {
			resource: 'contact',
			operation: 'get',
			contact: locator('={{ $json.id }}'),
		},
		items: Array.from({ length: count }, (_, at) => ({ json: { id: ids[at % ids.length]! } })),
		node: onError ? { onError: onError as 'continueRegularOutput' } : {},
	});
	return { ...result, ids };
}

// The emulator allows the requests of one second at once, and then that many a second. The limits are
// so low that even a busy machine reaches them.
const LIMITS = isFull
	? [
			{ count: 500, perSecond: 20, retryAfter: true },
			{ count: 500, perSecond: 20, retryAfter: false },
		]
	: [{ count: 24, perSecond: 3, retryAfter: true }];

describe.concurrent('more items than the API allows', () => {
	it.each(LIMITS)('$count items at $perSecond a second, Retry-After $retryAfter', async (limit) => {
		const { count, perSecond, retryAfter } = limit;
		await withEmulator(async (emulator) => {
			emulator.faults.add({ kind: 'rate-limit', perSecond, retryAfter });
			const { error, json, ids, hints } = await getContacts(emulator, count);
			expect(error).toBeUndefined();
			expect(json.map(({ id }) => id)).toEqual(
				Array.from({ length: count }, (_, at) => ids[at % ids.length]),
			);
			const refused = refusals(emulator.requests);
			expect(refused).toBeGreaterThan(0);
			expect(refused).toBeLessThanOrEqual(mostRefused(count));
			expect(emulator.requests.length).toBe(count + refused);
			const said = hints.map(({ message }) => message).join();
			expect(said).toMatch(/rate limit or load delayed this node by up to \d+\.\d seconds/);
		});
	});

	it('writes, none of which is made twice', async () => {
		await withEmulator(async (emulator) => {
			// So low that even a slow machine reaches it.
			const count = 24;
			const before = emulator.store.contacts.size;
			emulator.faults.add({ kind: 'rate-limit', perSecond: 3 });
			const phone = (at: number) => `+39347${String(1_000_000 + at)}`;
			const { error, json } = await run(emulator, {
				parameters: {
					resource: 'contact',
					operation: 'create',
					specifyFields: 'json',
					json: '={{ { phone_number: $json.phone } }}',
					options: { writes: 8 },
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
});

describe('an API that goes on refusing', () => {
	it.each([['0.2'], ['130'], [undefined], [new Date(Date.now() - 1000).toUTCString()]])(
		'Retry-After %s: given up within two minutes',
		async (retryAfter) => {
			onTestFinished(letWaitsPass());
			await withEmulator(async (emulator) => {
				emulator.faults.add({ kind: 'status', status: 429, retryAfter, times: Infinity });
				const { error } = await getContacts(emulator, 30);
				expect(error?.message).toMatch(/^The server is busy: .+ \(429 HTTP_429\)$/);
				expect(error?.description).toMatch(/longer than 120 s\. Send fewer items/);
				expect(error?.httpCode).toBe('429');
			});
		},
	);
});
