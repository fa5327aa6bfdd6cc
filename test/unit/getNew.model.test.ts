import fc from 'fast-check';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { Account } from '../../nodes/api/account.ts';
import type { Api } from '../../nodes/api/session.ts';
import type { JsonObject } from '../../nodes/json.ts';

// Random histories of Get New: clients come and go, their keys fail, records show up late, executions
// overlap, fail or are manual, and n8n is started again. The code between is the node's own; n8n and the
// API are models.

/** `HISTORIES=2000 npx vitest run test/unit/getNew.model.test.ts` is the long run. */
const HISTORIES = Number(process.env.HISTORIES ?? 6);

const MINUTE = 60_000;

interface Item {
	client: number;
	isKeyWrong: boolean;
}

/** One thing that happens. */
type Step =
	| { kind: 'record'; client: number; minutesOld: number; minutesLate: number }
	| { kind: 'pass'; minutes: number }
	| { kind: 'run'; items: Item[]; goesOn: boolean; isManual: boolean; overlaps: number }
	| { kind: 'restart' };

const client = fc.nat({ max: 4 });
const items = fc.array(fc.record({ client, isKeyWrong: fc.nat({ max: 7 }).map((n) => n === 0) }), {
	minLength: 1,
	maxLength: 7,
});

const step: fc.Arbitrary<Step> = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.record({
			kind: fc.constant('record' as const),
			client,
			minutesOld: fc.nat({ max: 50 }),
			minutesLate: fc.nat({ max: 50 }),
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			kind: fc.constant('pass' as const),
			minutes: fc.integer({ min: 1, max: 240 }),
		}),
	},
	{
		weight: 4,
		arbitrary: fc.record({
			kind: fc.constant('run' as const),
			items,
			goesOn: fc.boolean(),
			isManual: fc.nat({ max: 5 }).map((n) => n === 0),
			overlaps: fc.nat({ max: 2 }),
		}),
	},
	{ weight: 1, arbitrary: fc.constant({ kind: 'restart' } as const) },
);

interface Held {
	id: string;
	created_at: string;
	/** From when on the API shows it (ms). */
	visibleAt: number;
}

/** n8n with one workflow, and the API with its accounts. */
class World {
	private saved: IDataObject = {};

	private code!: typeof import('../../nodes/action/remembered.ts') &
		typeof import('../../nodes/watching/getNew.ts');

	private readonly records = new Map<number, Held[]>();

	/** Of each client: the records that must come, as it was read before they showed up. */
	private readonly owed = new Map<number, Set<string>>();

	readonly returned: string[] = [];

	private count = 0;

	/** n8n's database of what was processed. It outlives a restart. */
	private readonly noted = new Set<string>();

	private readonly helpers = {
		checkProcessedAndRecord: async ([key]: [string]) => {
			const isKnown = this.noted.has(key);
			this.noted.add(key);
			return { new: isKnown ? [] : [key], processed: isKnown ? [key] : [] };
		},
		removeProcessed: async (keys: string[]) => keys.forEach((key) => this.noted.delete(key)),
	};

	/** n8n starts: what only the process knew is gone. */
	async start(): Promise<void> {
		vi.resetModules();
		this.code = {
			...(await import('../../nodes/action/remembered.ts')),
			...(await import('../../nodes/watching/getNew.ts')),
		};
	}

	add(of: number, minutesOld: number, minutesLate: number): void {
		const [now, id] = [Date.now(), `r${++this.count}`];
		const created_at = new Date(now - minutesOld * MINUTE).toISOString();
		this.records.set(of, [
			...(this.records.get(of) ?? []),
			{ id, created_at, visibleAt: now + minutesLate * MINUTE },
		]);
		this.owed.get(of)?.add(id);
	}

	/** Executions that run at the same moment. n8n gives each the data that is saved when it begins. */
	async run({ items: all, goesOn, isManual, overlaps }: Extract<Step, { kind: 'run' }>) {
		const given = [all, ...Array.from({ length: overlaps }, () => all.toReversed())];
		await Promise.all(given.map(async (some) => await this.execute(some, goesOn, isManual)));
	}

	private async execute(all: Item[], goesOn: boolean, isManual: boolean): Promise<void> {
		const staticData = structuredClone(this.saved);
		const context = {
			getMode: () => (isManual ? 'manual' : 'trigger'),
			getNode: () => ({ id: 'node', name: 'Node', credentials: {} }),
			getWorkflow: () => ({ id: 'workflow' }),
			getWorkflowStaticData: () => staticData,
			helpers: this.helpers,
		} as unknown as IExecuteFunctions;
		const remembered = new this.code.Remembered(context);
		const out: JsonObject[][] = [];
		const began: number[] = [];
		const work = all.map(async ({ client: of, isKeyWrong }, at) => {
			try {
				out[at] = await this.code.readNew('call', LIST, CHOSEN, {
					api: this.api(of, isKeyWrong),
					remember: remembered.of(accountOf(of)),
					tell: () => {},
				});
				began.push(of);
			} catch (error) {
				if (!goesOn) throw error;
			}
		});
		try {
			await Promise.all(work);
			remembered.commit();
		} catch {
			await Promise.allSettled(work);
			return;
		} finally {
			remembered.close();
			if (!isManual) this.saved = structuredClone(staticData);
		}
		if (isManual) return;
		this.returned.push(...out.flat().map(({ id }) => String(id)));
		for (const of of began) if (!this.owed.has(of)) this.owed.set(of, new Set());
	}

	/** The records that must have come by now. */
	get due(): string[] {
		return [...this.owed.values()].flatMap((ids) => [...ids]);
	}

	get clients(): number[] {
		return [...this.owed.keys()];
	}

	private api(of: number, isKeyWrong: boolean): Api {
		return {
			send: async ({ query: { created_after: from = '', limit = 50, offset = 0 } = {} }: any) => {
				await Promise.resolve();
				if (isKeyWrong) throw new Error('AUTHENTICATION_FAILED');
				const shown = (this.records.get(of) ?? [])
					.filter(({ visibleAt, created_at }) => visibleAt <= Date.now() && created_at >= from)
					.sort((one, other) => (one.created_at < other.created_at ? 1 : -1));
				const data = shown
					.slice(offset, offset + limit)
					.map(({ id, created_at }) => ({ id, created_at }));
				return { data, meta: { total_items: shown.length, limit, offset }, at: Date.now() };
			},
		} as unknown as Api;
	}
}

const LIST = { path: '/call-history', judge: (item: JsonObject) => ({ item }) };
const CHOSEN = {
	firstRun: 'skip',
	filters: {},
	options: { executionLimit: 3, lookBack: 3 },
} as const;

const accountOf = (of: number) =>
	({ identity: `client ${of}`, credentialType: 'ykVoiceApi' }) as unknown as Account;

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

test(
	`${HISTORIES} random histories: each record of each client comes once [P186]`,
	{ timeout: 300_000 + HISTORIES * 2000 },
	async () => {
		let returned = 0;
		const property = fc.asyncProperty(
			fc.array(step, { minLength: 15, maxLength: 50 }),
			async (steps) => {
				vi.setSystemTime(new Date('2026-11-01T00:00:00Z'));
				const world = new World();
				await world.start();
				for (const one of steps) {
					if (one.kind === 'record') world.add(one.client, one.minutesOld, one.minutesLate);
					else if (one.kind === 'pass') vi.setSystemTime(Date.now() + one.minutes * MINUTE);
					else if (one.kind === 'run') await world.run(one);
					else await world.start();
				}
				vi.setSystemTime(Date.now() + 60 * MINUTE);
				// Limit delays, so it takes some executions until everything has come.
				const all = world.clients.map((of) => ({ client: of, isKeyWrong: false }));
				for (let run = 0; run < 30 && all.length > 0; run++) {
					await world.run({ kind: 'run', items: all, goesOn: false, isManual: false, overlaps: 0 });
				}
				expect(new Set(world.returned).size).toBe(world.returned.length);
				expect(world.due.filter((id) => !world.returned.includes(id))).toEqual([]);
				returned += world.returned.length;
			},
		);
		await fc.assert(property, { numRuns: HISTORIES });
		expect(returned).toBeGreaterThan(HISTORIES);
	},
);

test('a failed item takes back only what it stored itself', async () => {
	const { Remembered } = await import('../../nodes/action/remembered.ts');
	const storedAfter = async (failing: 'first' | 'second') => {
		const staticData: IDataObject = {};
		const remembered = new Remembered({
			getMode: () => 'trigger',
			getNode: () => ({ id: failing, credentials: {} }),
			getWorkflow: () => ({ id: 'taken back' }),
			getWorkflowStaticData: () => staticData,
			helpers: {
				checkProcessedAndRecord: async () => ({ new: [], processed: [] }),
				removeProcessed: async () => {},
			},
		} as unknown as IExecuteFunctions);
		const items = { first: remembered.of(accountOf(1)), second: remembered.of(accountOf(1)) };
		for (const [name, { update }] of Object.entries(items)) {
			const work = async () => ({ state: { name }, result: undefined });
			await update({ what: 'call', account: undefined, filters: {} }, work);
		}
		items[failing].forget();
		remembered.commit();
		remembered.close();
		return JSON.stringify(staticData).match(/first|second/g) ?? [];
	};
	// The key of the stored data names the node, and the state names the item.
	expect(await storedAfter('second')).toEqual(['second', 'first']);
	expect(await storedAfter('first')).toEqual([]);
});
