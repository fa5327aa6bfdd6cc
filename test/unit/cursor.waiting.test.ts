import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LIMITS, guard } from '../../nodes/trigger/reading/cursor.ts';
import type { State } from '../../nodes/trigger/reading/cursor.ts';
import { activate, sweep } from '../../nodes/trigger/reading/sweep.ts';
import type { Page, Ports, Query } from '../../nodes/trigger/reading/sweep.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2026, 0, 15, 9);
const LOOK_BACK = 3 * HOUR;
const PAGE = 4;

interface Row {
	id: string;
	created_at: string;
	at: number;
	visible: number;
	/** When it may be emitted. */
	ready: number;
	fires: boolean;
}

/** A state, and what was emitted by whoever holds it; nothing dated before `shortened` is promised. */
interface Slot {
	state: State;
	emitted: ReadonlySet<string>;
	shortened: number;
}

const span = fc.constantFrom(0, 0, MINUTE, 20 * MINUTE, HOUR, LOOK_BACK - SECOND, 5 * HOUR);
const step = fc.oneof(
	{
		weight: 5,
		arbitrary: fc.record({
			kind: fc.constant('add' as const),
			count: fc.integer({ min: 1, max: 6 }),
			late: fc.constantFrom(0, 0, 0, MINUTE, HOUR),
			wait: span,
			spread: fc.constantFrom(0, 0, 250, MINUTE),
		}),
	},
	{
		weight: 8,
		arbitrary: fc.record({
			kind: fc.constant('poll' as const),
			/** The request that fails, if it comes to it. */
			fault: fc.constantFrom(Infinity, Infinity, Infinity, 0, 1, 2),
			isKilled: fc.nat(12).map((n) => n === 0),
			/** How many of the new records the poll comes to look at. */
			looks: fc.constantFrom(Infinity, Infinity, 0, 1, 3),
			/** Whether what it sees for the last time cannot be read. */
			isStuck: fc.nat(4).map((n) => n === 0),
		}),
	},
	{
		weight: 4,
		arbitrary: fc.record({
			kind: fc.constant('wait' as const),
			ms: fc.constantFrom(SECOND, MINUTE, 10 * MINUTE, HOUR, 4 * HOUR),
		}),
	},
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
);
const history = fc.record({
	engine: fc.constantFrom('legacy', 'scheduler', 'durable'),
	limit: fc.constantFrom(Infinity, Infinity, 1, 3),
	ids: fc.constantFrom(1000, 1000, 6),
	isFiltered: fc.boolean(),
	steps: fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }),
});

test(
	'records that wait are not seen, are found again, and are emitted once when they are ready',
	{ timeout: 120_000 },
	async () => {
		const total = { polls: 0, waited: 0, emitted: 0 };
		const property = fc.asyncProperty(
			history,
			async ({ engine, limit, ids: size, isFiltered, steps }) => {
				let now = START;
				let born = 0;
				const rows: Row[] = [];
				const keep = (row: Row) => !isFiltered || row.fires;
				const isReady = (row: Row) => row.ready <= now;
				const listed = () => rows.filter(({ visible }) => visible <= now);

				const ports = (fault: number): Ports<Row> => {
					let requests = 0;
					const page = async ({ after, offset, limit: most }: Query): Promise<Page<Row>> => {
						now += SECOND;
						if (requests++ === fault) throw new Error('502');
						const found = listed()
							.filter(({ at }) => after === undefined || at > Date.parse(after))
							.sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
						return { records: found.slice(offset, offset + most), total: found.length, now };
					};
					return { page, now: () => now, deadline: Infinity };
				};
				const limits = { ...LIMITS, page: PAGE, ids: size };
				const options = { scope: 's', lookBack: LOOK_BACK, limit, limits, keep, patient: true };

				const first = (await activate(ports(Infinity), options)).commit(undefined).state!;
				let saved: Slot = { state: first, emitted: new Set(), shortened: -Infinity };
				let memory = saved;

				async function poll(fault = Infinity, isKilled = false, looks = Infinity, isStuck = false) {
					total.polls += 1;
					const live = engine === 'legacy' ? memory : saved;
					const wasSeen = JSON.stringify(live.state);
					const swept = await sweep(live.state, ports(fault), options).catch((error: Error) => {
						if (error.message !== '502') throw error;
					});
					if (!swept) return 0;
					const looked = swept.fresh.slice(0, looks);
					const { state, emit, shortened } = swept.commit(live.state, (row) => {
						if (!looked.includes(row)) return 'unseen';
						if (isStuck && row.at < swept.lastChance) return 'stuck';
						return isReady(row) ? 'ready' : 'waiting';
					});
					expect(JSON.stringify(live.state)).toBe(wasSeen);
					expect(emit.length).toBeLessThanOrEqual(limit);
					for (const row of emit) {
						expect(isReady(row) && keep(row)).toBe(true);
						expect(live.emitted.has(row.id)).toBe(false);
					}

					const waiting = looked.filter((row) => !isReady(row));
					total.waited += waiting.length;
					for (const row of waiting) expect(live.emitted.has(row.id)).toBe(false);
					// Whatever can be found again is neither emitted nor marked.
					const again = await sweep(state!, ports(Infinity), options);
					const found = new Set(again.fresh.map(({ id }) => id));
					for (const { id } of emit) expect(found.has(id)).toBe(false);
					for (const row of waiting) {
						const isDue = row.at >= state!.f && row.at - row.visible < LOOK_BACK;
						if (isDue && state!.r === undefined) expect(found.has(row.id)).toBe(true);
					}

					total.emitted += emit.length;
					memory = {
						state: guard(JSON.parse(JSON.stringify(state)), 's')!,
						emitted: new Set([...live.emitted, ...emit.map(({ id }) => id)]),
						shortened: Math.max(live.shortened, shortened ?? -Infinity),
					};
					if (emit.length > 0 ? !isKilled : engine === 'durable') saved = memory;
					if (isKilled) memory = saved;
					return emit.length;
				}

				for (const given of steps) {
					now += SECOND;
					if (given.kind === 'wait') now += given.ms;
					if (given.kind === 'restart') memory = saved;
					if (given.kind === 'poll')
						await poll(given.fault, given.isKilled, given.looks, given.isStuck);
					if (given.kind === 'add') {
						for (let i = 0; i < given.count; i += 1) {
							const at = now - i * given.spread;
							const id = `${(Math.imul((born += 1), 2654435761) >>> 0).toString(16)}-${born}`;
							const visible = Math.max(now, at + given.late);
							const ready = Math.max(visible, at + given.wait);
							const created_at = new Date(at).toISOString();
							rows.push({ id, created_at, at, visible, ready, fires: born % 3 > 0 });
						}
					}
				}
				for (const pause of [MINUTE, HOUR, HOUR, HOUR, HOUR, HOUR, MINUTE]) {
					now += pause;
					for (let quiet = 0; quiet < 2;) {
						quiet = (await poll()) > 0 ? 0 : quiet + 1;
					}
				}

				const { emitted, shortened } = engine === 'legacy' ? memory : saved;
				for (const row of rows) {
					const isDue = keep(row) && row.ready - row.at < LOOK_BACK && row.at >= shortened;
					if (isDue) expect([row, emitted.has(row.id)]).toEqual([row, true]);
				}
			},
		);
		await fc.assert(property, { numRuns: 600 });
		process.stdout.write(`${JSON.stringify(total)}\n`);
		expect(total.waited).toBeGreaterThan(3000);
		expect(total.emitted).toBeGreaterThan(3000);
	},
);
