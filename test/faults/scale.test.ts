import { setTimeout as sleep } from 'node:timers/promises';
import type { INode, INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { startFarEmulator, type FarEmulator } from '../bench/farEmulator.ts';
import { locator } from '../support/samples.ts';
import { isFull, run, tally } from './lab.ts';
import { Meter } from './meter.ts';

const RECORDS = isFull ? 100_000 : 5000;
const ITEMS = isFull ? 10_000 : 500;
/** More than can be done before the Stop button is pressed. */
const STOPPED = isFull ? 5000 : 1000;
const KILOBYTE = 1024;

/** Bytes of heap: about twice what was measured, in the short and in the full form of the test. */
const LIMITS = {
	/** What the result of a run takes, and whatever the run did not let go. */
	left: { base: 10 * KILOBYTE * KILOBYTE, perRecord: 1.5 * KILOBYTE, perItem: 1.5 * KILOBYTE },
	/** With the garbage, of which there is more with each request. */
	peak: { base: 80 * KILOBYTE * KILOBYTE, perRecord: 3 * KILOBYTE, perItem: 24 * KILOBYTE },
};

let api: FarEmulator;

beforeAll(async () => {
	api = await startFarEmulator();
	await api.fill({ calls: RECORDS, contacts: 1000 });
}, 120_000);
// Without any, a server of one thread is done with each request before it takes the next.
beforeEach(async () => await api.latency(3));
afterAll(async () => {
	await api.close();
	console.log(`Scale: ${tally.runs} runs, ${tally.requests} requests`);
});

const megabytes = (bytes: number) => `${Math.round(bytes / KILOBYTE / KILOBYTE)} MB`;

const allCalls = (requestOptions: INodeParameters = {}): INodeParameters => ({
	resource: 'call',
	operation: 'getAll',
	returnAll: true,
	simplify: false,
	requestOptions,
});

const oneContact = (requestOptions: INodeParameters = {}): INodeParameters => ({
	resource: 'contact',
	operation: 'get',
	contact: locator('={{ $json.id }}'),
	simplify: false,
	requestOptions,
});

const itemsOf = (ids: string[], count: number) =>
	Array.from({ length: count }, (_, at) => ({ json: { id: ids[at % ids.length]! } }));

const measured = async (parameters: INodeParameters, ids?: string[], node?: Partial<INode>) => {
	const meter = new Meter();
	let memory = { peak: 0, left: 0 };
	const began = performance.now();
	let took = 0;
	const result = await run(api, {
		parameters,
		items: ids && itemsOf(ids, ITEMS),
		node,
		onDone: () => {
			took = performance.now() - began;
			memory = meter.stop();
		},
	});
	return { ...result, ...memory, took };
};

describe(`${RECORDS} records through Return All`, () => {
	it.each([
		[50, {}],
		[3, { concurrency: 3 }],
	])(
		'all of them once, in their order, at most %i requests at once',
		async (parallel, options) => {
			const wanted = await api.ids('calls');
			const { error, json, items, peak, left, took } = await measured(allCalls(options));
			expect(error).toBeUndefined();
			expect(json.length).toBe(wanted.length);
			expect(json.map(({ id }) => id)).toEqual(wanted);
			expect(items.every(({ pairedItem }) => (pairedItem as { item: number }).item === 0)).toBe(
				true,
			);

			const { requests, most } = await api.seen();
			console.log(
				`Return All of ${json.length}: ${requests} requests, ${most} at once, ${Math.round(took)} ms, heap +${megabytes(peak)} at the most, +${megabytes(left)} with the result`,
			);
			expect(most).toBeLessThanOrEqual(parallel);
			expect(requests).toBeLessThanOrEqual(Math.ceil(wanted.length / 99) + 1);
			expect(left).toBeLessThan(LIMITS.left.base + RECORDS * LIMITS.left.perRecord);
			expect(peak).toBeLessThan(LIMITS.peak.base + RECORDS * LIMITS.peak.perRecord);
		},
		300_000,
	);
});

describe(`${ITEMS} items`, () => {
	it('read in parallel: each once, in order, paired', async () => {
		const ids = await api.ids('contacts');
		const { error, json, items, peak, left, took } = await measured(
			oneContact({ concurrency: 7 }),
			ids,
		);
		expect(error).toBeUndefined();
		expect(json.map(({ id }) => id)).toEqual(itemsOf(ids, ITEMS).map(({ json: { id } }) => id));
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			Array.from({ length: ITEMS }, (_, item) => ({ item })),
		);
		const { requests, most } = await api.seen();
		console.log(
			`${ITEMS} items: ${requests} requests, ${most} at once, ${Math.round(took)} ms, heap +${megabytes(peak)} at the most, +${megabytes(left)} with the result`,
		);
		expect(requests).toBe(ITEMS);
		expect(most).toBeGreaterThan(3);
		expect(most).toBeLessThanOrEqual(7);
		expect(left).toBeLessThan(LIMITS.left.base + ITEMS * LIMITS.left.perItem);
		expect(peak).toBeLessThan(LIMITS.peak.base + ITEMS * LIMITS.peak.perItem);
	}, 300_000);

	it.each([
		[1, {}],
		[4, { writes: 4 }],
	])(
		'written %i at a time, in order, paired',
		async (parallel, options) => {
			const count = ITEMS / 10;
			await api.latency(5);
			const { error, json, items } = await run(api, {
				parameters: {
					resource: 'catalogue',
					operation: 'create',
					specifyFields: 'json',
					json: '={{ { name: $json.name } }}',
					requestOptions: options,
				},
				items: Array.from({ length: count }, (_, at) => ({ json: { name: `Menu ${at}` } })),
			});
			expect(error).toBeUndefined();
			expect(json.map(({ name }) => name)).toEqual(
				Array.from({ length: count }, (_, at) => `Menu ${at}`),
			);
			expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
				Array.from({ length: count }, (_, item) => ({ item })),
			);
			const { requests, most } = await api.seen();
			expect(requests).toBe(count);
			expect(most).toBeLessThanOrEqual(parallel);
		},
		120_000,
	);

	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'of which three in ten fail, with %s: each is paired',
		async (onError) => {
			const known = await api.ids('contacts');
			const isBad = (at: number) => at % 10 < 3;
			const missing = '3f2b8c1e-5d7a-4e90-9b1c-2a6d4f8e0b37';
			const ids = Array.from({ length: ITEMS }, (_, at) =>
				isBad(at) ? missing : known[at % known.length]!,
			);
			const { error, outputs } = await measured(oneContact(), ids, { onError });
			expect(error).toBeUndefined();
			const pairs = outputs.map((items) =>
				items.map(({ pairedItem }) => (pairedItem as { item: number }).item),
			);
			const all = Array.from({ length: ITEMS }, (_, at) => at);
			if (onError === 'continueRegularOutput') expect(pairs).toEqual([all]);
			else expect(pairs).toEqual([all.filter((at) => !isBad(at)), all.filter(isBad)]);
			for (const { json, pairedItem } of outputs.flat()) {
				const { item } = pairedItem as { item: number };
				if (isBad(item)) expect(json.error).toMatch(/^Contact: Get: 404 NOT_FOUND/);
				else expect(json.id).toBe(ids[item]);
			}
			expect((await api.seen()).requests).toBe(ITEMS);
		},
		300_000,
	);
});

describe('the Stop button', () => {
	it.each<[string, INodeParameters, boolean]>([
		['a list', allCalls({ concurrency: 2 }), false],
		['many items', oneContact(), true],
		['many items with Continue On Fail', oneContact(), true],
		['items that wait for a rate limit', oneContact({ maxWait: 600 }), true],
	])(
		'in the middle of %s: no more is sent than was about to go',
		async (what, parameters, isMany) => {
			await api.latency(20);
			const isLimited = /rate limit/.test(what);
			if (isLimited) {
				await api.fault({ kind: 'status', status: 429, retryAfter: '300', skip: 30, times: 1e9 });
			}
			const ids = await api.ids('contacts');
			let atStop = 0;
			const midway = async () => {
				while (atStop < (isLimited ? 35 : 20)) {
					await sleep(20);
					atStop = (await api.seen()).requests;
				}
			};
			await run(api, {
				parameters,
				items: isMany ? itemsOf(ids, STOPPED) : undefined,
				node: /Continue/.test(what) ? { onError: 'continueRegularOutput' } : {},
				cancelAfter: midway(),
			});
			await sleep(1500);
			const { requests } = await api.seen();
			// Those under way, and what came between the count and the stop; else hundreds, or all pages.
			expect(requests - atStop).toBeLessThan(isMany ? 100 : 10);
			expect(requests).toBeLessThan(isMany ? STOPPED : RECORDS / 99);
		},
		60_000,
	);
});
