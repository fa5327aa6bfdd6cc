import type { INodeParameters, INodePropertyOptions } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';

import { builtNodes } from '../support/built.ts';
import { Poller } from '../support/poller.ts';
import { ROOT } from '../support/root.ts';
import {
	active,
	EVENT_NAMES,
	EVENTS,
	HOUR,
	MINUTE,
	SECOND,
	stage,
	type Stage,
} from '../support/stage.ts';

// How a poll runs, what it costs, and which records it leaves out. Kills, overlapping polls, records that are late
// or dated in the future, and slow or failing answers: the random histories of unit/poll.

/** Ids of calls that were just made, one second apart. */
const calls = ({ store, clock }: Stage, count: number) =>
	Array.from(
		{ length: count },
		(_, at) => store.addCall({ created_at: clock.iso((count - 1 - at) * SECOND) }).id,
	);

describe.each([
	{ engine: 'legacy', budget: 300, many: 50, latency: 3, slow: 10 },
	{ engine: 'durable', budget: 36, many: 30, latency: 1, slow: 1.2 },
] as const)(
	'the $budget s of a poll with the $engine engine',
	({ engine, budget, many, latency, slow }) => {
		it('are kept, and the next poll goes on', async () => {
			const options = { include: ['detail', 'summary', 'transcript'] };
			const given = await active('newCall', { options }, { engine });
			const { poller, clock } = given;
			const ids = calls(given, many);
			given.emulator.before(() => clock.advance(latency * SECOND));
			let polls = 0;
			for (; poller.ids.length < many; polls++) {
				clock.advance(MINUTE);
				const began = clock.server;
				await poller.tick();
				expect(clock.server - began).toBeLessThan(budget * SECOND);
			}
			expect(polls).toBeGreaterThan(1);
			expect(poller.errors).toEqual([]);
			expect(poller.ids).toEqual(ids);
		});

		it('end with an error if they are too short for a list, and nothing is lost', async () => {
			// 5 records a page.
			const given = await active('newCall', {}, { engine, readings: { pageCap: '5 records' } });
			given.clock.advance(HOUR);
			const ids = calls(given, 160);
			const stop = given.emulator.before(() => given.clock.advance(slow * SECOND));
			const began = given.clock.server;
			expect((await given.poller.failingTick()).message).toMatch(/not enough time.*'Look Back'/);
			expect(given.clock.server - began).toBeLessThanOrEqual(budget * SECOND);
			stop();
			for (let polls = 0; polls < 4; polls++) await given.tick();
			expect(given.poller.ids).toEqual(ids);
		});
	},
);

it('a version of n8n that does not say how long a poll may take is polled all the same', async () => {
	const given = await active('newCall', {}, { budgetMs: null });
	const ids = calls(given, 3);
	await given.tick();
	expect(given.poller.ids).toEqual(ids);
});

it('an activation that cannot read everything fails before n8n aborts it, and stores nothing', async () => {
	const given = await stage({ event: 'newCall' });
	const { poller, clock } = given;
	calls(given, 3000);
	const stop = given.emulator.before(() => clock.advance(3 * SECOND));
	const began = clock.server;
	await expect(poller.activate()).rejects.toThrow(/not enough time/);
	expect(clock.server - began).toBeLessThan(60 * SECOND);
	expect(poller.saved.staticData).toBe('{}');
	stop();
	calls(given, 5);
	await poller.activate();
	clock.advance(SECOND);
	const ids = calls(given, 1);
	await given.tick();
	expect(poller.ids).toEqual(ids);
});

it('another poll takes over from one that hangs, which then changes nothing', async () => {
	const given = await active('newCall');
	const { poller, emulator } = given;
	const ids = calls(given, 3);
	let release = () => {};
	const held = new Promise<void>((resolve) => (release = resolve));
	const arrival = new Promise<void>((arrive) => {
		const stop = emulator.before(async () => {
			stop();
			arrive();
			await held;
		});
	});
	const hanging = poller.tick();
	await arrival;
	expect(await given.tick(4 * MINUTE)).toEqual([]);
	expect(await given.tick(2 * MINUTE)).toHaveLength(3);
	ids.push(...calls(given, 1));
	release();
	await hanging;
	await setImmediate();
	await given.tick();
	expect(poller.ids).toEqual(ids);
});

it('a registration that was replaced changes nothing, although it polls', async () => {
	const given = await stage({ event: 'newOrder' });
	const { poller, clock } = given;
	await poller.activate();
	const replaced = poller.registration;
	poller.deactivate();
	poller.parameters = { event: 'newCall' };
	await poller.activate('update');
	const ids = calls(given, 3);
	clock.advance(MINUTE);
	expect(await poller.tick(replaced)).toEqual([]);
	await given.tick();
	expect(poller.ids).toEqual(ids);
});

it.each([
	['at the same time', 0],
	['one after the other', 20 * SECOND],
])(
	'two triggers with one node ID, such as after a copy by hand, both get every call: %s',
	async (_when, apart) => {
		const given = await active('newCall');
		const { poller, clock, emulator } = given;
		const { parameters } = poller;
		const copy = new Poller({ emulator, parameters, name: 'Copy', beside: poller });
		await copy.activate();
		const ids: string[] = [];
		for (let polls = 0; polls < 6; polls++) {
			clock.advance(MINUTE);
			ids.push(...calls(given, 1));
			const first = poller.tick();
			if (apart > 0) await first;
			clock.advance(apart);
			await Promise.all([first, copy.tick()]);
		}
		expect([poller.ids, copy.ids]).toEqual([ids, ids]);
	},
);

it('a trigger that is renamed starts from now', async () => {
	const given = await active('newCall');
	calls(given, 1);
	await given.tick();
	calls(given, 1);
	given.clock.advance(SECOND);
	await given.poller.rename('Another name');
	expect(await given.tick()).toEqual([]);
	const [id] = calls(given, 1);
	expect(await given.tick()).toMatchObject([{ id }]);
});

it.each([
	['no date', { created_at: '2026-02-30T09:00:00Z' }],
	['no ID', { id: '' }],
])('a record with %s is left out and told once, and the others come', async (_what, lacking) => {
	const { poller, clock, emulator } = await active('newCall');
	const whole = { id: 7, created_at: '2026-01-15T09:00:30Z', call_status: 'Completed' };
	/** The next poll finds these records. */
	const answer = (...data: object[]) => {
		const body = { ok: true, data, meta: { total_items: data.length }, error: null };
		emulator.faults.add({ kind: 'status', status: 200, body });
		clock.advance(MINUTE);
	};
	const LEFT_OUT = /Records were left out, .*no id or no created_at/;
	// An error would undo the publishing, so the next poll tells of it.
	answer({ ...whole, ...lacking });
	poller.deactivate();
	await poller.activate('update');
	answer({ ...whole, ...lacking });
	expect((await poller.failingTick()).message).toMatch(LEFT_OUT);
	answer({ ...whole, ...lacking });
	expect(await poller.tick()).toEqual([]);
	answer({ ...whole, ...lacking }, whole);
	const trigger_notice = expect.stringMatching(LEFT_OUT);
	expect(await poller.tick()).toMatchObject([{ id: 7, trigger_notice }]);
});

it('a call that is still in progress after a day is left out, and the user is told', async () => {
	const given = await active('newCall', { options: { pollLimit: 500 } });
	const { store, poller, tick, requestsOf } = given;
	store.addCall({ call_status: 'In Progress' });
	const others = calls(given, 120);
	expect(await tick()).toHaveLength(120);
	// Until then, the list is read from its date on.
	expect(await requestsOf(async () => await tick(23 * HOUR))).toBe(2);
	given.clock.advance(HOUR);
	expect((await poller.failingTick()).message).toMatch(/still in progress a day after it began/);
	others.push(...calls(given, 1));
	await tick();
	expect(await requestsOf(async () => await tick())).toBe(1);
	expect(poller.ids.toSorted()).toEqual(others.toSorted());
	expect(poller.saved.staticData.length).toBeLessThan(2000);
});

describe('the requests of a poll, as docs/trigger.md says', () => {
	const include = ['transcript', 'summary'];

	it.each<[event: string, count: number, requests: number, options?: INodeParameters]>([
		['newCall', 99, 1],
		['newCall', 500, 6],
		['newOrder', 99, 1],
		['newTransaction', 99, 1],
		['contactChanged', 99, 1],
		['contactChanged', 198, 2],
		['eventChanged', 99, 1],
		// Two agents exist from the start.
		['agentChanged', 9, 12],
		['agentChanged', 9, 56, { watchTools: true }],
		['lowBalance', 0, 1],
		['lowMinutes', 0, 1],
		['callReady', 1, 3, { include }],
	])('%s, %i records: %i', async (event, count, requests, options = {}) => {
		const { parameters } = EVENTS[event]!;
		const given = await active(event, { ...parameters, options });
		for (let n = 0; n < count; n++) await given.happen();
		expect(await given.requestsOf(async () => await given.tick())).toBe(requests);
	});

	// The largest bounds take long to fill.
	const BOUNDS = { agentChanged: 200, newContact: 5000, orderStatusChanged: 10_000 };
	it.each(Object.entries(BOUNDS).slice(0, process.env.WEEKLY ? 3 : 1))(
		'%s: a list of more than %i records cannot be watched, and the error says so',
		async (event, most) => {
			const given = await stage({ event });
			for (let n = event === 'agentChanged' ? 2 : 0; n < most; n++)
				await EVENTS[event]!.happen(given);
			await given.poller.activate();
			expect(await given.tick()).toEqual([]);
			await EVENTS[event]!.happen(given);
			given.clock.advance(MINUTE);
			expect((await given.poller.failingTick()).message).toMatch(
				new RegExp(`The list has more than ${most} records`),
			);
		},
	);
});

it('each event has its line in docs/trigger.md, and its scene in test/support/stage.ts', () => {
	const trigger = builtNodes
		.map(({ describe: describeNode }) => describeNode())
		.find(({ name }) => name.endsWith('Trigger'))!;
	const { options = [] } = trigger.properties.find(({ name }) => name === 'event')!;
	const events = options as INodePropertyOptions[];
	expect([...EVENT_NAMES].sort()).toEqual(events.map(({ value }) => value).sort());
	const text = readFileSync(join(ROOT, 'docs/trigger.md'), 'utf8');
	const [, table = ''] = /\n\| Event \|.*\n\|---\|---\|\n([^]*?)\n\n/.exec(text) ?? [];
	const named = table.split('\n').flatMap((line) => line.split('|')[1]!.split(','));
	expect(named.map((name) => name.trim()).sort()).toEqual(events.map(({ name }) => name).sort());
});
