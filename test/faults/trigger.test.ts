import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';
import { afterAll, describe, expect, it } from 'vitest';

import type { Poller } from '../support/poller.ts';
import {
	EVENTS,
	EVENT_NAMES,
	prepare,
	setMinutes,
	VALUE_NAMES,
	type Stage,
} from '../support/stage.ts';
import {
	byKey,
	isFull,
	startEmulator,
	startPoller,
	startWire,
	tally,
	triggerDescription,
	type Emulator,
	type Wire,
} from './lab.ts';
import { refusalAt } from './refusal.ts';
import { FAULTS, type FaultCase } from './table.ts';

/**
 * What a poll is granted: a fifth of it is the most that one request waits. Where it is used up by
 * repeating what fails in any case, it is to end soon; where not, a busy machine has the time.
 */
const BUDGET_MS = 60_000;
const SHORT_BUDGET_MS = 6000;

const faults = FAULTS.filter(({ isVariant }) => isFull || !isVariant);
/** In the short form of the test: a list, one that reads more of each record, and one of neither. */
const events = isFull ? EVENT_NAMES : ['newTransaction', 'callReady', 'lowBalance'];

afterAll(() => {
	console.log(
		`Faults × events: ${events.length} events × ${faults.length} faults, ${tally.runs} polls, ${tally.requests} requests`,
	);
});

const { options: eventOptions = [] } = triggerDescription.properties.find(
	({ name }) => name === 'event',
)!;
const labelOf = (event: string) =>
	`${(eventOptions as INodePropertyOptions[]).find(({ value }) => value === event)?.name}: `;

interface Watched {
	emulator: Emulator;
	poller: Poller;
	/** Makes one thing happen that must start a workflow. */
	happen(): Promise<IDataObject>;
	/** Puts the fault in the way of the requests from number `from` on, counted from now. */
	strike(from: number, times: number): Promise<void>;
	/** All is well again. */
	mend(): Promise<void>;
}

/** A workflow with the trigger, on a clock that runs: a wait that never ended would show. */
async function watched(
	event: string,
	{ fault, wire, budgetMs = BUDGET_MS }: Partial<FaultCase> & { budgetMs?: number },
	test: (watched: Watched) => Promise<void>,
): Promise<void> {
	const emulator = await startEmulator({ data: 'empty' });
	const { store } = emulator;
	store.addAgent('inbound');
	store.setBalance(50);
	prepare(store);
	const broken = { connections: 0, from: Infinity, to: Infinity };
	const isBroken = () => {
		const at = broken.connections++;
		return at >= broken.from && at < broken.to;
	};
	const openWire = async (port?: number) =>
		await startWire(emulator, wire === 'refused' ? 'reset on accept' : wire!, isBroken, port);
	// The trigger watches what its Base URL names, so the wire has to be there from the start.
	let way: Wire | undefined = wire && (await openWire());
	const url = way?.url ?? emulator.url;
	const reopen = async () => (way ??= await openWire(Number(new URL(url).port)));

	const poller = startPoller({
		emulator,
		parameters: { event, ...EVENTS[event]!.parameters },
		credentials: byKey(url, emulator.keys.read),
		budgetMs,
	});
	try {
		await test({
			emulator,
			poller,
			async happen() {
				if (!VALUE_NAMES.includes(event)) return await EVENTS[event]!.happen({ store } as Stage);
				store.setBalance(5);
				setMinutes(store, 20, 0);
				return event === 'lowBalance' ? { balance: 5 } : { minutes_remaining: 20 };
			},
			async strike(from, times) {
				if (wire === undefined) {
					emulator.faults.add({ ...fault!, skip: from, times });
				} else if (wire === 'refused') {
					await way?.close();
					way = undefined;
					if (Number.isFinite(times)) void refusalAt(Number(new URL(url).port)).then(reopen);
				} else {
					broken.from = broken.connections + from;
					broken.to = broken.from + times;
				}
			},
			async mend() {
				emulator.faults.clear();
				broken.from = Infinity;
				if (wire !== undefined) await reopen();
			},
		});
	} finally {
		await way?.close();
		await emulator.close();
	}
}

/** How many requests the poll takes that finds what happened; of each event once. */
const plans = new Map<string, Promise<number>>();
const planOf = async (event: string) => {
	if (!plans.has(event)) plans.set(event, plan(event));
	return await plans.get(event)!;
};

async function plan(event: string): Promise<number> {
	let count = 0;
	await watched(event, {}, async ({ emulator, poller, happen }) => {
		await poller.activate();
		await happen();
		const before = emulator.requests.length;
		expect((await poller.tick()).length).toBe(1);
		count = emulator.requests.length - before;
	});
	return count;
}

function expectClear(error: Error | undefined, event: string, fault: FaultCase): void {
	const { message, description } = error as Error & { description?: string };
	expect(message.slice(0, labelOf(event).length)).toBe(labelOf(event));
	expect(message).toMatch(fault.message);
	const isLimit = /^429/.test(fault.name);
	expect(description).toMatch(isLimit ? /Try again later\. A trigger does so/ : fault.fix);
	// Of which the trigger has none.
	expect(description).not.toMatch(/Request Options/);
}

/**
 * What becomes of a poll. One request that used up its time has used up what the poll may wait, too:
 * the next poll reads it.
 */
const outcomeOf = ({ name, once }: FaultCase) => (name === 'timeout' ? 'failed' : once.read);

describe.concurrent.each(events)('%s', (event) => {
	describe.each(faults.map((fault) => [fault.name, fault] as const))('%s', (_fault, fault) => {
		const outcome = outcomeOf(fault);
		const isHarmless = outcome === 'unharmed';
		const isRepeated = outcome === 'mended' || fault.name === 'timeout';
		const hurried = isRepeated ? { ...fault, budgetMs: SHORT_BUDGET_MS } : fault;
		// Where somebody waits for the answer, these take as long as a user may have to.
		const isTooLong = !isFull && /^(429|timeout)/.test(fault.name);

		it('once: what happened comes, if need be with the next poll, and comes once', async () => {
			const last = (await planOf(event)) - 1;
			const given = fault.name === 'timeout' ? hurried : fault;
			for (const from of fault.wire === 'refused' ? [0] : new Set([0, last])) {
				await watched(event, given, async ({ poller, happen, strike, mend }) => {
					await poller.activate();
					const expected = await happen();
					await strike(from, 1);
					const items = await poller.tick();
					// A summary that is empty is one that does not exist yet.
					const isSummary = event === 'callReady' && from > 0;
					const isNoError = isSummary && /^(no data|an empty body)$/.test(fault.name);
					// One that is text is one.
					if (from > 0 && /^data that is/.test(fault.name)) return;
					if (outcome === 'failed') {
						expect(items).toEqual([]);
						if (!isNoError) expectClear(poller.errors[0], event, fault);
						await mend();
						await poller.tick();
					}
					expect(poller.errors.length).toBe(outcome === 'failed' && !isNoError ? 1 : 0);
					await poller.tick();
					expect(poller.items).toEqual([expect.objectContaining(expected)]);
				});
			}
		});

		it.skipIf(isHarmless)('for good: an error that names the event and the fix', async () => {
			await watched(event, hurried, async ({ poller, happen, strike, mend }) => {
				await poller.activate();
				const expected = await happen();
				const before = poller.known;
				await strike(0, Infinity);
				for (let failures = 1; failures <= 2; failures++) {
					expect(await poller.tick()).toEqual([]);
					expect(poller.errors.length).toBe(failures);
					expectClear(poller.errors.at(-1), event, fault);
				}
				expect(poller.known).toBe(before);
				if (!isTooLong) {
					const thrown = await poller.fetchTestEvent().catch((error: Error) => error);
					expect(thrown).toBeInstanceOf(Error);
					expectClear(thrown as Error, event, fault);
				}
				await mend();
				await poller.tick();
				await poller.tick();
				expect(poller.items).toEqual([expect.objectContaining(expected)]);
			});
		});

		const title = 'while the workflow is switched on: it stays off, or watches from then on';
		it.skipIf(isTooLong)(title, async () => {
			await watched(event, hurried, async ({ poller, happen, strike, mend }) => {
				await strike(0, Infinity);
				const thrown = await poller.activate().catch((error: Error) => error);
				if (isHarmless) expect(thrown).toEqual([]);
				else expectClear(thrown as Error, event, fault);
				await mend();
				if (!isHarmless) await poller.activate();
				const expected = await happen();
				await poller.tick();
				await poller.tick();
				expect(poller.items).toEqual([expect.objectContaining(expected)]);
			});
		});
	});
});

describe.concurrent('data that is not what the event is about', () => {
	const order = (rest: IDataObject) => ({
		id: '3f2b8c1e-5d7a-4e90-9b1c-2a6d4f8e0b37',
		created_at: new Date().toISOString(),
		status: 'pending',
		...rest,
	});
	const lists = [{}, { list: [] }, [null], [7], [[]], [{}]];
	const cases: Record<string, unknown[]> = {
		newCall: [...lists, [{ id: 'a' }], [{ created_at: '2026-01-31T09:00:00Z' }]],
		callReady: lists,
		callTransferred: lists,
		// A page without a total is not believed to be all: the next one shows what is really there.
		campaignStatusChanged: lists.slice(0, -1),
		agentChanged: lists.slice(0, -1),
		contactAddedToList: lists.slice(0, -1),
		contactChanged: lists.slice(0, -1),
		// An object without dates is a calendar without events.
		eventChanged: lists.slice(1, -1),
		eventStatusChanged: lists.slice(1, -1),
		fallbackProviderUsed: lists,
		itemChanged: lists.slice(0, -1),
		newContact: lists.slice(0, -1),
		newOrder: lists,
		newTransaction: lists,
		orderStatusChanged: [...lists, [order({ status: null })]],
		lowBalance: [
			[],
			{},
			...['', 'much', null, true, false, [], {}].map((balance) => ({ balance })),
		],
		lowMinutes: [
			[],
			{},
			...['', 'many', null, []].map((minutes_remaining) => ({ minutes_remaining })),
		],
	};

	it.each(
		Object.entries(cases).flatMap(([event, bodies]) =>
			bodies.map((data) => [event, data] as const),
		),
	)('%s, %j: an error, and nothing starts', async (event, data) => {
		const body = { ok: true, data, meta: null, error: null };
		const fault = { kind: 'status', status: 200, body } as const;
		await watched(event, { fault }, async ({ poller, happen, strike, mend }) => {
			await poller.activate();
			const expected = await happen();
			// For all of the poll: a page is not believed to be all there is.
			await strike(0, Infinity);
			expect(await poller.tick()).toEqual([]);
			expect(poller.errors[0]?.message).toMatch(
				/the answer could not be used|1 left out|do not show their status/,
			);
			await mend();
			await poller.tick();
			expect(poller.items).toEqual([expect.objectContaining(expected)]);
		});
	});
});
