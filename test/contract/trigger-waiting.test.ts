import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { ENGINES } from '../support/poller.ts';
import { HOUR, MINUTE, SECOND, stage, type Stage, type StageOptions } from '../support/stage.ts';

const ready = async (parameters: INodeParameters = {}, more: Partial<StageOptions> = {}) => {
	const given = await stage({ event: 'callReady', parameters, ...more });
	await given.poller.activate();
	await given.tick(SECOND);
	return given;
};

/** What Simplify leaves out, in a field that a call has. */
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
	describe.each(ENGINES)('under the %s engine', (engine) => {
		it('emits a call once its summary exists, and once only', async () => {
			const given = await ready({}, { engine });
			const { clock, store, poller } = given;
			const late = store.addCall({}, { summaryAt: clock.server + 25 * MINUTE });
			const soon = store.addCall({}, { summaryAt: clock.server + 5 * MINUTE });
			expect(await poll(given, 5)).toEqual([[[soon.id, true]], [], [[late.id, true]], [], []]);
			expect(poller.items.map(({ summary }) => typeof summary)).toEqual(['string', 'string']);
		});

		it('emits it without after the time it may wait, marked so, and not again', async () => {
			const given = await ready({ waitMinutes: 30 }, { engine });
			const { clock, store, poller } = given;
			const never = store.addCall({}, { summaryAt: null });
			const tooLate = store.addCall({}, { summaryAt: clock.server + 45 * MINUTE });
			const busy = store.addCall({ call_status: 'Busy' });
			const [first, second, third, ...rest] = await poll(given, 6);
			expect([first, second]).toEqual([[], []]);
			expect(third!.toSorted()).toEqual([never, tooLate, busy].map(({ id }) => [id, false]).sort());
			expect(rest).toEqual([[], [], []]);
			expect(poller.items.map(({ summary }) => summary)).toEqual([null, null, null]);
		});
	});

	it.each([
		[['summary'], 1],
		[['transcript'], 3],
		[['summary', 'transcript'], 3],
	])('waits for %j', async (waitFor, poll) => {
		const { clock, store, tick } = await ready({ waitFor });
		const { server } = clock;
		store.addCall({}, { summaryAt: server + 15 * MINUTE, transcriptAt: server + 35 * MINUTE });
		const counts: number[] = [];
		let item;
		for (let i = 0; i < 5; i++) {
			const items = await tick(10 * MINUTE);
			counts.push(items.length);
			item ??= items[0];
		}
		expect(counts).toEqual([0, 1, 2, 3, 4].map((i) => Number(i === poll)));
		expect(item).toMatchObject({ ready: true });
		for (const part of ['summary', 'transcript'])
			expect(part in item!, part).toBe(waitFor.includes(part));
	});

	it('asks what to wait for, where nothing is chosen', async () => {
		const given = await stage({ event: 'callReady', parameters: { waitFor: [] } });
		await expect(given.poller.activate()).rejects.toThrow(
			"'Wait For' must name a summary or a transcript",
		);
		expect(given.emulator.requests).toEqual([]);
	});

	it.each([
		{ summary: null },
		{ call_id: 'x', summary: null },
		{ call_id: 'x', turns: [] },
		{ summary: '' },
		{},
		[],
	])('takes an answer of %j for no summary', async (data) => {
		const { emulator, store, tick } = await ready();
		const { id } = store.addCall();
		const body = { ok: true, data, error: null, meta: null };
		const match = ({ path }: { path: string }) => path.endsWith('/summary');
		emulator.faults.add({ kind: 'status', status: 200, body, match });
		expect(await tick()).toEqual([]);
		expect(await tick()).toMatchObject([{ id, ready: true, summary: expect.any(String) }]);
	});

	it('does not let calls that wait hold back the others', async () => {
		const given = await ready({ options: { pollLimit: 1 } });
		for (let i = 0; i < 130; i++) given.store.addCall({}, { summaryAt: null });
		given.clock.advance(SECOND);
		const { id } = given.store.addCall();
		expect(await poll(given, 2)).toEqual([[[id, true]], []]);
	});
});

describe('New Call', () => {
	it('waits for the end of a call, and shows how it ended', async () => {
		const { store, poller, tick } = await stage({ event: 'newCall' });
		await poller.activate();
		const { id } = store.addCall({ call_status: 'In Progress' });
		const other = store.addCall();
		expect((await tick()).map((call) => call.id)).toEqual([other.id]);
		store.calls.change(id, { call_status: 'Failed' });
		expect(await tick()).toMatchObject([{ id, call_status: 'Failed' }]);
		expect(await tick()).toEqual([]);
	});
});

describe.each<[string, { options: INodeParameters }]>([
	['newCall', { options: { include: ['summary'] } }],
	['callReady', { options: {} }],
])('%s, where a part cannot be read', (event, parameters) => {
	const begin = async () => {
		const given = await stage({ event, parameters });
		await given.poller.activate();
		await given.tick(SECOND);
		return given;
	};

	it('the call waits, and the others are emitted', async () => {
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

	it('a rate limit reaches n8n', async () => {
		const given = await begin();
		const { id } = given.store.addCall();
		const match = ({ path }: { path: string }) => path.endsWith('/summary');
		given.emulator.faults.add({ kind: 'status', status: 429, retryAfter: '900', match });
		given.clock.advance(MINUTE);
		const { failure } = await given.poller.failingTick();
		expect(failure).toEqual({ cause: 'rate-limited', retryAfterMs: 900_000 });
		expect((await given.tick()).map((call) => call.id)).toEqual([id]);
	});

	/** Ids, and whether they came incomplete. */
	const came = ({ poller }: Stage) =>
		poller.items.map(({ id, incomplete = false }) => [id, incomplete]);

	it('after it failed for the look-back it is emitted without, marked so', async () => {
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

	it.each([400, 500])('calls that never can be read hold nobody up: %d', async (status) => {
		const given = await begin();
		const bad = Array.from({ length: 12 }, () => given.store.addCall().id);
		const waiting = given.store.addCall({ call_status: 'In Progress' }).id;
		const match = ({ path }: { path: string }) => bad.some((id) => path.includes(id));
		given.emulator.faults.add({ kind: 'status', status, times: Infinity, match });
		const good: string[] = [];
		for (let i = 0; i < 24; i++) {
			if (i === 3) given.store.calls.change(waiting, { call_status: 'Completed' });
			if (i % 4 === 0) good.push(given.store.addCall().id);
			given.clock.advance(20 * MINUTE);
			await given.poller.tick().catch(() => []);
		}
		expect(came(given).toSorted()).toEqual(
			[...bad.map((id) => [id, true]), ...[...good, waiting].map((id) => [id, false])].toSorted(),
		);
	});
});

it('what does not exist is null, and no error', async () => {
	const parameters = { options: { include: ['detail', 'summary', 'transcript'] } };
	const { store, poller, tick, clock } = await stage({ event: 'newCall', parameters });
	await poller.activate();
	const later = clock.server + HOUR;
	const { id } = store.addCall({}, { detailAt: later, summaryAt: null, transcriptAt: later });
	expect(await tick()).toMatchObject([{ id, summary: null, transcript: null }]);
});
