import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { Readings } from '../emulator/index.ts';
import { EVENTS, HOUR, MINUTE, SECOND, stage, type Stage } from '../support/stage.ts';

/** Lists that are followed by date without a further request for each record. */
const LISTS: Record<string, (store: Stage['store'], created_at: string) => string> = {
	newCall: (store, created_at) => store.addCall({ created_at }).id,
	newTransaction: (store, created_at) => store.addTransaction({ created_at }).id,
};

const CASES: Array<[event: string, bound: Readings['bound']]> = [
	['newCall', 'inclusive'],
	['newTransaction', 'exclusive'],
];

const limited = (pollLimit: number): INodeParameters => ({ options: { pollLimit } });

describe.each(CASES)('%s, created_after %s', (event, bound) => {
	/** An active workflow, and a function that adds records of a given age. */
	async function active(parameters?: INodeParameters) {
		const given = await stage({ event, readings: { bound }, parameters });
		await given.poller.activate();
		const many = (count: number, ago: (i: number) => number) =>
			Array.from({ length: count }, (_, i) => LISTS[event]!(given.store, given.clock.iso(ago(i))));
		return { ...given, many };
	}

	it('takes 450 records between two polls, oldest first, with one request per 100 and one more', async () => {
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

it('450 orders of one date start the workflow once each', async () => {
	const { store, clock, poller, tick } = await stage({
		event: 'newOrder',
		parameters: limited(200),
	});
	await poller.activate();
	clock.advance(HOUR);
	const created_at = clock.iso();
	const ids = Array.from({ length: 450 }, () => store.addOrder({ created_at }).id);
	for (let polls = 0; polls < 4; polls++) await tick();
	expect(poller.ids.toSorted()).toEqual(ids.toSorted());
});

it.each(['newCall', 'newTransaction'])(
	'%s: a first activation that fails half-way leaves nothing behind',
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
		emulator.faults.add({ kind: 'status', status: 500, skip: 1, times: Infinity });
		await expect(poller.activate()).rejects.toThrow(/500/);
		expect(poller.saved.staticData).toBe('{}');
		emulator.faults.clear();
		await make(3);
		await poller.activate();
		expect(await tick()).toEqual([]);
		await make(1);
		expect(await tick()).toHaveLength(1);
	},
);

describe('one bad record does not hold up the others, and the user is told', () => {
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
		expect((await poller.failingTick()).message).toMatch(
			/Records were left out, .*no id or no created_at/,
		);
		answer({ ...good, ...bad });
		expect(await tick()).toEqual([]);
		answer({ ...good, ...bad }, { ...good, id: 7 });
		expect(await tick()).toMatchObject([
			{ id: 7, trigger_notice: expect.stringMatching(/Records were left out/) },
		]);
	});
});

it('a notice does not undo publishing again, and is shown by the next poll', async () => {
	const { emulator, poller, clock } = await stage({ event: 'newCall' });
	await poller.activate();
	const data = [{ id: 'call-7', created_at: null, call_status: 'Completed' }];
	const body = { ok: true, data, meta: { total_items: 1, limit: 100 }, error: null };
	emulator.faults.add({ kind: 'status', status: 200, body, times: Infinity });
	clock.advance(MINUTE);
	poller.deactivate();
	await poller.activate('update');
	expect((await poller.failingTick()).message).toMatch(/Records were left out/);
});

it('a call that is still in progress after a day is left out, and the user is told', async () => {
	const given = await stage({ event: 'newCall', parameters: limited(500) });
	const { store, clock, poller, tick, requestsOf } = given;
	await poller.activate();
	store.addCall({ call_status: 'In Progress' });
	const others = Array.from(
		{ length: 120 },
		(_, at) => store.addCall({ created_at: clock.iso(at) }).id,
	);
	expect(await tick()).toHaveLength(120);
	clock.advance(23 * HOUR);
	others.push(store.addCall().id);
	// Until then, the list is read from its date on.
	expect(await requestsOf(async () => await tick())).toBe(2);
	clock.advance(HOUR);
	expect((await poller.failingTick()).message).toMatch(/still in progress a day after it began/);
	others.push(store.addCall().id);
	await tick();
	expect(await requestsOf(async () => await tick())).toBe(1);
	expect(poller.ids.toSorted()).toEqual(others.toSorted());
	expect(poller.saved.staticData.length).toBeLessThan(2000);
});
