import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { HOUR, MINUTE, SECOND, stage, type Stage, type StageOptions } from '../support/stage.ts';

// Events about calls, of which parts may come later.

const ID = '0b6e8ad2-3f0c-4a53-9f0e-5f3a4a1c1f10';

/** An active workflow. */
async function active(event: string, parameters: INodeParameters = {}, more = {}) {
	const given = await stage({ event, parameters, ...more } as StageOptions);
	await given.poller.activate();
	given.clock.advance(SECOND);
	return given;
}

const idsOf = (records: object[]) =>
	(records as Array<{ id: string }>).map(({ id }) => id).toSorted();

describe('New Call', () => {
	it('only of an agent, with a status', async () => {
		const { store, poller, tick, clock } = await stage({ event: 'newCall' });
		const [agent, other] = store.agents.all().map(({ id }) => id);
		const agent_id = { __rl: true, mode: 'list', value: agent! };
		poller.parameters = { event: 'newCall', filters: { agent_id, call_status: ['Failed'] } };
		await poller.activate();
		clock.advance(SECOND);
		const wanted = store.addCall({ agent_id: agent!, call_status: 'Failed' });
		store.addCall({ agent_id: agent!, call_status: 'Completed' });
		store.addCall({ agent_id: other!, call_status: 'Failed' });
		expect(idsOf(await tick())).toEqual([wanted.id]);
	});

	it('tells of calls without an agent if others show one', async () => {
		const filters = { agent_id: { __rl: true, mode: 'id', value: ID } };
		const { store, tick } = await active('newCall', { filters });
		const shown = store.addCall({ agent_id: ID });
		store.addCall({ agent_id: undefined });
		const trigger_notice = expect.stringMatching(/do not show their agent/);
		expect(await tick()).toMatchObject([{ id: shown.id, trigger_notice }]);
		expect(await tick()).toEqual([]);
	});

	it.each([
		[[]],
		[['detail', 'summary']],
		[['transcriptText']],
		[['transcript', 'transcriptText']],
	])('includes %j, with one request for each part', async (include) => {
		const { store, tick, requestsOf, clock } = await active('newCall', { options: { include } });
		const transfer_time = clock.iso();
		store.addCall({ transfer_time });
		let item = {};
		const work = async () => ([item = {}] = await tick());
		const parts = new Set(include.map((part) => part.replace('Text', '')));
		expect(await requestsOf(work)).toBe(1 + parts.size);
		const shown = {
			transfer_time: 'detail',
			summary: 'summary',
			transcript: 'transcript',
			transcript_text: 'transcriptText',
		};
		for (const [field, part] of Object.entries(shown))
			expect(field in item, field).toBe(include.includes(part));
		expect(await requestsOf(async () => await tick())).toBe(1);
	});

	it('waits for the end of a call, up to a day', async () => {
		const { store, tick } = await active('newCall');
		const { id } = store.addCall({ call_status: 'In Progress' });
		for (const hours of [1, 4, 18]) expect(await tick(hours * HOUR)).toEqual([]);
		store.calls.change(id, { call_status: 'Completed' });
		expect(await tick()).toMatchObject([{ id, call_status: 'Completed' }]);
		expect(await tick()).toEqual([]);
	});

	it.each([null, 'Ringing'])(
		'waits an hour for the end of a call whose status is %j, which the API does not explain',
		async (call_status) => {
			const { store, tick } = await active('newCall');
			const [ends, stays] = [1, 2].map(() => store.addCall({ call_status: call_status! }).id);
			expect(await tick(30 * MINUTE)).toEqual([]);
			store.calls.change(ends!, { call_status: 'Completed' });
			expect(await tick()).toMatchObject([{ id: ends, call_status: 'Completed' }]);
			expect(await tick(HOUR)).toMatchObject([{ id: stays, call_status }]);
			expect(await tick()).toEqual([]);
		},
	);
});

describe('Call Transferred', () => {
	const transfer_time = '2026-03-02T09:00:30Z';

	it.each([
		[9, true],
		[11, false],
	])('waits ten minutes for a transfer that shows after %s: %s', async (after, fires) => {
		const { store, tick, poller } = await active('callTransferred');
		const { id } = store.addCall({ call_status: 'Completed', transfer_time: null });
		await tick(SECOND);
		await tick(after * MINUTE);
		store.calls.change(id, { transfer_time });
		await tick(SECOND);
		await tick(HOUR);
		expect(poller.ids).toEqual(fires ? [id] : []);
	});

	it('reads each ended call once, and one without a transfer once more when its time is over', async () => {
		const { store, tick, requestsOf } = await active('callTransferred');
		store.addCall({ call_status: 'Completed', transfer_time: null });
		store.addCall({ call_status: 'In Progress', transfer_time });
		store.addCall({ call_status: 'Completed', transfer_time });
		const after = async (time: number) => await requestsOf(async () => await tick(time));
		expect(await after(MINUTE)).toBe(3);
		expect(await after(MINUTE)).toBe(1);
		expect(await after(10 * MINUTE)).toBe(2);
		expect(await after(MINUTE)).toBe(1);
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

const ready = async (parameters: INodeParameters = {}, more: Partial<StageOptions> = {}) => {
	const given = await active('callReady', parameters, more);
	await given.tick(0);
	return given;
};

/** A value that Simplify leaves out. */
const NESTED: never[] = [{ kind: { of: 'complaint' } } as never];

const failing = (part: string, { id }: { id: string }) => ({
	kind: 'status' as const,
	status: 500,
	times: Infinity,
	match: ({ path }: { path: string }) => path === `/call-history/${id}/${part}`,
});

/** The items of polls every ten minutes. */
async function poll({ tick }: Stage, times: number) {
	const found = [];
	for (let i = 0; i < times; i++) found.push(await tick(10 * MINUTE));
	return found.map((items) => items.map(({ id, ready: isReady }) => [id, isReady]));
}

describe('Call Ready', () => {
	it('starts it without a summary after Wait at Most, with "ready": false, and not again', async () => {
		const given = await ready({ waitMinutes: 30 });
		const { clock, store, poller } = given;
		const never = store.addCall({}, { summaryAt: null });
		const tooLate = store.addCall({}, { summaryAt: clock.server + 45 * MINUTE });
		const found = await poll(given, 6);
		// The first poll shows that they have ended.
		const due = [never, tooLate].map(({ id }) => [id, false]).sort();
		expect(found.map((items) => items.toSorted())).toEqual([[], [], [], due, [], []]);
		expect(poller.items.map(({ summary }) => summary)).toEqual([null, null]);
	});

	it('starts it at once for a call in which nobody spoke', async () => {
		const given = await ready();
		const statuses = ['Busy', 'Not Answered', 'Rejected'];
		const calls = statuses.map((call_status) => given.store.addCall({ call_status }));
		const [first, ...later] = await poll(given, 8);
		expect(first!.toSorted()).toEqual(calls.map(({ id }) => [id, false]).toSorted());
		expect(later.flat()).toEqual([]);
	});

	it.each([
		['Failed', 60, 5],
		['Ended In Queue', 60, 5],
		['Failed', 2, 2],
		['Completed', 8, 8],
	])('%s, Wait at Most %i: without a summary after %i minutes', async (status, most, minutes) => {
		const { store, tick } = await ready({ waitMinutes: most });
		const { id } = store.addCall({ call_status: status }, { summaryAt: null });
		const found = [];
		for (let polls = 0; polls < 12; polls++) found.push(await tick(MINUTE));
		// The first poll shows that it has ended.
		expect(found.map(({ length }) => length).indexOf(1)).toBe(minutes);
		expect(found.flat()).toMatchObject([{ id, ready: false }]);
	});

	it('shows as a test event the newest call that has its summary, or else the newest call', async () => {
		const { store, poller, clock } = await ready();
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
		[['summary'], 1],
		[['transcript'], 3],
		[['summary', 'transcript'], 3],
	])('waits for %j', async (waitFor, due) => {
		const given = await ready({ waitFor });
		const { server } = given.clock;
		const parts = { summaryAt: server + 15 * MINUTE, transcriptAt: server + 35 * MINUTE };
		const { id } = given.store.addCall({}, parts);
		const expected = [0, 1, 2, 3, 4].map((at) => (at === due ? [[id, true]] : []));
		expect(await poll(given, 5)).toEqual(expected);
		for (const part of ['summary', 'transcript'])
			expect(part in given.poller.items[0]!, part).toBe(waitFor.includes(part));
	});
});

const BY_AGENT = { filters: { agent_id: { __rl: true, mode: 'id', value: ID } } };

it.each([
	['newCall', 'call_status', { filters: { call_status: ['Busy'] } }, /do not show their status/],
	['newCall', 'agent_id', BY_AGENT, /do not show their agent/],
	[
		'fallbackProviderUsed',
		'ai_provider_fallback_used',
		{},
		/do not show their ai_provider_fallback_used/,
	],
])(
	'%s loses no call that does not show its %s yet, and says so',
	async (event, field, parameters, text) => {
		const { store, poller, clock, tick } = await active(event, parameters);
		const shown = { agent_id: ID, call_status: 'Busy', ai_provider_fallback_used: true };
		const { id } = store.addCall({ ...shown, [field]: undefined });
		clock.advance(MINUTE);
		for (let polls = 0; polls < 2; polls++)
			expect((await poller.failingTick()).message).toMatch(text);
		store.calls.change(id, shown);
		expect(idsOf(await tick())).toEqual([id]);
	},
);

describe.each(['newCall', 'callReady', 'callTransferred', 'fallbackProviderUsed'])(
	'%s',
	(event) => {
		it('a call in progress at the activation is new when it ends', async () => {
			const { store, poller, tick } = await stage({ event });
			const fields = { transfer_time: '2026-03-02T09:00:30Z', ai_provider_fallback_used: true };
			store.addCall({ ...fields, call_status: 'Completed' });
			const { id } = store.addCall({ ...fields, call_status: 'In Progress' });
			expect(await poller.activate()).toEqual([]);
			expect(await tick()).toEqual([]);
			store.calls.change(id, { call_status: 'Completed' });
			expect(await tick()).toMatchObject([{ id, call_status: 'Completed' }]);
			expect(await tick()).toEqual([]);
		});
	},
);

describe.each<[string, { options: INodeParameters }]>([
	['newCall', { options: { include: ['summary'] } }],
	['callReady', { options: {} }],
])('%s, if a part cannot be read', (event, parameters) => {
	const begin = async () => {
		const given = await active(event, parameters);
		await given.tick(0);
		return given;
	};

	it('the call waits, and the others start the workflow', async () => {
		const given = await begin();
		const add = () => {
			given.clock.advance(SECOND);
			return given.store.addCall();
		};
		const [one, bad, other] = [add(), add(), add()];
		given.emulator.faults.add(failing('summary', bad));
		expect((await given.tick()).map(({ id }) => id)).toEqual([one.id, other.id]);
		expect(given.poller.warnings).toEqual([
			expect.stringMatching(/could not read every record.*500/),
		]);
		given.emulator.faults.clear();
		expect((await given.tick()).map(({ id }) => id)).toEqual([bad.id]);
		expect(given.poller.items.map(({ summary }) => typeof summary)).toEqual(
			Array(3).fill('string'),
		);
		expect(await given.tick()).toEqual([]);
	});

	/** The ids of all items, and whether each is incomplete. */
	const came = ({ poller }: Stage) =>
		poller.items.map(({ id, incomplete = false }) => [id, incomplete]);

	it('after Look Back the call starts the workflow without it, marked as incomplete', async () => {
		const given = await begin();
		const call = given.store.addCall({ tags: NESTED });
		given.emulator.faults.add(failing('summary', call));
		// What happened before the first failure does not count.
		given.clock.advance(3 * HOUR);
		await given.poller.failingTick();
		const others: string[] = [];
		for (let i = 0; i < 9; i++) {
			others.push(given.store.addCall().id);
			expect(came(given)).not.toContainEqual([call.id, true]);
			await given.tick(20 * MINUTE);
		}
		expect(came(given).toSorted()).toEqual(
			[[call.id, true], ...others.map((id) => [id, false])].toSorted(),
		);
		const item = given.poller.items.find(({ id }) => id === call.id)!;
		if (event === 'callReady') expect(item).toMatchObject({ ready: false });
		expect(item).not.toHaveProperty('tags');
		given.emulator.faults.clear();
		expect(await given.tick()).toEqual([]);
	});
});

it('a call whose detail is not there yet waits for it, also if the API answers 404', async () => {
	const parameters = { options: { include: ['detail'] } };
	const { store, poller, tick, clock } = await stage({ event: 'newCall', parameters });
	await poller.activate();
	const { id } = store.addCall({}, { detailAt: clock.server + HOUR });
	await poller.failingTick();
	const [item] = await tick(2 * HOUR);
	expect(item).toMatchObject({ id, transfer_time: null });
	expect(item).not.toHaveProperty('incomplete');
});
