import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wasAbove } from '../../nodes/trigger/balance.ts';
import { lowBalance } from '../../nodes/trigger/events/lowBalance.ts';
import type { Alert, ThresholdWatcher } from '../../nodes/trigger/kinds/threshold.ts';
import type { Watching } from '../../nodes/trigger/watcher.ts';
import type { Api, Request } from '../../nodes/api/session.ts';

const SECOND = 1000;
const NOW = Date.UTC(2026, 0, 15, 9);
const THRESHOLD = 10;

type Kind = 'ADD' | 'CONSUME';

const transaction = (transaction_type: Kind | string, amount: unknown, at = NOW) => ({
	transaction_type,
	amount,
	created_at: new Date(at).toISOString(),
});

describe('whether the balance was above', () => {
	const was = (balance: number, ...list: object[]) =>
		wasAbove(balance, THRESHOLD, list as Array<Record<string, unknown>>, NOW);

	test('not without a transaction', () => expect(was(5)).toBe(false));
	test('before it fell', () => expect(was(5, transaction('CONSUME', 5))).toBe(true));
	test('not where it only fell from below', () =>
		expect(was(5, transaction('CONSUME', 4))).toBe(false));
	test('between a rise and a fall', () =>
		expect(was(5, transaction('CONSUME', 40, NOW + 2000), transaction('ADD', 40, NOW + 1000))).toBe(
			true,
		));
	test('whichever way the list runs', () =>
		expect(was(5, transaction('ADD', 40, NOW + 1000), transaction('CONSUME', 40, NOW + 2000))).toBe(
			true,
		));
	test('not for what came after', () => expect(was(5, transaction('ADD', 4))).toBe(false));
	test('not by what was before the time asked for', () =>
		expect(was(5, transaction('CONSUME', 50, NOW - 1))).toBe(false));
	test('with signed amounts, as texts, and a field that is named type', () => {
		expect(was(5, { type: 'CONSUME', amount: '-5.00', created_at: '2026-01-15T09:00:01Z' })).toBe(
			true,
		);
	});
	test.each([
		[transaction('REFUND', 50)],
		[transaction('CONSUME', null)],
		[transaction('CONSUME', 'many')],
		[{ transaction_type: 'CONSUME', amount: 50 }],
		[{}],
	])('is not told from %j', (unreadable) => {
		expect(was(5, unreadable)).toBe(false);
		expect(was(5, unreadable, transaction('CONSUME', 50, NOW + 1000))).toBe(false);
	});
});

describe('the stored state', () => {
	const alert: Alert = { v: 1, scope: 's:account', fired: true, at: NOW };
	const guardAlert = (raw: unknown) => watch(wallet(50, true)).guard(raw);

	test('survives being stored, in some 50 bytes', () => {
		expect(guardAlert(JSON.parse(JSON.stringify(alert)))).toEqual(alert);
		expect(JSON.stringify({ ...alert, scope: 'twelve-bytes' }).length).toBeLessThan(80);
	});

	test.each([{ v: 2 }, { scope: 't' }, { fired: 1 }, { fired: null }, { at: null }, { at: 1e30 }])(
		'%j starts anew',
		(change) => expect(guardAlert({ ...alert, ...change })).toBeUndefined(),
	);

	test('of version 0.1 goes on', () => {
		expect(guardAlert({ ...alert, scope: 'former' })).toEqual(alert);
	});

	test('is read without an error whatever it is', () => {
		fc.assert(fc.property(fc.anything(), (raw) => guardAlert(raw) === undefined));
	});
});

/** A wallet (reference: GET /wallet, /wallet/transactions) whose time only the caller moves. */
function wallet(balance: number, isDated: boolean) {
	const past = [{ at: NOW - SECOND, balance }];
	const list: Array<ReturnType<typeof transaction>> = [];
	const api = {
		now: NOW,
		past,
		/** Requests for transactions. */
		looks: 0,
		balance: () => past.at(-1)!.balance,
		book: (kind: Kind, amount: number) => {
			list.unshift(transaction(kind, amount, api.now));
			past.push({ at: api.now, balance: api.balance() + (kind === 'ADD' ? amount : -amount) });
		},
		send: async ({ path, query = {} }: Request) => {
			const shown = { ...(isDated && { at: api.now - (api.now % SECOND) }) };
			if (path === '/wallet') return { data: { balance: api.balance() }, meta: null, ...shown };
			api.looks += 1;
			const after = new Date(String(query.created_after)).toISOString();
			const data = list.filter(({ created_at }) => created_at > after);
			const [offset, limit] = [Number(query.offset), Number(query.limit)];
			const meta = { total_items: data.length };
			return { data: data.slice(offset, offset + limit), meta, ...shown };
		},
	};
	return api;
}

function watch(api: ReturnType<typeof wallet>): ThresholdWatcher {
	const watching = { api: api as unknown as Api, scope: 's:account' };
	const others = {
		formerScope: 'former',
		deadline: Infinity,
		limit: 500,
		isAfterGap: false,
		isAfterShort: false,
	};
	const given: Watching = { ...watching, ...others, lookBack: 0 };
	return lowBalance.watch({ threshold: THRESHOLD }, given) as ThresholdWatcher;
}

async function begin(api: ReturnType<typeof wallet>): Promise<Alert> {
	return (await watch(api).begin()).commit(undefined).state!;
}

async function poll(api: ReturnType<typeof wallet>, saved: Alert) {
	const { state = saved, emit } = (await watch(api).poll(saved)).commit(saved);
	return { state, emit };
}

describe('the alert', () => {
	test('fires once, and again after a rise', async () => {
		const api = wallet(50, true);
		let state = await begin(api);
		const fired: boolean[] = [];
		for (const [kind, amount] of [
			['CONSUME', 1],
			['CONSUME', 40],
			['CONSUME', 1],
			['ADD', 0.5],
			['ADD', 0.5],
			['CONSUME', 1],
			['ADD', 50],
			['CONSUME', 55],
			['CONSUME', 1],
		] as const) {
			api.now += 60 * SECOND;
			api.book(kind, amount);
			const polled = await poll(api, state);
			({ state } = polled);
			fired.push(polled.emit.length > 0);
		}
		expect(fired).toEqual([false, true, false, false, false, false, false, true, false]);
	});

	test('at the amount itself is not below', async () => {
		const api = wallet(THRESHOLD, true);
		expect((await poll(api, await begin(api))).emit).toEqual([]);
	});

	test('shows the wallet and the amount', async () => {
		const api = wallet(5, true);
		expect((await poll(api, await begin(api))).emit).toEqual([{ balance: 5, threshold: 10 }]);
	});

	test.each([true, false])(
		'does not fire twice for what was booked just before it (clock shown: %s)',
		async (isDated) => {
			const api = wallet(14, isDated);
			const started = await begin(api);
			api.now += 60 * SECOND;
			api.book('CONSUME', 3);
			api.now += 300;
			api.book('CONSUME', 3);
			api.now += 300;
			const first = await poll(api, started);
			expect(first.emit).toHaveLength(1);
			api.now += 60 * SECOND;
			expect((await poll(api, first.state)).emit).toEqual([]);
		},
	);

	test('fires again although n8n forgot that the balance had risen', async () => {
		const api = wallet(5, true);
		const { state } = await poll(api, await begin(api));
		api.now += 60 * SECOND;
		api.book('ADD', 50);
		expect((await poll(api, state)).emit).toEqual([]);
		api.now += 60 * SECOND;
		api.book('CONSUME', 50);
		expect((await poll(api, state)).emit).toHaveLength(1);
	});

	test('of two polls that overlap, one fires', async () => {
		const api = wallet(5, true);
		const saved = await begin(api);
		const [one, other] = [await watch(api).poll(saved), await watch(api).poll(saved)];
		const { state, emit } = one.commit(saved);
		expect(emit).toHaveLength(1);
		expect(other.commit(state).emit).toEqual([]);
	});

	test('of two polls that overlap after a rise and a fall, one fires', async () => {
		const api = wallet(5, true);
		const { state: saved } = await poll(api, await begin(api));
		api.now += 60 * SECOND;
		api.book('ADD', 50);
		api.book('CONSUME', 50);
		const [one, other] = [await watch(api).poll(saved), await watch(api).poll(saved)];
		const { state, emit } = one.commit(saved);
		expect(emit).toHaveLength(1);
		expect(other.commit(state).emit).toEqual([]);
	});

	test('12.6: does not fire twice for what is booked between its readings', async () => {
		const api = wallet(14, true);
		const started = await begin(api);
		api.now += 60 * SECOND;
		api.book('CONSUME', 6);
		const first = await poll(api, started);
		expect(first.emit).toHaveLength(1);
		const { send } = api;
		for (const path of ['/wallet', '/wallet/transactions']) {
			let isBooked = false;
			api.now += 60 * SECOND;
			api.send = async (request: Request) => {
				const answer = await send(request);
				if (request.path === path && !isBooked) {
					isBooked = true;
					api.now += SECOND;
					api.book('CONSUME', 3);
				}
				return answer;
			};
			expect((await poll(api, first.state)).emit).toEqual([]);
		}
	});

	test('an answer that is out of date says nothing', async () => {
		const api = wallet(50, true);
		const saved = await begin(api);
		const old = await watch(api).poll(saved);
		api.now += 5 * SECOND;
		api.book('CONSUME', 45);
		const { state } = await poll(api, saved);
		expect(old.commit(state)).toEqual({ emit: [] });
	});

	test('costs one request while above, and while below as much as there was booked', async () => {
		const api = wallet(50, true);
		const { state } = await poll(api, await begin(api));
		api.book('CONSUME', 45);
		const fired = await poll(api, state);
		expect(api.looks).toBe(0);
		api.now += 60 * SECOND;
		for (let i = 0; i < 150; i += 1) api.book('CONSUME', 0.01);
		await poll(api, fired.state);
		// Twice, so that none was booked meanwhile.
		expect(api.looks).toBe(4);
	});
});

test('histories under three engines: once per fall, whatever is forgotten', async () => {
	const step = fc.oneof(
		fc.record({
			kind: fc.constantFrom<Kind>('ADD', 'CONSUME', 'CONSUME'),
			amount: fc.integer({ min: 1, max: 8 }),
		}),
		fc.record({ kind: fc.constant('poll' as const), isKilled: fc.nat(9).map((n) => n === 0) }),
		fc.record({
			kind: fc.constant('wait' as const),
			ms: fc.constantFrom(100, 400, 1000, 60 * SECOND),
		}),
		fc.record({ kind: fc.constant('restart' as const) }),
	);
	const history = fc.record({
		engine: fc.constantFrom('legacy', 'scheduler', 'durable'),
		start: fc.integer({ min: 5, max: 20 }),
		steps: fc.array(step, { minLength: 5, maxLength: 60, size: 'max' }),
	});
	let alerts = 0;
	const property = fc.asyncProperty(history, async ({ engine, start, steps }) => {
		const api = wallet(start, true);
		/** With each state, when its last alert was; a line of states that was never alerted has none. */
		let saved: { state: Alert; alertedAt?: number } = { state: await begin(api) };
		let memory = saved;
		for (const { kind, ...given } of steps) {
			api.now += 10;
			if (kind === 'wait') api.now += (given as { ms: number }).ms;
			if (kind === 'restart') memory = saved;
			if (kind === 'ADD' || kind === 'CONSUME')
				api.book(kind, (given as { amount: number }).amount);
			if (kind !== 'poll') continue;

			const live = engine === 'legacy' ? memory : saved;
			const { alertedAt = -Infinity } = live;
			const wasAboveSince = (from: number) =>
				api.past.some(
					({ balance }, i) => balance >= THRESHOLD && (api.past[i + 1]?.at ?? Infinity) > from,
				);
			const { state, emit } = await poll(api, live.state);
			if (api.balance() >= THRESHOLD) expect(emit).toEqual([]);
			else if (alertedAt === -Infinity) expect(emit).toHaveLength(1);
			else {
				if (emit.length > 0) expect(wasAboveSince(alertedAt)).toBe(true);
				// A rise within the second of the alert that is over by its end cannot be told.
				const seen = wasAboveSince(Math.floor(alertedAt / SECOND) * SECOND + SECOND);
				if (seen) expect(emit).toHaveLength(1);
			}
			alerts += emit.length;
			memory = { state, alertedAt: emit.length > 0 ? api.now : live.alertedAt };
			const { isKilled } = given as { isKilled: boolean };
			if (emit.length > 0 ? !isKilled : engine === 'durable') saved = memory;
			if (isKilled) memory = saved;
		}
	});
	await fc.assert(property, { numRuns: 2000 });
	process.stdout.write(`${alerts} alerts\n`);
	expect(alerts).toBeGreaterThan(1500);
});
