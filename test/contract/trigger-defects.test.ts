import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { ENGINES } from '../support/poller.ts';
import {
	HOUR,
	MINUTE,
	SECOND,
	setMinutes,
	stage,
	type Stage,
	type StageOptions,
} from '../support/stage.ts';

/** What an attack found in the trigger's first core; numbered as in the issue. 12.6 is in balance.test.ts. */

/** An active workflow. */
async function active(options: StageOptions): Promise<Stage> {
	const given = await stage(options);
	await given.poller.activate();
	given.clock.advance(HOUR);
	return given;
}

const limited = (pollLimit: number, more: IDataObject = {}) => ({
	options: { pollLimit, ...more },
});

/** Polls until nothing comes any more. */
async function drain({ tick }: Stage, after = MINUTE): Promise<void> {
	for (let quiet = 0; quiet < 2;) quiet = (await tick(after)).length > 0 ? 0 : quiet + 1;
}

it('12.1: a call that waits comes, though 4,000 later ones came before it', async () => {
	const given = await active({ event: 'newCall', parameters: limited(2000) });
	const { store, clock, poller } = given;
	const waiting = store.addCall({ call_status: 'In Progress' }).id;
	for (let i = 0; i < 4000; i++) store.addCall({ created_at: clock.iso(-15 * i) });
	clock.advance(MINUTE);
	await drain(given);
	expect(poller.ids).toHaveLength(4000);
	store.calls.change(waiting, { call_status: 'Completed' });
	expect((await given.tick()).map(({ id }) => id)).toEqual([waiting]);
});

describe('12.2: orders of one created_at', () => {
	it('10,500: all come', { timeout: 120_000 }, async () => {
		const given = await active({ event: 'newOrder', parameters: limited(3500) });
		const created_at = given.clock.iso();
		for (let i = 0; i < 10_500; i++) given.store.addOrder({ created_at });
		await drain(given);
		expect(new Set(given.poller.ids).size).toBe(10_500);
		expect(given.poller.ids).toHaveLength(10_500);
	});

	it('4,000 where an answer takes 0.8 s and the server gives one at a time: all come', async () => {
		const given = await active({
			event: 'newOrder',
			engine: 'scheduler',
			parameters: limited(1000),
		});
		const created_at = given.clock.iso();
		for (let i = 0; i < 4000; i++) given.store.addOrder({ created_at });
		given.emulator.before(() => given.clock.advance(800));
		await drain(given);
		expect(new Set(given.poller.ids).size).toBe(4000);
		expect(given.poller.ids).toHaveLength(4000);
	});
});

it.each(['oldest first', 'newest first', 'by id'] as const)(
	'12.3: 250 transactions of one second, listed %s',
	async (order) => {
		const given = await active({ event: 'newTransaction', readings: { order } });
		const { store, clock, poller } = given;
		const created_at = clock.iso();
		const ids = Array.from({ length: 250 }, () => store.addTransaction({ created_at }).id);
		await given.tick();
		await given.tick();
		expect(poller.ids.toSorted()).toEqual(ids.map(String).toSorted());
		expect(poller.errors).toEqual([]);
	},
);

describe('12.4: n8n’s scheduler without durable cursors', () => {
	it('goes on after a change of the Base URL', async () => {
		const given = await active({ event: 'newCall', engine: 'scheduler' });
		const { emulator, poller, store } = given;
		store.addCall();
		await given.tick();
		poller.credentials = {
			ykVoiceApi: {
				apiKey: emulator.keys.read,
				baseUrl: emulator.url.replace('127.0.0.1', 'localhost'),
			},
		};
		await given.tick();
		const { id } = store.addCall();
		expect((await given.tick()).map((call) => call.id)).toEqual([id]);
	});

	it('goes on after its static data was damaged and n8n restarted, and says so', async () => {
		const given = await active({ event: 'newCall', engine: 'scheduler' });
		const { poller, store } = given;
		store.addCall();
		await given.tick();
		poller.saved.staticData = poller.saved.staticData.replaceAll('"floor":', '"flaw":');
		await poller.restart();
		// The poll that begins anew may be that of an activation, which n8n would take back.
		expect(await given.tick()).toEqual([]);
		given.clock.advance(MINUTE);
		expect((await poller.failingTick()).message).toMatch(/began anew/);
		const { id } = store.addCall();
		expect(await given.tick()).toMatchObject([{ id }]);
	});

	it('goes on behind 2,500 calls that a filter does not want', async () => {
		const parameters = { filters: { call_status: ['Busy'] } };
		const given = await active({ event: 'newCall', engine: 'scheduler', parameters });
		const { store, clock } = given;
		for (let i = 0; i < 2500; i++) store.addCall({ created_at: clock.iso(-10 * i) });
		clock.advance(MINUTE);
		for (let i = 0; i < 3; i++) expect(await given.tick()).toEqual([]);
		const { id } = store.addCall({ call_status: 'Busy' });
		expect((await given.tick()).map((call) => call.id)).toEqual([id]);
	});
});

describe('12.5: Order Status Changed', () => {
	it.each(ENGINES)('from confirmed: a move during n8n’s downtime comes (%s)', async (engine) => {
		const parameters = { filters: { from: ['confirmed'] } };
		const given = await active({ event: 'orderStatusChanged', engine, parameters });
		const { store, poller, tick } = given;
		const { id } = store.addOrder();
		await tick();
		store.setOrderStatus(id, 'confirmed');
		expect(await tick()).toEqual([]);
		poller.deactivate();
		store.setOrderStatus(id, 'cancelled');
		given.clock.advance(HOUR);
		await poller.restart();
		await tick();
		expect(poller.items).toMatchObject([
			{ id, previous_status: 'confirmed', new_status: 'cancelled' },
		]);
	});

	it('two moves between two polls come as two, marked', async () => {
		const { store, tick } = await active({ event: 'orderStatusChanged' });
		const { id } = store.addOrder();
		await tick();
		store.setOrderStatus(id, 'confirmed');
		store.setOrderStatus(id, 'completed');
		expect(await tick()).toMatchObject([
			{ id, previous_status: 'pending', new_status: 'confirmed', inferred: true },
			{ id, previous_status: 'confirmed', new_status: 'completed', inferred: true },
		]);
	});

	it('a limit neither merges nor drops moves, though orders move on meanwhile', async () => {
		const given = await active({ event: 'orderStatusChanged', parameters: limited(10) });
		const { store, poller, tick } = given;
		const orders = Array.from({ length: 25 }, () => store.addOrder().id);
		await tick();
		for (const id of orders) store.setOrderStatus(id, 'confirmed');
		await tick();
		for (const id of orders) store.setOrderStatus(id, 'completed');
		await drain(given);
		const steps = poller.items.map(({ id, new_status }) => `${String(id)} ${String(new_status)}`);
		expect(steps.toSorted()).toEqual(
			orders.flatMap((id) => [`${id} completed`, `${id} confirmed`]).sort(),
		);
	});

	it('3,100 moved orders: the next move of the oldest comes', { timeout: 60_000 }, async () => {
		const given = await active({ event: 'orderStatusChanged', parameters: limited(5000) });
		const { store, clock, tick } = given;
		const orders = Array.from(
			{ length: 3100 },
			(_, i) => store.addOrder({ created_at: clock.iso((3100 - i) * SECOND) }).id,
		);
		for (const id of orders) store.setOrderStatus(id, 'confirmed');
		expect(await tick()).toHaveLength(3100);
		store.setOrderStatus(orders[0]!, 'completed');
		expect(await tick()).toMatchObject([{ id: orders[0], previous_status: 'confirmed' }]);
	});
});

it.each(ENGINES)(
	'12.7: New Order by status leaves out what had another one at first (%s)',
	async (engine) => {
		const parameters = { filters: { status: ['confirmed'] } };
		const { store, tick } = await active({ event: 'newOrder', engine, parameters });
		const { id } = store.addOrder();
		expect(await tick()).toEqual([]);
		store.setOrderStatus(id, 'confirmed');
		const wanted = store.addOrder({ status: 'confirmed' });
		expect((await tick()).map((order) => order.id)).toEqual([wanted.id]);
	},
);

describe('12.8: one bad record does not hold up the others, and is told', () => {
	it.each<[string, object]>([
		['no date', { created_at: undefined }],
		['null', { created_at: null }],
		['a number', { created_at: 1_768_467_600 }],
		['a day', { created_at: '2026-01-15' }],
		['30 February', { created_at: '2026-02-30T09:00:00Z' }],
		['no id', { id: undefined }],
		['an empty id', { id: '' }],
	])('%s', async (_name, bad) => {
		const { emulator, poller, clock } = await active({ event: 'newCall' });
		const good = { id: 'call-7', created_at: clock.iso(), call_status: 'Completed' };
		const answer = (...data: object[]) => ({
			kind: 'status' as const,
			status: 200,
			body: { ok: true, data, meta: { total_items: data.length }, error: null },
			match: ({ path }: { path: string }) => path === '/call-history',
		});
		emulator.faults.add(answer({ ...good, ...bad }));
		clock.advance(MINUTE);
		expect((await poller.failingTick()).message).toMatch(/1 left out, .*no id or no created_at/);
		emulator.faults.add(answer({ ...good, ...bad }, good));
		expect(await poller.tick()).toMatchObject([
			{ id: 'call-7', trigger_notice: expect.stringMatching(/1 left out/) },
		]);
	});

	it('a whole number is an id', async () => {
		const { emulator, poller, clock } = await active({ event: 'newCall' });
		const data = [7, 8].map((id) => ({ id, created_at: clock.iso(), call_status: 'Completed' }));
		const body = { ok: true, data, meta: { total_items: 2 }, error: null };
		emulator.faults.add({ kind: 'status', status: 200, body, times: 2 });
		expect(await poller.tick()).toMatchObject([{ id: 7 }, { id: 8 }]);
		expect(await poller.tick()).toEqual([]);
	});
});

it('12.9: with 4,500 records in the look-back, late ones come', { timeout: 60_000 }, async () => {
	const given = await active({ event: 'newCall', parameters: limited(5000) });
	const { store, clock, tick } = given;
	for (let i = 0; i < 4500; i++) store.addCall({ created_at: clock.iso(-i * SECOND) });
	const visibleAt = clock.server + 2 * HOUR;
	const late = store.addCall({ created_at: clock.iso(-10 * SECOND) }, { visibleAt }).id;
	clock.advance(4500 * SECOND);
	expect(await tick()).toHaveLength(4500);
	clock.advance(HOUR);
	expect((await tick()).map(({ id }) => id)).toEqual([late]);
});

it('12.10: 155 records that wait for the limit come, though a filter is added', async () => {
	const given = await active({ event: 'newCall', parameters: limited(50) });
	const { store, clock, poller } = given;
	for (let i = 0; i < 205; i++) store.addCall({ created_at: clock.iso(-i * SECOND) });
	clock.advance(HOUR);
	expect(await given.tick()).toHaveLength(50);
	poller.deactivate();
	poller.parameters = { event: 'newCall', ...limited(50), filters: { call_status: ['Completed'] } };
	await poller.activate();
	await drain(given);
	expect(new Set(poller.ids).size).toBe(205);
	expect(poller.ids).toHaveLength(205);
});

it.each(ENGINES)(
	'12.11: a Code node that puts old static data back doubles nothing (%s)',
	async (engine) => {
		const given = await active({ event: 'newCall', engine });
		const { store, poller, tick } = given;
		await tick();
		const ids: string[] = [];
		for (let i = 0; i < 4; i++) {
			const old = JSON.parse(poller.saved.staticData) as { global?: IDataObject };
			ids.push(store.addCall().id);
			await tick();
			poller.saved.staticData = JSON.stringify({ ...old, global: { ...old.global, visits: i } });
		}
		await drain(given, 10 * MINUTE);
		expect(poller.ids).toEqual(ids);
	},
);

it(
	'12.12: a call that never ends costs one request a poll, and no state',
	{ timeout: 60_000 },
	async () => {
		const parameters = limited(2000, { lookBack: 1 });
		const filters = { call_status: ['Completed'] };
		const given = await active({ event: 'newCall', parameters: { ...parameters, filters } });
		const { store, clock, poller, tick } = given;
		const stuck = store.addCall({ call_status: 'In Progress' }).id;
		for (let i = 0; i < 10; i++) {
			for (let n = 0; n < 300; n++) store.addCall({ created_at: clock.iso(n * SECOND) });
			await tick(HOUR);
		}
		for (let i = 0; i < 3; i++) {
			store.addCall();
			await tick(2 * HOUR);
		}
		expect(await given.requestsOf(async () => await tick())).toBeLessThanOrEqual(2);
		expect(poller.saved.staticData.length).toBeLessThan(2000);
		store.calls.change(stuck, { call_status: 'Completed' });
		expect(await tick()).toMatchObject([{ id: stuck, call_status: 'Completed' }]);
		expect(await given.requestsOf(async () => await tick())).toBe(1);
	},
);

describe.each(ENGINES)('an upgrade from version 0.1 in mid-history (%s)', (engine) => {
	const hash = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 12);

	/** An account, and a workflow that version 0.1 polled last. */
	async function upgraded(event: string, state: (given: Stage) => object): Promise<Stage> {
		const given = await stage({ event, engine });
		const filters = { call_status: [], status: [], from: [], to: [] };
		const threshold = event === 'lowBalance' ? 10 : null;
		// It sorted every list, its own parts among them.
		const sorted = (_name: string, value: unknown) =>
			Array.isArray(value) ? value.toSorted() : value;
		const parts = [event, given.emulator.url, ['1'], filters, threshold];
		const scope = hash(JSON.stringify(parts, sorted));
		const saved = { life: 1, handed: 3, state: { v: 1, scope, ...state(given) } };
		given.poller.saved.staticData = JSON.stringify({
			'node:YK Voice Trigger': { saved },
			global: { 'ykVoiceTrigger:node-1': saved },
		});
		given.clock.advance(MINUTE);
		await given.poller.restart();
		return given;
	}

	it('of a list: nothing is lost and nothing doubled', async () => {
		const due: string[] = [];
		const given = await upgraded('newCall', ({ store, clock }) => {
			const done = [1, 2, 3].map((ago) => {
				const created_at = clock.iso(ago * MINUTE);
				return [hash(store.addCall({ created_at }).id), clock.server - ago * MINUTE];
			});
			due.push(store.addCall({ created_at: clock.iso(2.5 * MINUTE) }).id, store.addCall().id);
			const [f, r] = [clock.server - 4 * HOUR, clock.server - 2 * MINUTE];
			return { f, h: clock.server, r, l: clock.server - HOUR, ids: Object.fromEntries(done) };
		});
		await given.tick();
		due.push(given.store.addCall().id);
		await drain(given);
		expect(given.poller.ids).toEqual(due);
		expect(given.poller.errors).toEqual([]);
	});

	it('of statuses', async () => {
		const orders: string[] = [];
		const given = await upgraded('orderStatusChanged', ({ store, clock }) => {
			orders.push(store.addOrder().id, store.addOrder({ status: 'confirmed' }).id);
			const at = clock.server + MINUTE;
			return { at, since: clock.server - 24 * HOUR, known: { [hash(orders[1]!)]: 'confirmed' } };
		});
		await given.tick();
		expect(given.poller.items).toEqual([]);
		for (const id of orders) given.store.setOrderStatus(id, 'completed');
		await drain(given);
		const moves = given.poller.items.map(({ id, new_status }) => [id, new_status]);
		expect(moves.toSorted()).toEqual(
			[
				[orders[0], 'confirmed'],
				[orders[0], 'completed'],
				[orders[1], 'completed'],
			].toSorted(),
		);
	});

	it('of an alert: it is not raised again', async () => {
		const given = await upgraded('lowBalance', ({ store, clock }) => {
			store.setBalance(5);
			return { fired: true, at: clock.server };
		});
		await drain(given);
		expect(given.poller.items).toEqual([]);
	});
});

describe('a second attack: calls that wait below the floor', () => {
	/** A call that waits, and was passed by the floor: by its whole second, 75 minutes behind the newest. */
	async function waitingBelow() {
		const parameters = limited(500, { lookBack: 1 });
		const filters = { call_status: ['Completed'] };
		const given = await active({ event: 'newCall', parameters: { ...parameters, filters } });
		const { store, clock, tick } = given;
		const began = Math.ceil(clock.server / SECOND) * SECOND;
		const add = (call_status: string, after: number) =>
			store.addCall({ call_status, created_at: new Date(began + after).toISOString() }).id;
		const id = add('In Progress', 300);
		for (let i = 0; i < 150; i++) add('Completed', HOUR + i * 100);
		add('Completed', 75 * MINUTE + 1500);
		await tick(80 * MINUTE);
		await tick();
		return { ...given, id };
	}

	it('one at the edge of the list does not hide what is new behind a page that is known', async () => {
		const { store, tick } = await waitingBelow();
		const { id } = store.addCall();
		expect((await tick()).map((call) => call.id)).toEqual([id]);
	});

	it('one that is gone neither fires nor fails the polls', async () => {
		const { store, tick, poller, id } = await waitingBelow();
		store.addCall();
		await tick();
		expect(poller.known).toContain(id);
		store.calls.remove(id);
		expect(await tick()).toEqual([]);
		store.addCall();
		await tick();
		expect(poller.known).not.toContain(id);
		expect(poller.ids).not.toContain(id);
		expect(poller.errors).toEqual([]);
	});
});

it.each([
	['newest first', 'last'],
	['oldest first', 'last'],
	// Their dates are in no order, though the page begins newer, or older, than it ends.
	['by id', 'first'],
	['by id', 'last'],
] as const)(
	'a second attack: transactions listed %s, the newest added %s, are old at the first activation',
	async (order, newest) => {
		const given = await stage({ event: 'newTransaction', readings: { order } });
		const { store, clock, poller, tick } = given;
		const dates = Array.from({ length: 240 }, (_, i) => clock.iso((i + 1) * 150 * SECOND));
		for (const created_at of newest === 'first' ? dates : dates.toReversed())
			store.addTransaction({ created_at });
		await poller.activate();
		await tick();
		await tick();
		expect(poller.ids).toEqual([]);
	},
);

it('a second attack: Low Minutes, where the usage shows when it was measured, fires once', async () => {
	const given = await active({ event: 'lowMinutes', parameters: { minutesBelow: 60 } });
	const { store, clock, poller, tick } = given;
	for (const period of [0, 0, 0, 1, 1]) {
		setMinutes(store, 20, period);
		Object.assign(store.usage!, { updated_at: clock.iso(), last_call_at: clock.iso(SECOND) });
		await tick();
	}
	expect(poller.executions).toHaveLength(2);
});
