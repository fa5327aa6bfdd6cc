import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { active, HOUR, MINUTE, SECOND } from '../support/stage.ts';

// Events about calls, of which parts may come later. That each call comes once, and after its end: unit/poll.

const ID = '0b6e8ad2-3f0c-4a53-9f0e-5f3a4a1c1f10';
const BY_AGENT = { filters: { agent_id: { __rl: true, mode: 'id', value: ID } } };

const transfer_time = '2026-03-02T09:00:30Z';

describe('New Call', () => {
	it('tells of calls without an agent if others show one', async () => {
		const { store, tick } = await active('newCall', BY_AGENT);
		const shown = store.addCall({ agent_id: ID });
		store.addCall({ agent_id: undefined });
		const trigger_notice = expect.stringMatching(/do not show their agent/);
		expect(await tick()).toMatchObject([{ id: shown.id, trigger_notice }]);
		expect(await tick()).toEqual([]);
	});

	it.each<[what: string, include: string[], fields: string[], requests: number]>([
		['nothing', [], [], 0],
		['detail and summary', ['detail', 'summary'], ['transfer_time', 'summary'], 2],
		['the transcript as text', ['transcriptText'], ['transcript_text'], 1],
	])('includes %s, with one request for each part', async (_what, include, fields, requests) => {
		const { store, tick, requestsOf } = await active('newCall', { options: { include } });
		store.addCall({ transfer_time });
		let item = {};
		expect(await requestsOf(async () => ([item = {}] = await tick()))).toBe(1 + requests);
		const parts = ['transfer_time', 'summary', 'transcript', 'transcript_text'];
		expect(parts.filter((name) => name in item)).toEqual(fields);
		expect(await requestsOf(async () => await tick())).toBe(1);
	});

	it('waits an hour for the end of a call with a status that the reference does not explain', async () => {
		const { store, tick } = await active('newCall');
		const [ends, stays] = [1, 2].map(() => store.addCall({ call_status: 'Ringing' }).id);
		expect(await tick(30 * MINUTE)).toEqual([]);
		store.calls.change(ends!, { call_status: 'Completed' });
		expect(await tick()).toMatchObject([{ id: ends }]);
		expect(await tick(HOUR)).toMatchObject([{ id: stays }]);
	});
});

describe('Call Transferred', () => {
	it('waits ten minutes for a transfer, and reads each ended call once or twice', async () => {
		const { store, tick, poller, requestsOf } = await active('callTransferred');
		const add = (more: object) => store.addCall({ call_status: 'Completed', ...more }).id;
		const [late, never] = [add({ transfer_time: null }), add({ transfer_time: null })];
		store.addCall({ call_status: 'In Progress', transfer_time });
		const known = add({ transfer_time });
		const after = async (time: number) => await requestsOf(async () => await tick(time));
		expect(await after(SECOND)).toBe(4);
		expect(await after(9 * MINUTE)).toBe(1);
		store.calls.change(late, { transfer_time });
		expect(await after(MINUTE)).toBe(3);
		store.calls.change(never, { transfer_time });
		expect(await after(HOUR)).toBe(1);
		expect(poller.ids).toEqual([known, late]);
	});
});

describe('Fallback Provider Used', () => {
	it('reads the detail if the list does not show it, and a call that is not measured for 10 minutes', async () => {
		const readings = { callDetail: 'transfer time, providers' } as const;
		const given = await active('fallbackProviderUsed', {}, { readings });
		const { store, tick, poller, requestsOf } = given;
		const [used] = [true, false, null].map((ai_provider_fallback_used) =>
			store.addCall({ call_status: 'Completed', ai_provider_fallback_used }),
		);
		expect(await requestsOf(async () => await tick())).toBe(4);
		expect(poller.ids).toEqual([used!.id]);
		await tick(10 * MINUTE);
		expect(await requestsOf(async () => await tick())).toBe(1);
		expect(poller.errors).toEqual([]);
	});
});

describe('Call Ready', () => {
	it.each([
		['one that ended well waits as long as the user says', 'Completed', 8, 8],
		['one that failed waits five minutes', 'Failed', 60, 5],
		['one that ended in the queue waits five minutes', 'Ended In Queue', 60, 5],
		['one that failed waits no longer than the user says', 'Failed', 2, 2],
		['one that was busy does not wait', 'Busy', 60, 0],
		['one that nobody answered does not wait', 'Not Answered', 60, 0],
		['one that was rejected does not wait', 'Rejected', 60, 0],
	])('of the calls without a summary, %s', async (_what, call_status, waitMinutes, minutes) => {
		const { store, tick } = await active('callReady', { waitMinutes });
		const { id } = store.addCall({ call_status }, { summaryAt: null });
		const found = [];
		for (let polls = 0; polls < 12; polls++) found.push(await tick());
		// The first poll shows that it has ended.
		expect(found.map(({ length }) => length).indexOf(1)).toBe(minutes);
		expect(found.flat()).toMatchObject([{ id, ready: false, summary: null }]);
	});

	it('shows as a test event the newest call that has its summary, or else the newest call', async () => {
		const { store, poller, clock } = await active('callReady');
		const add = (summaryAt?: null) => {
			clock.advance(SECOND);
			return store.addCall({}, { summaryAt });
		};
		const newest = add(null);
		expect(await poller.fetchTestEvent()).toMatchObject([{ id: newest.id, ready: false }]);
		const whole = add();
		add(null);
		expect(await poller.fetchTestEvent()).toMatchObject([{ id: whole.id, ready: true }]);
	});

	it.each([
		['the summary', ['summary'], 2],
		['the transcript', ['transcript'], 4],
		['both', ['summary', 'transcript'], 4],
	])('waits for %s, with one request for each part, and shows only that', async (...row) => {
		const [, waitFor, due] = row;
		const { store, clock, tick, requestsOf } = await active('callReady', { waitFor });
		const { server } = clock;
		const parts = { summaryAt: server + 15 * MINUTE, transcriptAt: server + 35 * MINUTE };
		const { id } = store.addCall({}, parts);
		const waits = async () => expect(await tick(10 * MINUTE)).toEqual([]);
		for (let polls = 1; polls < due; polls++)
			expect(await requestsOf(waits)).toBe(1 + waitFor.length);
		const [item = {}] = await tick(10 * MINUTE);
		expect(item).toMatchObject({ id, ready: true });
		expect(['summary', 'transcript'].filter((part) => part in item)).toEqual(waitFor);
		expect(await tick(10 * MINUTE)).toEqual([]);
	});
});

const FALLBACK = 'ai_provider_fallback_used';

it.each<[event: string, field: string, name: string, more: INodeParameters]>([
	['newCall', 'call_status', 'status', { filters: { call_status: ['Busy'] } }],
	['newCall', 'agent_id', 'agent', BY_AGENT],
	['fallbackProviderUsed', FALLBACK, FALLBACK, {}],
])(
	'%s loses no call that does not show its %s yet, and says so',
	async (event, field, name, more) => {
		const { store, poller, clock, tick } = await active(event, more);
		const shown = { agent_id: ID, call_status: 'Busy', [FALLBACK]: true };
		const { id } = store.addCall({ ...shown, [field]: undefined });
		clock.advance(MINUTE);
		for (let polls = 0; polls < 2; polls++)
			expect((await poller.failingTick()).message).toContain(`do not show their ${name}`);
		store.calls.change(id, shown);
		expect(await tick()).toMatchObject([{ id }]);
	},
);

it('a call of which a part cannot be read waits, and comes as incomplete after Look Back', async () => {
	const { store, emulator, clock, tick, poller } = await active('callReady');
	const [bad, good] = [store.addCall().id, store.addCall().id];
	const match = ({ path }: { path: string }) => path === `/call-history/${bad}/summary`;
	emulator.faults.add({ kind: 'status', status: 500, times: Infinity, match });
	// What happened before the first failure does not count.
	clock.advance(2 * HOUR);
	expect(await tick()).toMatchObject([{ id: good }]);
	expect(poller.warnings).toEqual([expect.stringMatching(/could not read every record.*500/)]);
	for (let hours = 0; hours < 2; hours++) await tick(HOUR);
	expect(poller.ids).toEqual([good]);
	expect(await tick(HOUR)).toMatchObject([{ id: bad, incomplete: true, ready: false }]);
	emulator.faults.clear();
	expect(await tick()).toEqual([]);
});
