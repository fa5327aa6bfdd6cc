import type { INodeParameters } from 'n8n-workflow';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';

import { ENGINES, Poller } from '../support/poller.ts';
import { HOUR, MINUTE, SECOND, stage, type Stage } from '../support/stage.ts';

/** Ids of calls that were just made. */
const calls = ({ store, clock }: Stage, count: number, apart = SECOND) =>
	Array.from({ length: count }, (_, i) => {
		const created_at = clock.iso((count - 1 - i) * apart);
		return store.addCall({ created_at }).id;
	});

/** Holds the next request back; `release` lets it go on. */
function hold({ emulator }: Stage) {
	let release = () => {};
	const until = new Promise<void>((resolve) => (release = resolve));
	let arrive = () => {};
	const arrival = new Promise<void>((resolve) => (arrive = resolve));
	const stop = emulator.before(async () => {
		stop();
		arrive();
		await until;
	});
	return { release, arrival };
}

/**
 * Switches the workflow off and on while a poll is under way, which then ends. With parameters, the
 * workflow is published with them instead.
 */
async function switchDuringPoll(given: Stage, parameters?: INodeParameters): Promise<void> {
	const { release, arrival } = hold(given);
	const old = given.poller.tick();
	await arrival;
	given.poller.deactivate();
	given.poller.parameters = parameters ?? given.poller.parameters;
	await given.poller.activate(parameters && 'update');
	release();
	await old;
}

describe.each(ENGINES)('under the %s engine', (engine) => {
	// Kills and overlapping polls: unit/trigger.model plays them in random histories of all engines.
	it('a poll that is under way while the workflow is switched off and on changes nothing', async () => {
		const given = await stage({ event: 'newCall', engine });
		await given.poller.activate();
		const ids = calls(given, 3);
		given.clock.advance(MINUTE);
		await switchDuringPoll(given);
		await given.tick();
		expect(given.poller.ids).toEqual(ids);
	});

	it('a poll that ends while the workflow is off loses nothing', async () => {
		const given = await stage({ event: 'newCall', engine });
		await given.poller.activate();
		await given.tick();
		await given.tick();
		const ids = calls(given, 2);
		given.clock.advance(MINUTE);
		const { release, arrival } = hold(given);
		const old = given.poller.tick();
		await arrival;
		given.poller.deactivate();
		release();
		expect(await old).toEqual([]);
		await given.poller.activate();
		await given.tick();
		expect(given.poller.ids).toEqual(ids);
	});

	// Both schedulers grant the same time.
	if (engine === 'scheduler') return;

	it('keeps to the time that n8n grants, and goes on with the next poll', async () => {
		const parameters = { options: { include: ['detail', 'summary', 'transcript'] } };
		const given = await stage({ event: 'newCall', engine, parameters });
		await given.poller.activate();
		const budget = engine === 'legacy' ? 300 : 36;
		const [count, latency] = engine === 'legacy' ? [50, 3] : [30, 1];
		const ids = calls(given, count);
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

	it('fails in time if the API is too slow for a long list, and loses nothing', async () => {
		// 5 records a page.
		const readings = { pageCap: 'some lists' } as const;
		const given = await stage({ event: 'newCall', engine, readings });
		await given.poller.activate();
		given.clock.advance(HOUR);
		const ids = calls(given, 160);
		const { budget, latency } =
			engine === 'legacy' ? { budget: 300, latency: 10 } : { budget: 36, latency: 1.2 };
		const stop = given.emulator.before(() => given.clock.advance(latency * SECOND));
		const began = given.clock.server;
		expect((await given.poller.failingTick()).message).toMatch(/not enough time.*'Look Back'/);
		expect(given.clock.server - began).toBeLessThanOrEqual(budget * SECOND);
		stop();
		for (let polls = 0; polls < 4; polls++) await given.tick();
		expect(given.poller.ids).toEqual(ids);
	});
});

it('a version of n8n that does not say how long a poll may take is polled all the same', async () => {
	const given = await stage({ event: 'newCall', budgetMs: null });
	await given.poller.activate();
	const ids = calls(given, 3);
	await given.tick();
	expect(given.poller.ids).toEqual(ids);
});

it('another poll takes over from one that hangs, which then changes nothing', async () => {
	const given = await stage({ event: 'newCall' });
	await given.poller.activate();
	const ids = calls(given, 3);
	given.clock.advance(MINUTE);
	const { release, arrival } = hold(given);
	const hanging = given.poller.tick();
	await arrival;
	given.clock.advance(4 * MINUTE);
	expect(await given.poller.tick()).toEqual([]);
	given.clock.advance(2 * MINUTE);
	expect(await given.poller.tick()).toHaveLength(3);
	ids.push(...calls(given, 1));
	release();
	await hanging;
	await setImmediate();
	await given.tick();
	expect(given.poller.ids).toEqual(ids);
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
		const given = await stage({ event: 'newCall' });
		const { poller, clock, emulator } = given;
		const { parameters } = poller;
		const copy = new Poller({ emulator, parameters, name: 'Copy', beside: poller });
		for (const one of [poller, copy]) await one.activate();
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
	const given = await stage({ event: 'newCall' });
	await given.poller.activate();
	calls(given, 1);
	await given.tick();
	calls(given, 1);
	given.clock.advance(SECOND);
	await given.poller.rename('Another name');
	expect(await given.tick()).toEqual([]);
	const [id] = calls(given, 1);
	expect(await given.tick()).toMatchObject([{ id }]);
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
