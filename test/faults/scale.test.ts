import type { INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { startFarEmulator, type FarEmulator } from '../bench/farEmulator.ts';
import { locator } from '../support/samples.ts';
import { isFull, run, tally } from './lab.ts';
import { Meter } from './meter.ts';

const RECORDS = isFull ? 100_000 : 5000;
const ITEMS = isFull ? 10_000 : 500;
const KILOBYTE = 1024;

/** Bytes of heap: about twice what was measured in both forms of the test. */
const LIMITS = {
	/** The result of a run, and what the run still holds. */
	left: { base: 10 * KILOBYTE * KILOBYTE, perRecord: 1.5 * KILOBYTE, perItem: 1.5 * KILOBYTE },
	/** With the garbage, which grows with each request. */
	peak: { base: 80 * KILOBYTE * KILOBYTE, perRecord: 3 * KILOBYTE, perItem: 24 * KILOBYTE },
};

let api: FarEmulator;

beforeAll(async () => {
	api = await startFarEmulator();
	await api.fill({ calls: RECORDS, contacts: 1000 });
}, 120_000);
// Without latency, the server ends each request before it takes the next one.
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

const measured = async (parameters: INodeParameters, ids?: string[]) => {
	const meter = new Meter();
	let memory = { peak: 0, left: 0 };
	const began = performance.now();
	let took = 0;
	const result = await run(api, {
		parameters,
		items: ids && itemsOf(ids, ITEMS),
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
});
