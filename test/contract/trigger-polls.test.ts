import type { INodeParameters, INodePropertyOptions } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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

it('a poll whose time is too short for a list ends with an error, and nothing is lost', async () => {
	// 5 records a page. With this engine, n8n gives a poll 36 s.
	const readings = { pageCap: '5 records' } as const;
	const given = await active('newCall', {}, { engine: 'durable', readings });
	given.clock.advance(HOUR);
	const ids = calls(given, 160);
	const stop = given.emulator.before(() => given.clock.advance(1.2 * SECOND));
	const began = given.clock.server;
	expect((await given.poller.failingTick()).message).toMatch(/not enough time.*'Look Back'/);
	expect(given.clock.server - began).toBeLessThanOrEqual(36 * SECOND);
	stop();
	for (let polls = 0; polls < 4; polls++) await given.tick();
	expect(given.poller.ids).toEqual(ids);
});

it('a poll whose time is too short for the parts of all calls ends in time, and the next ones go on', async () => {
	const options = { include: ['detail', 'summary', 'transcript'] };
	const given = await active('newCall', { options }, { engine: 'durable' });
	const ids = calls(given, 30);
	given.emulator.before(() => given.clock.advance(SECOND));
	for (let polls = 0; polls < 5; polls++) {
		given.clock.advance(MINUTE);
		const began = given.clock.server;
		await given.poller.tick();
		expect(given.clock.server - began).toBeLessThan(36 * SECOND);
	}
	expect(given.poller.errors).toEqual([]);
	expect(given.poller.ids).toEqual(ids);
});

it('a version of n8n that does not say how long a poll may take is polled all the same', async () => {
	const given = await active('newCall', {}, { budgetMs: null });
	const ids = calls(given, 3);
	await given.tick();
	expect(given.poller.ids).toEqual(ids);
});

it.each([
	['usually', 36_000],
	['with N8N_SCHEDULER_POLL_TIMEOUT=400', 320_000],
	['with a time that has a fraction', 36_800.1],
])('an outage shows as failed executions with n8n’s scheduler, %s', async (_what, budget) => {
	const given = await active('newCall', {}, { engine: 'scheduler' });
	given.poller.scheduledMs = budget;
	const ids = calls(given, 1);
	given.emulator.faults.add({ kind: 'status', status: 500, times: Infinity });
	for (let polls = 0; polls < 3; polls++) {
		given.clock.advance(MINUTE);
		expect((await given.poller.failingTick()).message).toMatch(/500/);
	}
	given.emulator.faults.clear();
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

describe('a registration that was replaced changes nothing, although it polls', () => {
	const voicemail = { event: 'newCall', filters: { call_status: ['Voicemail'] } };
	const all = { event: 'newCall' };

	it.each([
		['another event, and polls first', { event: 'newOrder' }, all, 'first', 8],
		['a filter, and polls first', voicemail, all, 'first', 8],
		['a filter, and polls last', voicemail, all, 'last', 8],
		['no filter, and polls first', all, voicemail, 'first', 4],
		['no filter, and polls last', all, voicemail, 'last', 4],
	])('it has %s', async (_what, before, after, turn, wanted) => {
		const given = await stage(before);
		const { poller, clock, store } = given;
		poller.parameters = { ...poller.parameters, ...before };
		await poller.activate();
		const replaced = poller.registration;
		poller.deactivate();
		poller.parameters = { authentication: 'apiKey', ...after };
		await poller.activate('update');
		const calls: Array<{ id: string; call_status: string }> = [];
		for (let minutes = 0; minutes < 4; minutes++) {
			for (const call_status of ['Voicemail', 'Completed'] as const) {
				clock.advance(SECOND);
				calls.push({ call_status, id: store.addCall({ call_status }).id });
			}
			clock.advance(MINUTE);
			if (turn === 'first') await poller.tick(replaced);
			await poller.tick();
			if (turn === 'last') await poller.tick(replaced);
		}
		const ids = calls.filter((call) => wanted === 8 || call.call_status === 'Voicemail');
		expect(poller.ids).toEqual(ids.map(({ id }) => id));
	});

	it('but one whose successor could not begin goes on', async () => {
		const given = await active('newCall');
		const { poller, emulator } = given;
		const registration = poller.registration;
		emulator.faults.add({ kind: 'status', status: 401, times: 2 });
		await expect(poller.activate('update')).rejects.toThrow(/AUTHENTICATION_FAILED/);
		emulator.faults.clear();
		const ids = calls(given, 1);
		given.clock.advance(MINUTE);
		await poller.tick(registration);
		expect(poller.ids).toEqual(ids);
	});
});

it('two triggers with one node ID, such as after a copy by hand, both get every call', async () => {
	const given = await active('newCall');
	const { poller, clock, emulator } = given;
	const { parameters } = poller;
	const copy = new Poller({ emulator, parameters, name: 'Copy', beside: poller });
	await copy.activate();
	const ids: string[] = [];
	for (const apart of [0, 0, 0, 20 * SECOND, 20 * SECOND, 20 * SECOND]) {
		clock.advance(MINUTE);
		ids.push(...calls(given, 1));
		const first = poller.tick();
		if (apart > 0) await first;
		clock.advance(apart);
		await Promise.all([first, copy.tick()]);
	}
	expect([poller.ids, copy.ids]).toEqual([ids, ids]);
});

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

it('a record without an ID or a date is left out and told once, and the others come', async () => {
	const { poller, emulator, tick } = await active('newCall');
	const call = { id: 7, created_at: '2026-01-15T09:00:30Z', call_status: 'Completed' };
	const bad = [
		{ ...call, id: '' },
		{ ...call, id: 8, created_at: '2026-02-30T09:00:00Z' },
	];
	/** The next poll finds these records. */
	const answer = (...data: object[]) => {
		const body = { ok: true, data, meta: { total_items: data.length }, error: null };
		emulator.faults.add({ kind: 'status', status: 200, body });
	};
	// An error would undo the publishing, so the next poll tells of it.
	answer(...bad);
	poller.deactivate();
	await poller.activate('update');
	answer(...bad);
	expect((await poller.failingTick()).message).toMatch(/were left out, .*no id or no created_at/);
	answer(...bad);
	expect(await tick()).toEqual([]);
	answer(...bad, call);
	expect(await tick()).toMatchObject([
		{ id: 7, trigger_notice: expect.stringMatching(/left out/) },
	]);
});

describe('a call in progress that is older than Look Back', () => {
	/** Calls that stay in progress, and for some hours 16 calls that end and a poll every hour. */
	async function stuck(count: number, hours: number, event = 'newCall') {
		const given = await active(event);
		const ids = Array.from(
			{ length: count },
			() => given.store.addCall({ call_status: 'In Progress' }).id,
		);
		for (let polls = 0; polls < hours; polls++) {
			for (let n = 0; n < 16; n++) given.store.addCall();
			await given.tick(HOUR);
		}
		return { ...given, ids };
	}

	it('costs one request per poll, also if there are several, and comes after its end', async () => {
		const { store, poller, tick, requestsOf, ids } = await stuck(3, 20);
		expect(await requestsOf(async () => await tick())).toBe(2);
		for (const id of ids) store.calls.change(id, { call_status: 'Completed' });
		const before = poller.ids.length;
		for (let polls = 0; polls < 3; polls++) expect(await tick()).toHaveLength(1);
		expect(poller.ids.slice(before).sort()).toEqual([...ids].sort());
		expect(await tick()).toEqual([]);
		expect(await requestsOf(async () => await tick())).toBe(1);
		expect(new Set(poller.ids).size).toBe(poller.ids.length);
		expect(poller.errors).toEqual([]);
	});

	it('waits for its parts as any other call', async () => {
		const { store, tick, ids, poller } = await stuck(2, 5, 'callReady');
		for (const id of ids) store.calls.change(id, { call_status: 'Completed' });
		for (const id of ids) store.callTimings.set(id, { summaryAt: null });
		for (let polls = 0; polls < 6; polls++) expect(await tick(10 * MINUTE)).toEqual([]);
		await tick(10 * MINUTE);
		await tick(10 * MINUTE);
		expect(poller.items.slice(-2)).toMatchObject(ids.map((id) => ({ id, ready: false })));
	});

	it('is asked for again if that failed, and the other calls come', async () => {
		const { emulator, store, tick, poller, ids } = await stuck(1, 5);
		const path = `/call-history/${ids[0]}`;
		emulator.faults.add({
			kind: 'status',
			status: 500,
			times: Infinity,
			match: (to) => to.path === path,
		});
		store.calls.change(ids[0]!, { call_status: 'Completed' });
		const other = store.addCall().id;
		expect(await tick()).toMatchObject([{ id: other }]);
		expect(poller.warnings).toEqual([expect.stringMatching(/could not read every record.*500/)]);
		emulator.faults.clear();
		expect(await tick()).toMatchObject([{ id: ids[0] }]);
	});

	it('is left out after a day, and the user is told', async () => {
		const { poller, clock, tick, store } = await stuck(1, 24);
		clock.advance(10 * MINUTE);
		expect((await poller.failingTick()).message).toMatch(/still in progress a day after/);
		const { id } = store.addCall();
		expect(await tick()).toMatchObject([{ id }]);
	});

	it('is left out after a day without a word if it was deleted', async () => {
		const { store, tick, poller, ids, requestsOf } = await stuck(1, 5);
		store.calls.remove(ids[0]!);
		for (let hours = 0; hours < 20; hours++) expect(await tick(HOUR)).toEqual([]);
		expect(await requestsOf(async () => await tick())).toBe(1);
		expect(poller.errors).toEqual([]);
	});
});

it('a list of more than 200 agents cannot be watched, and the error says so', async () => {
	const given = await stage({ event: 'agentChanged' });
	for (let agents = 2; agents < 200; agents++) given.store.addAgent('inbound');
	await given.poller.activate();
	expect(await given.tick()).toEqual([]);
	given.store.addAgent('inbound');
	given.clock.advance(MINUTE);
	const { message } = await given.poller.failingTick();
	expect(message).toContain('The list has more than 200 records');
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
