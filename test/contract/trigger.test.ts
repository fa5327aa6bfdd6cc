import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { FaultKind } from '../emulator/index.ts';
import { ENGINES } from '../support/poller.ts';
import {
	DAY,
	EVENT_NAMES,
	EVENTS,
	MINUTE,
	SECOND,
	setMinutes,
	stage,
	VALUE_NAMES,
} from '../support/stage.ts';

/** One event of each way to watch. */
const ONE_OF_EACH_KIND = ['callReady', 'orderStatusChanged', 'lowBalance'];

/** An answer of the API with this data. */
const dataOf = (data: unknown): FaultKind => ({
	kind: 'status',
	status: 200,
	body: { ok: true, data, meta: null, error: null },
});

const like = (expected: IDataObject) => [expect.objectContaining(expected)];

describe.each(EVENT_NAMES)('%s', (event) => {
	const { happen, parameters, path, isList } = EVENTS[event]!;
	const isValue = VALUE_NAMES.includes(event);

	// How n8n polls makes no difference between events of a kind.
	it.each(ONE_OF_EACH_KIND.includes(event) ? ENGINES : ENGINES.slice(0, 1))(
		'starts the workflow once for each thing that happens (%s)',
		async (engine) => {
			const given = await stage({ event, parameters, engine });
			if (isList) await happen(given);
			expect(await given.poller.activate()).toEqual([]);
			expect(await given.tick()).toEqual([]);
			for (let i = 0; i < 3; i++) {
				const expected = await happen(given);
				expect(await given.tick()).toEqual(like(expected));
				expect(await given.tick()).toEqual([]);
			}
			expect(given.poller.executions).toHaveLength(3);
			expect(given.poller.errors).toEqual([]);
			expect(given.poller.warnings).toEqual([]);
		},
	);

	it('shows the newest record as a test event, and stores nothing', async () => {
		const given = await stage({ event, parameters });
		await happen(given);
		given.clock.advance(MINUTE);
		const newest = await happen(given);
		given.clock.advance(SECOND);
		expect(await given.poller.fetchTestEvent()).toEqual(like(newest));

		await given.poller.activate();
		const saved = given.poller.saved.staticData;
		const next = await happen(given);
		expect(await given.poller.fetchTestEvent()).toEqual(like(next));
		expect(given.poller.saved.staticData).toBe(saved);
		expect(await given.tick()).toEqual(like(next));
	});

	// There are always values and agents to show.
	if (!isValue && path !== '/agents/') {
		it('says so if there is nothing to show', async () => {
			const { poller } = await stage({ event, parameters });
			await expect(poller.fetchTestEvent()).rejects.toMatchObject({
				message: expect.stringMatching(/there is nothing to show yet/),
				description: expect.stringMatching(/^No matching record was found/),
			});
		});
	}

	it('reads the documented list with GET, with a key that may only read', async () => {
		const given = await stage({ event, parameters });
		await given.poller.activate();
		await happen(given);
		await given.tick();
		expect(given.emulator.requests[0]?.path.split('?')[0]).toBe(path);
		expect(given.emulator.unknown).toEqual([]);
		expect(new Set(given.emulator.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
	});

	// What follows is the same for all events of a kind.
	if (!ONE_OF_EACH_KIND.includes(event)) return;

	it.each(ENGINES)('starts again from now when another account is watched (%s)', async (engine) => {
		const given = await stage({ event, parameters, engine });
		const { emulator, poller, clock } = given;
		await poller.activate();
		await happen(given);
		expect(await given.tick()).toHaveLength(1);
		poller.deactivate();
		const other = { ...given, store: emulator.otherStore };
		other.store.setBalance(5);
		setMinutes(other.store, 5, 0);
		if (!isValue) await happen(other);
		clock.advance(SECOND);
		poller.credentialId = '2';
		poller.credentials = {
			ykVoiceApi: { apiKey: emulator.keys.otherOrg, baseUrl: emulator.url },
		};
		expect(await poller.activate()).toEqual([]);
		expect(await given.tick()).toHaveLength(isValue ? 1 : 0);
		const next = await happen(other);
		const [item] = await given.tick();
		expect(item).toMatchObject(next);
		if (!isValue) expect(item?.trigger_notice).toMatch(/started again from now/);
	});

	describe('a poll that fails', () => {
		it.each<[name: string, status: number, error: object]>([
			[
				'says that the key is not accepted',
				401,
				{
					description: expect.stringMatching(/begins with yk_/),
					failure: { cause: 'credential-invalid' },
				},
			],
			[
				'names the permission that the key lacks',
				403,
				{ description: expect.stringMatching(/needs READ or READ_WRITE/) },
			],
			['tells n8n that the server fails', 500, { failure: { cause: 'temporarily-unavailable' } }],
			[
				'tells n8n how long to wait',
				429,
				{ failure: { cause: 'rate-limited', retryAfterMs: 3_600_000 } },
			],
		])('%s, and changes nothing', async (_name, status, error) => {
			const given = await stage({ event, parameters });
			await given.poller.activate();
			const expected = await happen(given);
			const before = given.poller.known;
			const said = { code: 'THE_CODE', message: 'the reason' };
			given.emulator.faults.add({ kind: 'status', status, retryAfter: '3600', ...said });
			given.clock.advance(MINUTE);
			expect(await given.poller.failingTick()).toMatchObject({
				message: expect.stringMatching(new RegExp(`: the reason \\(${status} THE_CODE\\)$`)),
				...error,
			});
			expect(given.poller.known).toBe(before);
			expect(await given.tick()).toEqual(like(expected));
		});

		it.each<[what: string, fault: FaultKind]>([
			['HTML', { kind: 'html' }],
			['JSON of another kind', { kind: 'not-envelope' }],
			['without data', { kind: 'no-data' }],
			['text', { kind: 'wrong-data' }],
			['a list of nothing', dataOf([null])],
			['a list of records that show nothing', dataOf([{}])],
			['a record with another list', dataOf({ list: [] })],
		])('because the answer is %s changes nothing', async (what, fault) => {
			// A list by date leaves such records out and says so: trigger-records.test.ts.
			if (isList && what === 'a list of records that show nothing') return;
			const given = await stage({ event, parameters });
			await given.poller.activate();
			const expected = await happen(given);
			const before = given.poller.known;
			given.emulator.faults.add({ ...fault, times: Infinity });
			given.clock.advance(MINUTE);
			expect((await given.poller.failingTick()).message).toMatch(
				/The answer could not be used|cannot be read to its end|Records were left out|do not show their (status|id)/,
			);
			expect(given.poller.known).toBe(before);
			given.emulator.faults.clear();
			expect(await given.tick()).toEqual(like(expected));
		});

		it.each(['init', 'leadershipChange'] as const)(
			'is only a warning at n8n’s start: an error would switch the trigger off for good (%s)',
			async (mode) => {
				const given = await stage({ event, parameters });
				await given.poller.activate();
				const expected = await happen(given);
				given.poller.deactivate();
				given.emulator.faults.add({ kind: 'unauthorized', times: 2 });
				expect(await given.poller.activate(mode)).toEqual([]);
				expect(given.poller.warnings).toEqual([
					expect.stringMatching(/could not poll when n8n started: .*AUTHENTICATION_FAILED/),
				]);
				given.clock.advance(MINUTE);
				expect((await given.poller.failingTick()).message).toMatch(/AUTHENTICATION_FAILED/);
				expect(await given.tick()).toEqual(like(expected));
			},
		);
	});

	describe('published again while the API is down', () => {
		it.each(['activate', 'update'] as const)('it goes on with its next poll (%s)', async (mode) => {
			const given = await stage({ event, parameters });
			const { poller, emulator } = given;
			await poller.activate();
			poller.deactivate();
			const expected = await happen(given);
			emulator.faults.add({ kind: 'status', status: 500, times: Infinity });
			expect(await poller.activate(mode)).toEqual([]);
			expect(poller.warnings).toEqual([expect.stringMatching(/starts with its next poll.*500/)]);
			emulator.faults.clear();
			expect(await given.tick()).toEqual(like(expected));
			expect(poller.errors).toEqual([]);
		});

		it('a key that is not accepted still fails at once', async () => {
			const given = await stage({ event, parameters });
			await given.poller.activate();
			given.poller.deactivate();
			given.emulator.faults.add({ kind: 'unauthorized', times: 2 });
			await expect(given.poller.activate()).rejects.toThrow(/AUTHENTICATION_FAILED/);
		});
	});

	// A value starts the workflow whenever it is low, and nobody knows whose it is or how it was meanwhile.
	if (isValue) return;

	describe.each(ENGINES)('switched off and on again (%s)', (engine) => {
		it('goes on where it stopped', async () => {
			const given = await stage({ event, parameters, engine });
			await given.poller.activate();
			await happen(given);
			expect(await given.tick()).toHaveLength(1);
			given.poller.deactivate();
			given.clock.advance(2 * DAY);
			const meanwhile = await happen(given);
			given.clock.advance(SECOND);
			await given.poller.activate();
			await given.tick();
			expect(given.poller.executions.slice(1)).toEqual([like(meanwhile)]);
			expect(await given.tick()).toEqual([]);
		});

		it('starts from now if the user wants that', async () => {
			const options = { onActivation: 'now' };
			const given = await stage({ event, parameters: { ...parameters, options }, engine });
			await given.poller.activate();
			await happen(given);
			expect(await given.tick()).toHaveLength(1);
			given.poller.deactivate();
			given.clock.advance(2 * DAY);
			await happen(given);
			given.clock.advance(SECOND);
			expect(await given.poller.activate()).toEqual([]);
			expect(await given.tick()).toEqual([]);

			const next = await happen(given);
			expect(await given.tick()).toEqual(like(next));
			// If n8n starts, or the running workflow is published again, the trigger goes on.
			const meanwhile = await happen(given);
			given.clock.advance(SECOND);
			await given.poller.restart();
			await given.tick();
			expect(given.poller.executions.slice(2)).toEqual([like(meanwhile)]);
			const again = await happen(given);
			given.clock.advance(SECOND);
			await given.poller.activate('update');
			await given.tick();
			expect(given.poller.executions.slice(3)).toEqual([like(again)]);
		});
	});

	it.each(ENGINES)(
		'goes on with a rotated key, entered as another credential (%s)',
		async (engine) => {
			const given = await stage({ event, parameters, engine });
			const { emulator, poller } = given;
			await poller.activate();
			await happen(given);
			expect(await given.tick()).toHaveLength(1);
			poller.deactivate();
			const meanwhile = await happen(given);
			given.clock.advance(SECOND);
			poller.credentialId = '2';
			poller.credentials = { ykVoiceApi: { apiKey: emulator.keys.all, baseUrl: emulator.url } };
			await poller.activate();
			await given.tick();
			expect(poller.executions.slice(1)).toEqual([like(meanwhile)]);
			const next = await happen(given);
			expect(await given.tick()).toEqual(like(next));
			expect(poller.items.filter(({ trigger_notice }) => trigger_notice)).toEqual([]);
			expect(poller.errors).toEqual([]);
		},
	);

	it.each(ENGINES)(
		'starts again from now when the event is changed and changed back (%s)',
		async (engine) => {
			const given = await stage({ event, parameters, engine });
			const { poller } = given;
			await poller.activate();
			await happen(given);
			expect(await given.tick()).toHaveLength(1);
			const before = poller.parameters;
			for (const changed of [{ event: 'newTransaction' }, before]) {
				poller.deactivate();
				poller.parameters = changed;
				await poller.activate('update');
				await given.tick(SECOND);
			}
			expect(poller.executions).toHaveLength(1);
			const next = await happen(given);
			const trigger_notice = expect.stringMatching(/started again from now/);
			expect(await given.tick()).toEqual(like({ ...next, trigger_notice }));
		},
	);
});

it('a wrong setting is named', async () => {
	for (const [options, text] of [
		[{ lookBack: 0 }, /Look Back/],
		[{ pollLimit: 0 }, /Limit per Poll/],
		[{ onActivation: 'later' }, /On Activation/],
	] as const) {
		const { poller } = await stage({ event: 'newCall', parameters: { options } });
		await expect(poller.activate()).rejects.toThrow(text);
	}
});
