import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { Readings } from '../emulator/index.ts';
import { ENGINES } from '../support/poller.ts';
import { EVENTS, HOUR, LIST_NAMES, MINUTE, SECOND, stage, type Stage } from '../support/stage.ts';

/** Lists that are followed by date without a further request for each record. */
const LISTS: Record<string, (store: Stage['store'], created_at: string) => string> = {
	newCall: (store, created_at) => store.addCall({ created_at }).id,
	newOrder: (store, created_at) => store.addOrder({ created_at }).id,
	newTransaction: (store, created_at) => store.addTransaction({ created_at }).id,
};

const SERVERS: Record<string, Partial<Readings>> = {
	'created_after exclusive': { bound: 'exclusive', ascending: 'served' },
	'created_after inclusive, ascending refused': { bound: 'inclusive', ascending: 'refused' },
	'ascending ignored': { bound: 'exclusive', ascending: 'ignored' },
};

const CASES = [
	...Object.keys(SERVERS).map((server) => ['newCall', server] as const),
	['newOrder', 'created_after inclusive, ascending refused'],
	['newTransaction', 'ascending ignored'],
] as const;

const limited = (pollLimit: number): INodeParameters => ({ options: { pollLimit } });

describe.each(CASES)('%s, %s', (event, server) => {
	/** An active workflow, and a function that adds records of a given age. */
	async function active(parameters?: INodeParameters) {
		const given = await stage({ event, readings: SERVERS[server], parameters });
		await given.poller.activate();
		const many = (count: number, ago: (i: number) => number) =>
			Array.from({ length: count }, (_, i) => LISTS[event]!(given.store, given.clock.iso(ago(i))));
		return { ...given, many };
	}

	it('takes 450 records between two polls, oldest first, with one request per 100 and one more [P8]', async () => {
		const { tick, many, poller, clock, requestsOf } = await active(limited(1000));
		clock.advance(HOUR);
		const ids = many(450, (i) => (450 - i) * SECOND);
		const requests = await requestsOf(async () => await tick());
		expect(poller.ids).toEqual(ids);
		expect(requests).toBeLessThanOrEqual(Math.ceil(450 / 100) + 1);
		expect(await tick()).toEqual([]);
	});

	it('needs one request if nothing happens, and the look-back has fewer than 100 records', async () => {
		const { tick, many, clock, requestsOf } = await active();
		clock.advance(HOUR);
		many(99, (i) => i * SECOND);
		expect(await tick()).toHaveLength(99);
		expect(await requestsOf(async () => await tick())).toBe(1);
		many(100, (i) => i * SECOND);
		await tick();
		expect(await requestsOf(async () => await tick())).toBeLessThanOrEqual(3);
		clock.advance(4 * HOUR);
		many(1, () => 0);
		await tick();
		await tick();
		expect(await requestsOf(async () => await tick())).toBe(1);
	});
});

// What the trigger does while requests fail, while n8n's clock is wrong, and with records that are late,
// dated in the future or bad is played by unit/trigger.model in random histories.

it('n8n’s clock may be wrong by hours, and nothing is lost or comes twice', async () => {
	const { store, clock, poller, tick } = await stage({ event: 'newCall', ahead: 5 * HOUR });
	await poller.activate();
	const ids = [store.addCall().id];
	await tick(20 * MINUTE);
	ids.push(store.addCall({ created_at: clock.iso() }, { visibleAt: clock.server + HOUR }).id);
	await tick();
	await tick(2 * HOUR);
	await tick();
	expect(poller.ids).toEqual(ids);
});

it(
	'10,500 orders of one date start the workflow once each [P7] [P76]',
	{ timeout: 60_000 },
	async () => {
		const parameters = limited(4000);
		const { store, clock, poller, tick } = await stage({ event: 'newOrder', parameters });
		await poller.activate();
		clock.advance(HOUR);
		const created_at = clock.iso();
		for (let i = 0; i < 10_500; i++) store.addOrder({ created_at });
		for (let polls = 0; polls < 4; polls++) await tick();
		expect(new Set(poller.ids).size).toBe(10_500);
		expect(poller.ids).toHaveLength(10_500);
	},
);

it.each(LIST_NAMES)(
	'%s: a first activation that fails half-way leaves nothing behind [P2]',
	async (event) => {
		const given = await stage({ event });
		const { clock, poller, emulator, tick } = given;
		const make = async (count: number) => {
			for (let i = 0; i < count; i++) {
				clock.advance(SECOND);
				await EVENTS[event]!.happen(given);
			}
		};
		await make(130);
		emulator.faults.add({ kind: 'status', status: 500, skip: 2 });
		await expect(poller.activate()).rejects.toThrow(/500/);
		expect(poller.saved.staticData).toBe('{}');
		await make(3);
		await poller.activate();
		expect(await tick()).toEqual([]);
		await make(1);
		expect(await tick()).toHaveLength(1);
	},
);

describe('one bad record does not hold up the others, and the user is told [P9]', () => {
	it.each<[string, object]>([
		['30 February', { created_at: '2026-02-30T09:00:00Z' }],
		['an empty id', { id: '' }],
	])('%s', async (_name, bad) => {
		const { emulator, poller, clock, tick } = await stage({ event: 'newCall' });
		await poller.activate();
		const good = { id: 'call-7', created_at: clock.iso(), call_status: 'Completed' };
		const answer = (...data: object[]) => {
			const body = { ok: true, data, meta: { total_items: data.length }, error: null };
			emulator.faults.add({ kind: 'status', status: 200, body });
		};
		answer({ ...good, ...bad });
		clock.advance(MINUTE);
		expect((await poller.failingTick()).message).toMatch(/1 left out, .*no id or no created_at/);
		answer({ ...good, ...bad });
		expect(await tick()).toEqual([]);
		answer({ ...good, ...bad }, { ...good, id: 7 });
		expect(await tick()).toMatchObject([
			{ id: 7, trigger_notice: expect.stringMatching(/1 left out/) },
		]);
	});
});

it.each(ENGINES)(
	'a notice does not undo publishing again, and is shown by the next poll (%s) [P9]',
	async (engine) => {
		const { emulator, poller, clock } = await stage({ event: 'newCall', engine });
		await poller.activate();
		const data = [{ id: 'call-7', created_at: null, call_status: 'Completed' }];
		const body = { ok: true, data, meta: { total_items: 1, limit: 100 }, error: null };
		emulator.faults.add({ kind: 'status', status: 200, body, times: Infinity });
		clock.advance(MINUTE);
		await poller.rename('Another name');
		expect((await poller.failingTick()).message).toMatch(/1 left out/);
	},
);

it('if there are more records than the trigger can remember, it says so, and leaves out late ones [P9]', async () => {
	const { clock, store, poller, tick } = await stage({
		event: 'newCall',
		parameters: limited(20_000),
	});
	await poller.activate();
	clock.advance(HOUR);
	const visibleAt = clock.server + 2 * MINUTE;
	const late = store.addCall({ created_at: clock.iso(11_000 * 100) }, { visibleAt });
	for (let i = 10_500; i > 0; i--) store.addCall({ created_at: clock.iso(i * 100) });
	const items = await tick();
	expect(items).toHaveLength(10_500);
	expect(items[0]?.trigger_notice).toMatch(/more records than can be remembered.*'Look Back'/);
	expect(await tick(5 * MINUTE)).toEqual([]);
	expect(poller.ids).not.toContain(late.id);
});

it(
	'a call that never ends costs one request a poll, and comes when it ends [P98]',
	{ timeout: 60_000 },
	async () => {
		const parameters = {
			options: { pollLimit: 2000, lookBack: 1 },
			filters: { call_status: ['Completed'] },
		};
		const { store, clock, poller, tick, requestsOf } = await stage({
			event: 'newCall',
			parameters,
		});
		await poller.activate();
		const stuck = store.addCall({ call_status: 'In Progress' }).id;
		for (let i = 0; i < 10; i++) {
			for (let n = 0; n < 300; n++) store.addCall({ created_at: clock.iso(n * SECOND) });
			await tick(HOUR);
		}
		for (let i = 0; i < 3; i++) {
			store.addCall();
			await tick(2 * HOUR);
		}
		expect(await requestsOf(async () => await tick())).toBeLessThanOrEqual(2);
		expect(poller.saved.staticData.length).toBeLessThan(2000);
		store.calls.change(stuck, { call_status: 'Completed' });
		expect(await tick()).toMatchObject([{ id: stuck, call_status: 'Completed' }]);
		expect(await requestsOf(async () => await tick())).toBe(1);
		const gone = store.addCall({ call_status: 'In Progress' }).id;
		await tick(2 * HOUR);
		store.addCall();
		await tick();
		expect(poller.known).toContain(gone);
		store.calls.remove(gone);
		// The API may show a call by itself only after its end, so it is gone after a day.
		for (const wait of [MINUTE, 24 * HOUR, MINUTE]) {
			store.addCall();
			await tick(wait);
		}
		expect(poller.known).not.toContain(gone);
		expect(poller.errors).toEqual([]);
	},
);
