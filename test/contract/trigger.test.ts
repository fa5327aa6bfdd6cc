import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { ENGINES } from '../support/poller.ts';
import { active, DAY, EVENT_NAMES, EVENTS, HOUR, MINUTE, SECOND, stage } from '../support/stage.ts';

const like = (expected: IDataObject) => [expect.objectContaining(expected)];

/** Fields that are no data of a person. */
const PLAIN = /(^|_)(id|ids|at|date|time|status|type|change|unit|source)$/;

/** The texts of records that say something about somebody. */
const textsIn = (value: unknown, name = ''): string[] => {
	if (typeof value === 'string') return PLAIN.test(name) || value.length < 4 ? [] : [value];
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([inner, held]) =>
		textsIn(held, Array.isArray(value) ? name : inner),
	);
};

/** Events that have something to show before anything happens. */
const THERE_FROM_THE_START = ['agentChanged', 'lowBalance', 'lowMinutes'];

// That each event starts the workflow once: promises/nothingLost.
describe.each(EVENT_NAMES)('the event %s', (event) => {
	const { happen, parameters } = EVENTS[event]!;

	// As docs/privacy.md says.
	const keeps = event === 'agentChanged' ? 'the settings' : 'no text of a record';
	it(`keeps ${keeps} in n8n's database`, async () => {
		const { poller, happen: again, tick } = await active(event);
		for (let times = 0; times < 3; times++) {
			await again();
			await tick();
		}
		const kept = textsIn(poller.items).filter((text) => poller.known.includes(text));
		expect(poller.items.length).toBeGreaterThan(0);
		expect(kept.length > 0).toBe(event === 'agentChanged');
	});

	it('shows the newest record as a test event and stores nothing, or says that there is none', async () => {
		const given = await stage({ event, parameters });
		const { poller, clock, tick } = given;
		if (!THERE_FROM_THE_START.includes(event))
			await expect(poller.fetchTestEvent()).rejects.toMatchObject({
				message: expect.stringMatching(/there is nothing to show yet/),
				description: expect.stringMatching(/^No matching record was found/),
			});
		await happen(given);
		clock.advance(MINUTE);
		const newest = await happen(given);
		clock.advance(SECOND);
		expect(await poller.fetchTestEvent()).toEqual(like(newest));

		await poller.activate();
		const saved = poller.saved.staticData;
		const next = await happen(given);
		expect(await poller.fetchTestEvent()).toEqual(like(next));
		expect(poller.saved.staticData).toBe(saved);
		expect(await tick()).toEqual(like(next));
	});
});

// One event of each way to watch: new records, a whole list, and a value. That other bad answers lose nothing:
// promises/nothingLost.
describe.each(['callReady', 'orderStatusChanged', 'lowBalance'])(
	'a poll of %s that fails',
	(event) => {
		it.each<[what: string, status: number, error: object]>([
			['a key is not accepted', 401, { failure: { cause: 'credential-invalid' } }],
			[
				'a key is missing a permission',
				403,
				{ description: expect.stringMatching(/needs READ or READ_WRITE/) },
			],
			['the server fails', 500, { failure: { cause: 'temporarily-unavailable' } }],
			[
				'the server wants n8n to wait',
				429,
				{ failure: { cause: 'rate-limited', retryAfterMs: 3_600_000 } },
			],
		])('says that %s, and changes nothing', async (_what, status, error) => {
			const { poller, emulator, clock, tick, happen } = await active(event);
			const expected = await happen();
			const before = poller.known;
			const said = { code: 'THE_CODE', message: 'the reason' };
			emulator.faults.add({ kind: 'status', status, retryAfter: '3600', ...said });
			clock.advance(MINUTE);
			expect(await poller.failingTick()).toMatchObject({
				message: expect.stringMatching(new RegExp(`: the reason \\(${status} THE_CODE\\)$`)),
				...error,
			});
			expect(poller.known).toBe(before);
			// Before the time that the server asked for is over, no poll sends anything.
			const asked = emulator.requests.length;
			if (status === 429) await poller.failingTick();
			expect(emulator.requests).toHaveLength(asked);
			if (status === 429) clock.advance(HOUR);
			expect(await tick()).toEqual(like(expected));
		});

		it.each(['init', 'leadershipChange'] as const)(
			'is only a warning when n8n starts (%s), because an error would switch the trigger off for good',
			async (mode) => {
				const { poller, emulator, clock, tick, happen } = await active(event);
				const expected = await happen();
				poller.deactivate();
				emulator.faults.add({ kind: 'status', status: 401, times: 2 });
				expect(await poller.activate(mode)).toEqual([]);
				expect(poller.warnings).toEqual([
					expect.stringMatching(/could not poll when n8n started: .*AUTHENTICATION_FAILED/),
				]);
				clock.advance(MINUTE);
				expect((await poller.failingTick()).message).toMatch(/AUTHENTICATION_FAILED/);
				expect(await tick()).toEqual(like(expected));
			},
		);

		it('does not stop the publishing if the API is down, but does so if the key is not accepted', async () => {
			const { poller, emulator, tick, happen } = await active(event);
			const expected = await happen();
			for (const mode of ['activate', 'update'] as const) {
				poller.deactivate();
				emulator.faults.add({ kind: 'status', status: 500, times: Infinity });
				expect(await poller.activate(mode)).toEqual([]);
				expect(poller.warnings.at(-1)).toMatch(/starts with its next poll.*500/);
				emulator.faults.clear();
			}
			poller.deactivate();
			emulator.faults.add({ kind: 'status', status: 401, times: 2 });
			await expect(poller.activate()).rejects.toThrow(/AUTHENTICATION_FAILED/);
			emulator.faults.clear();
			await poller.activate('update');
			await tick();
			expect(poller.executions).toEqual([like(expected)]);
		});
	},
);

describe.each(ENGINES)('with n8n’s %s engine', (engine) => {
	describe.each(['callReady', 'orderStatusChanged'])('the event %s', (event) => {
		/** The workflow started once, and is switched off. */
		async function begun(options = {}) {
			const given = await active(event, { options }, { engine });
			await given.happen();
			expect(await given.tick()).toHaveLength(1);
			given.poller.deactivate();
			const { poller, emulator } = given;
			const useKey = (apiKey: string) => {
				poller.credentialId = '2';
				poller.credentials = { ykVoiceApi: { apiKey, baseUrl: emulator.url } };
			};
			return { ...given, useKey };
		}

		it('goes on where it stopped, also with a rotated key as another credential', async () => {
			const { poller, emulator, clock, tick, happen, useKey } = await begun();
			clock.advance(2 * DAY);
			const meanwhile = await happen();
			useKey(emulator.keys.all);
			await poller.activate();
			await tick();
			const next = await happen();
			await tick();
			expect(poller.executions.slice(1)).toEqual([like(meanwhile), like(next)]);
			expect(poller.items.filter(({ trigger_notice }) => trigger_notice)).toEqual([]);
		});

		it('starts from now if the user wants that, but not when n8n starts or when it is published again', async () => {
			const { poller, clock, tick, happen } = await begun({ onActivation: 'now' });
			clock.advance(2 * DAY);
			await happen();
			clock.advance(SECOND);
			expect(await poller.activate()).toEqual([]);
			expect(await tick()).toEqual([]);
			for (const start of [() => poller.restart(), () => poller.activate('update')]) {
				const meanwhile = await happen();
				clock.advance(SECOND);
				await start();
				await tick();
				expect(poller.executions.at(-1)).toEqual(like(meanwhile));
			}
			expect(poller.executions).toHaveLength(3);
		});

		const trigger_notice = expect.stringMatching(/started again from now/);

		it('starts from now, and says so, when another account is watched', async () => {
			const given = await begun();
			const { poller, emulator, clock, tick, useKey } = given;
			const other = { ...given, store: emulator.otherStore };
			await EVENTS[event]!.happen(other);
			clock.advance(SECOND);
			useKey(emulator.keys.otherOrg);
			expect(await poller.activate()).toEqual([]);
			expect(await tick()).toEqual([]);
			const next = await EVENTS[event]!.happen(other);
			expect(await tick()).toEqual(like({ ...next, trigger_notice }));
		});

		it('starts from now, and says so, when the event is changed and changed back', async () => {
			const { poller, tick, happen } = await begun();
			for (const changed of [{ event: 'newTransaction' }, poller.parameters]) {
				poller.deactivate();
				poller.parameters = changed;
				await poller.activate('update');
				await tick(SECOND);
			}
			expect(poller.executions).toHaveLength(1);
			const next = await happen();
			expect(await tick()).toEqual(like({ ...next, trigger_notice }));
		});
	});
});

it.each([
	['Look Back', { options: { lookBack: 0 } }],
	["'Wait For' must name a summary or a transcript", { waitFor: [] as string[] }],
])('a wrong setting is named before anything is sent: %s', async (text, parameters) => {
	const { poller, emulator } = await stage({ event: 'callReady', parameters });
	await expect(poller.activate()).rejects.toThrow(text);
	expect(emulator.requests).toEqual([]);
});
