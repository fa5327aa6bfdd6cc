import type { INodeParameters, INodePropertyOptions } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';

import { builtNodes } from '../support/built.ts';
import { Poller } from '../support/poller.ts';
import { ROOT } from '../support/root.ts';
import {
	EVENT_NAMES,
	EVENTS,
	HOUR,
	MINUTE,
	SECOND,
	stage,
	VALUE_NAMES,
	type Stage,
	type StageOptions,
} from '../support/stage.ts';

// How a poll runs, what it costs, and which records it leaves out. Kills, overlapping polls, records that are late
// or dated in the future, and slow or failing answers: the random histories of unit/poll.

/** Ids of calls that were just made, one second apart. */
const calls = ({ store, clock }: Stage, count: number) =>
	Array.from(
		{ length: count },
		(_, at) => store.addCall({ created_at: clock.iso((count - 1 - at) * SECOND) }).id,
	);

/** An active workflow for new calls. */
async function active(more: Partial<StageOptions> = {}): Promise<Stage> {
	const given = await stage({ event: 'newCall', ...more });
	await given.poller.activate();
	return given;
}

describe.each([
	{ engine: 'legacy', budget: 300, many: 50, latency: 3, slow: 10 },
	{ engine: 'durable', budget: 36, many: 30, latency: 1, slow: 1.2 },
] as const)(
	'the $budget s of a poll with the $engine engine',
	({ engine, budget, many, latency, slow }) => {
		it('are kept, and the next poll goes on', async () => {
			const include = ['detail', 'summary', 'transcript'];
			const given = await active({ engine, parameters: { options: { include } } });
			const ids = calls(given, many);
			given.emulator.before(() => given.clock.advance(latency * SECOND));
			const sizes: number[] = [];
			while (sizes.at(-1) !== 0) {
				given.clock.advance(MINUTE);
				const began = given.clock.server;
				sizes.push((await given.poller.tick()).length);
				expect(given.clock.server - began).toBeLessThan(budget * SECOND);
				expect(given.poller.errors).toEqual([]);
			}
			expect(sizes.length).toBeGreaterThan(2);
			expect(given.poller.ids).toEqual(ids);
		});

		it('end with an error if they are too short for a list, and nothing is lost', async () => {
			// 5 records a page.
			const given = await active({ engine, readings: { pageCap: '5 records' } });
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
	const given = await active({ budgetMs: null });
	const ids = calls(given, 3);
	await given.tick();
	expect(given.poller.ids).toEqual(ids);
});

it('an activation that cannot read everything fails before n8n aborts it, and stores nothing', async () => {
	const given = await stage({ event: 'newCall' });
	calls(given, 3000);
	const stop = given.emulator.before(() => given.clock.advance(3 * SECOND));
	const began = given.clock.server;
	await expect(given.poller.activate()).rejects.toThrow(/not enough time/);
	expect(given.clock.server - began).toBeLessThan(60 * SECOND);
	expect(given.poller.saved.staticData).toBe('{}');
	stop();
	calls(given, 5);
	await given.poller.activate();
	given.clock.advance(SECOND);
	const ids = calls(given, 1);
	await given.tick();
	expect(given.poller.ids).toEqual(ids);
});

it('another poll takes over from one that hangs, which then changes nothing', async () => {
	const given = await active();
	const { poller, clock, emulator } = given;
	const ids = calls(given, 3);
	clock.advance(MINUTE);
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
	clock.advance(4 * MINUTE);
	expect(await poller.tick()).toEqual([]);
	clock.advance(2 * MINUTE);
	expect(await poller.tick()).toHaveLength(3);
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

it.each([0, 20 * SECOND])(
	'two triggers with one node ID, such as after a copy by hand, both get every call, %i ms apart',
	async (apart) => {
		const given = await active();
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
	const given = await active();
	calls(given, 1);
	await given.tick();
	calls(given, 1);
	given.clock.advance(SECOND);
	await given.poller.rename('Another name');
	expect(await given.tick()).toEqual([]);
	const [id] = calls(given, 1);
	expect(await given.tick()).toMatchObject([{ id }]);
});

describe('a record without an ID or a date', () => {
	/** A poll whose list holds these records. */
	function answer({ emulator, clock }: Stage, ...data: object[]): void {
		const body = { ok: true, data, meta: { total_items: data.length }, error: null };
		emulator.faults.add({ kind: 'status', status: 200, body });
		clock.advance(MINUTE);
	}
	const GOOD = { id: 7, created_at: '2026-01-15T09:00:30Z', call_status: 'Completed' };
	const LEFT_OUT = /Records were left out, .*no id or no created_at/;

	it.each([{ created_at: '2026-02-30T09:00:00Z' }, { id: '' }])(
		'is left out and told once, and the others come: %j',
		async (bad) => {
			const given = await active();
			answer(given, { ...GOOD, ...bad });
			expect((await given.poller.failingTick()).message).toMatch(LEFT_OUT);
			answer(given, { ...GOOD, ...bad });
			expect(await given.poller.tick()).toEqual([]);
			answer(given, { ...GOOD, ...bad }, GOOD);
			const trigger_notice = expect.stringMatching(LEFT_OUT);
			expect(await given.poller.tick()).toMatchObject([{ id: 7, trigger_notice }]);
		},
	);

	it('does not undo publishing again, and the next poll tells of it', async () => {
		const given = await active();
		const { poller } = given;
		answer(given, { ...GOOD, created_at: null });
		poller.deactivate();
		await poller.activate('update');
		answer(given, { ...GOOD, created_at: null });
		expect((await poller.failingTick()).message).toMatch(LEFT_OUT);
	});
});

it('a call that is still in progress after a day is left out, and the user is told', async () => {
	const given = await active({ parameters: { options: { pollLimit: 500 } } });
	const { store, clock, poller, tick, requestsOf } = given;
	store.addCall({ call_status: 'In Progress' });
	const others = calls(given, 120);
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

describe('the requests of a poll, as docs/trigger.md says', () => {
	/** An active workflow whose event has happened so many times before. */
	async function after(count: number, event: string, more: INodeParameters = {}): Promise<Stage> {
		const { parameters, happen } = EVENTS[event]!;
		const given = await stage({ event, parameters: { ...parameters, ...more } });
		for (let n = 0; n < count; n++) await happen(given);
		await given.poller.activate();
		given.clock.advance(SECOND);
		return given;
	}
	const costOf = async ({ requestsOf, tick }: Stage) =>
		await requestsOf(async () => void (await tick()));

	it.each(['newCall', 'newOrder', 'newTransaction'])(
		'%s: one for up to 99 records within Look Back, and six for 500',
		async (event) => {
			const given = await after(0, event);
			const make = async (count: number) => {
				for (let n = 0; n < count; n++) await EVENTS[event]!.happen(given);
			};
			await make(99);
			expect(await costOf(given)).toBe(1);
			await make(401);
			expect(await costOf(given)).toBe(6);
			expect(given.poller.items).toHaveLength(500);
		},
	);

	it.each(['contactChanged', 'eventChanged'])(
		'%s: one for up to 99 records of the whole list, and one more for each further 99',
		async (event) => {
			expect(await costOf(await after(99, event))).toBe(1);
			expect(await costOf(await after(198, event))).toBe(2);
		},
	);

	it('agentChanged: one for the list, and one or five for each agent', async () => {
		// Two agents exist from the start.
		expect(await costOf(await after(9, 'agentChanged'))).toBe(12);
		const watching = await after(9, 'agentChanged', { options: { watchTools: true } });
		expect(await costOf(watching)).toBe(56);
	});

	it.each(VALUE_NAMES)('%s: one', async (event) => {
		expect(await costOf(await after(0, event))).toBe(1);
	});

	it('callReady: one more for each part of a call that waits', async () => {
		const given = await after(0, 'callReady', { waitFor: ['transcript', 'summary'] });
		given.store.addCall({}, { summaryAt: null });
		expect(await costOf(given)).toBe(3);
	});

	// The largest bounds take long to fill.
	const BOUNDS = { agentChanged: 200, newContact: 5000, orderStatusChanged: 10_000 };
	it.each(Object.entries(BOUNDS).slice(0, process.env.WEEKLY ? 3 : 1))(
		'%s: a list of more than %i records cannot be watched, and the error says so',
		async (event, most) => {
			const given = await after(event === 'agentChanged' ? most - 2 : most, event);
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
