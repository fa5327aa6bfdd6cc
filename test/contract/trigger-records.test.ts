import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { Readings } from '../emulator/index.ts';
import { ENGINES } from '../support/poller.ts';
import {
	DAY,
	EVENTS,
	HOUR,
	MINUTE,
	SECOND,
	stage,
	type Stage,
	type StageOptions,
} from '../support/stage.ts';

interface Visibility {
	visibleAt?: number;
}

/** The lists that are followed without a further request per record. */
const LISTS: Record<
	string,
	(store: Stage['store'], at: string, visibility?: Visibility) => string
> = {
	newCall: (store, created_at, visibility) => store.addCall({ created_at }, visibility).id,
	newOrder: (store, created_at, visibility) => store.addOrder({ created_at }, visibility).id,
	newTransaction: (store, created_at, visibility) =>
		store.addTransaction({ created_at }, visibility).id,
};

const SERVERS: Record<string, Partial<Readings>> = {
	'created_after exclusive': { bound: 'exclusive', ascending: 'served' },
	'created_after inclusive, ascending refused': { bound: 'inclusive', ascending: 'refused' },
	'ascending ignored': { bound: 'exclusive', ascending: 'ignored' },
};

const CASES = [
	...Object.keys(SERVERS).map((server) => ['newCall', server] as const),
	['newOrder', 'created_after inclusive, ascending refused'],
	['newTransaction', 'ascending ignored'],
] as const;

describe.each(CASES)('%s, %s', (event, server) => {
	/** An active workflow, and how to add records dated so long ago. */
	async function active(options: Omit<StageOptions, 'event'> = {}) {
		const given = await stage({ event, readings: SERVERS[server], ...options });
		const { clock, store } = given;
		const add = (ago = 0, visibility?: Visibility) =>
			LISTS[event]!(store, clock.iso(ago), visibility);
		await given.poller.activate();
		const many = (count: number, ago: (i: number) => number) =>
			Array.from({ length: count }, (_, i) => add(ago(i)));
		return { ...given, add, many };
	}

	const limited = (pollLimit: number): INodeParameters => ({ options: { pollLimit } });

	it('takes 250 of one instant, once each', async () => {
		const { tick, many, poller, clock } = await active();
		const ids = many(250, () => 0);
		await tick(0);
		many(1, () => 0).forEach((id) => ids.push(id));
		clock.advance(SECOND);
		await tick();
		await tick();
		expect(poller.ids).toHaveLength(251);
		expect(new Set(poller.ids)).toEqual(new Set(ids));
	});

	it('takes 450 between two polls, oldest first, in one request per 100 and one more', async () => {
		const { tick, many, poller, clock, requestsOf } = await active({ parameters: limited(1000) });
		clock.advance(HOUR);
		const ids = many(450, (i) => (450 - i) * SECOND);
		const requests = await requestsOf(async () => await tick());
		expect(poller.ids).toEqual(ids);
		expect(requests).toBeLessThanOrEqual(Math.ceil(450 / 100) + 1);
		expect(await tick()).toEqual([]);
	});

	it('costs one request when nothing happens, while the look-back holds fewer than 100', async () => {
		const { tick, many, clock, requestsOf } = await active();
		clock.advance(HOUR);
		many(99, (i) => i * SECOND);
		expect(await tick()).toHaveLength(99);
		expect(await requestsOf(async () => await tick())).toBe(1);
		many(100, (i) => i * SECOND);
		await tick();
		expect(await requestsOf(async () => await tick())).toBeLessThanOrEqual(3);
		clock.advance(4 * HOUR);
		many(1, () => 0);
		await tick();
		await tick();
		expect(await requestsOf(async () => await tick())).toBe(1);
	});

	it('takes what becomes visible late, within the look-back, and nothing older', async () => {
		const { tick, add, poller, clock } = await active();
		clock.advance(HOUR);
		const late = add(0, { visibleAt: clock.server + 3 * HOUR - MINUTE });
		const middle = add(0, { visibleAt: clock.server + HOUR });
		const tooLate = add(0, { visibleAt: clock.server + 4 * HOUR });
		const ids: string[] = [];
		for (let i = 0; i < 30; i++) {
			ids.push(add());
			await tick(10 * MINUTE);
		}
		expect(new Set(poller.ids)).toEqual(new Set([...ids, late, middle]));
		expect(poller.ids).toHaveLength(ids.length + 2);
		expect(poller.ids).not.toContain(tooLate);
	});

	it('delays beyond the limit, and drops nothing', async () => {
		const { tick, many, poller, clock } = await active({ parameters: limited(30) });
		clock.advance(HOUR);
		const ids = many(250, (i) => (250 - i) * SECOND);
		const sizes: number[] = [];
		for (let i = 0; i < 11; i++) sizes.push((await tick()).length);
		expect(poller.ids).toEqual(ids);
		expect(sizes).toEqual([30, 30, 30, 30, 30, 30, 30, 30, 10, 0, 0]);
	});

	it('is not confused by pages that shift while they are read', async () => {
		const { tick, add, many, poller, clock, emulator, store } = await active();
		clock.advance(HOUR);
		const ids = many(350, (i) => (350 - i) * SECOND);
		const gone = new Set([ids[10], ids[200], ids[340]]);
		const tables = {
			newCall: store.calls,
			newOrder: store.orders,
			newTransaction: store.transactions,
		};
		const added: string[] = [];
		const stop = emulator.before(({ n }) => {
			added.push(add(), add());
			tables[event as keyof typeof tables].remove([...gone][n % 3]!);
		});
		await tick();
		stop();
		await tick();
		await tick();
		const expected = [...ids, ...added].filter((id) => !gone.has(id));
		expect(poller.ids.filter((id) => !gone.has(id)).sort()).toEqual(expected.sort());
		expect(new Set(poller.ids).size).toBe(poller.ids.length);
	});

	it('emits what it read before a request failed, and goes on from there', async () => {
		const { tick, many, poller, clock, emulator } = await active({ parameters: limited(1000) });
		clock.advance(HOUR);
		const ids = many(450, (i) => (450 - i) * SECOND);
		const known = poller.known;
		emulator.faults.add({ kind: 'status', status: 500 });
		clock.advance(MINUTE);
		await poller.failingTick();
		expect(poller.known).toBe(known);

		emulator.faults.add({ kind: 'status', status: 500, skip: 3 });
		const half = await tick();
		const halfIds = half.map(({ id }) => id);
		expect(halfIds).toEqual(ids.filter((id) => halfIds.includes(id)));
		expect(half.length).toBeGreaterThan(90);
		expect(half.length).toBeLessThan(450);
		expect(poller.warnings).toEqual([
			expect.stringMatching(/read a part, the rest comes next: .*500/),
		]);
		const rest = await tick();
		// Only of a list whose order is documented the oldest are known to have been read.
		if (event !== 'newTransaction') expect(poller.ids).toEqual(ids);
		expect([...poller.ids].sort()).toEqual([...ids].sort());
		expect(rest.map(({ id }) => id)).toEqual(ids.filter((id) => !halfIds.includes(id)));
		expect(await tick()).toEqual([]);
	});

	it.each([
		[5 * HOUR, true],
		[-5 * HOUR, true],
		[DAY, true],
		[-DAY, true],
		[4 * MINUTE, false],
		[-4 * MINUTE, false],
	])('does not trust n8n’s clock (%i ms ahead, the API’s shown: %s)', async (ahead, dated) => {
		const { tick, add, many, poller, clock, requestsOf } = await active({ ahead, dated });
		const ids: string[] = [];
		for (let i = 0; i < 6; i++) {
			ids.push(add());
			await tick(20 * MINUTE);
		}
		ids.push(...many(120, (n) => (120 - n) * SECOND));
		ids.push(add(0, { visibleAt: clock.server + HOUR }));
		await tick();
		await tick(2 * HOUR);
		clock.advance(2 * HOUR);
		ids.push(add());
		await tick();
		await tick();
		expect(poller.ids.toSorted()).toEqual(ids.toSorted());
		expect(await requestsOf(async () => await tick())).toBe(1);
	});

	it('is not led astray by a date in the future', async () => {
		const { tick, add, poller } = await active();
		const future = add(-9 * DAY);
		await tick();
		const ids = [future];
		for (let i = 0; i < 3; i++) {
			ids.push(add());
			await tick(2 * HOUR);
		}
		expect(poller.ids).toEqual(ids);
	});

	it('emits nothing old on a first activation, however much there is', async () => {
		const given = await stage({ event, readings: SERVERS[server] });
		for (let i = 0; i < 350; i++) LISTS[event]!(given.store, given.clock.iso(i * 10 * SECOND));
		const late = LISTS[event]!(given.store, given.clock.iso(HOUR), {
			visibleAt: given.clock.server + 30 * SECOND,
		});
		expect(await given.poller.activate()).toEqual([]);
		expect((await given.tick()).map(({ id }) => id)).toEqual([late]);
		expect(await given.tick()).toEqual([]);
	});
});

describe('dates of any form', () => {
	it.each(['.123456Z', '.123457+02:00', 'Z', '+02:00', ''])('%s', async (form) => {
		const { clock, poller, store, tick } = await stage({ event: 'newCall' });
		await poller.activate();
		const zone = form.includes('+') ? 2 * HOUR : 0;
		clock.advance(HOUR);
		const at = () => `${clock.iso(-zone).slice(0, 19)}${form}`;
		const ids = [0, 1].map(() => store.addCall({ created_at: at() }).id);
		await tick();
		ids.push(store.addCall({ created_at: at() }).id);
		await tick();
		expect(poller.ids.toSorted()).toEqual(ids.toSorted());
	});
});

const step = fc.oneof(
	{
		weight: 5,
		arbitrary: fc.record({
			kind: fc.constant('add' as const),
			count: fc.constantFrom(1, 2, 3, 3, 130),
			spread: fc.constantFrom(0, 1, 400, MINUTE),
			late: fc.constantFrom(0, 0, 0, MINUTE, 2 * HOUR),
		}),
	},
	{
		weight: 8,
		arbitrary: fc.record({
			kind: fc.constant('tick' as const),
			after: fc.constantFrom(SECOND, MINUTE, MINUTE, HOUR),
			fault: fc.constantFrom(0, 0, 0, 0, 1, 2, 3),
			kill: fc.constantFrom(undefined, undefined, undefined, undefined, 'before', 'between'),
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			kind: fc.constantFrom('restart' as const, 'reactivate' as const, 'rename' as const),
		}),
	},
);
const history = fc.record({
	event: fc.constantFrom('newCall', 'newOrder', 'newTransaction', 'callReady'),
	engine: fc.constantFrom(...ENGINES),
	server: fc.constantFrom(...Object.values(SERVERS)),
	ahead: fc.constantFrom(0, 0, 5 * HOUR, -5 * HOUR),
	pollLimit: fc.constantFrom(500, 500, 1, 7),
	before: fc.constantFrom(0, 3, 120),
	steps: fc.array(step, { minLength: 4, maxLength: 20, size: 'max' }),
});

it(
	'histories under three engines: none lost, none doubled, none early',
	{ timeout: 300_000 },
	async () => {
		let emitted = 0;
		const property = fc.asyncProperty(history, async (given) => {
			const { event, engine, server, ahead, pollLimit, steps } = given;
			const parameters = { options: { pollLimit } };
			const { clock, poller, store, emulator, tick } = await stage({
				event,
				engine,
				parameters,
				ahead,
				...server,
			});
			const add = LISTS[event] ?? LISTS.newCall!;
			const due: string[] = [];
			const lost = new Set<string>();
			for (let i = 0; i < given.before; i++) add(store, clock.iso(i * SECOND));
			clock.advance(SECOND);
			await poller.activate();
			// Until a poll has saved it, a durable cursor rests on what the activation left in the
			// workflow's data, which n8n does not save in one step with the execution.
			await tick(SECOND);
			let names = 0;
			for (const step of steps) {
				clock.advance(SECOND);
				if (step.kind === 'add') {
					for (let i = 0; i < step.count; i++) {
						const visibleAt = clock.server - i * step.spread + step.late;
						due.push(add(store, clock.iso(i * step.spread), { visibleAt }));
					}
				}
				if (step.kind === 'restart') await poller.restart();
				if (step.kind === 'rename') await poller.rename(`Name ${(names += 1) % 2}`);
				if (step.kind === 'reactivate') {
					poller.deactivate();
					await poller.activate();
				}
				if (step.kind !== 'tick') continue;
				const match = ({ path }: { path: string }) => path === EVENTS[event]!.path;
				if (step.fault > 0)
					emulator.faults.add({ kind: 'status', status: 500, skip: step.fault - 1, match });
				clock.advance(step.after);
				const items = await poller.tick({ kill: step.kill });
				emulator.faults.clear();
				expect(items.length).toBeLessThanOrEqual(pollLimit);
				if (step.kill === undefined) continue;
				// What n8n loses between its two saves, no node can know.
				if (step.kill === 'between' && engine !== 'durable')
					for (const { id } of items) lost.add(id as string);
				await poller.restart();
			}
			await tick(2 * HOUR);
			for (let quiet = 0; quiet < 2;) quiet = (await tick()).length > 0 ? 0 : quiet + 1;
			expect(poller.ids.toSorted()).toEqual(due.filter((id) => !lost.has(id)).toSorted());
			emitted += poller.ids.length;
			await emulator.close();
		});
		await fc.assert(property, { numRuns: 30 });
		process.stdout.write(`${emitted} records emitted\n`);
		expect(emitted).toBeGreaterThan(500);
	},
);
