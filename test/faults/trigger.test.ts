import type { IDataObject } from 'n8n-workflow';
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
	eventLabel,
	isFull,
	startEmulator,
	startPoller,
	startRelay,
	tally,
	type Emulator,
	type Relay,
} from './lab.ts';
import { ownPort, refusalAt } from './refusal.ts';
import { FAULTS, type FaultCase } from './table.ts';

/**
 * How long a poll may take; one request waits for a fifth of it at most. It is short if the poll will
 * use it up, and else long enough for a busy machine.
 */
const BUDGET_MS = 60_000;
const SHORT_BUDGET_MS = 6000;

const faults = FAULTS.filter(({ isVariant }) => isFull || !isVariant);
/** The short form: a list with more requests for each record, and a value. */
const events = isFull ? EVENT_NAMES : ['callReady', 'lowBalance'];

afterAll(() => {
	console.log(
		`Faults × events: ${events.length} events × ${faults.length} faults, ${tally.runs} polls, ${tally.requests} requests`,
	);
});

interface Watched {
	emulator: Emulator;
	poller: Poller;
	/** Makes the event happen once. */
	happen(): Promise<IDataObject>;
	/** The requests from number `from` on meet the fault, counted from now. */
	strike(from: number, times: number): Promise<void>;
	/** Ends the fault. */
	mend(): Promise<void>;
}

/** A workflow with the trigger. Its clock runs, so that a wait without end would show. */
async function watched(
	event: string,
	{ fault, relay, budgetMs = BUDGET_MS }: Partial<FaultCase> & { budgetMs?: number },
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
	const openRelay = async (port: number) =>
		await startRelay(emulator, relay === 'refused' ? 'reset on accept' : relay!, isBroken, port);
	// If the Base URL changes, the trigger starts again, so the relay must exist from the start.
	const port = await ownPort();
	let way: Relay | undefined = relay && (await openRelay(port));
	const url = way?.url ?? emulator.url;
	const reopen = async () => (way ??= await openRelay(port));

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
				if (relay === undefined) {
					emulator.faults.add({ ...fault!, skip: from, times });
				} else if (relay === 'refused') {
					await way?.close();
					way = undefined;
					if (Number.isFinite(times)) void refusalAt(port).then(reopen);
				} else {
					broken.from = broken.connections + from;
					broken.to = broken.from + times;
				}
			},
			async mend() {
				emulator.faults.clear();
				broken.from = Infinity;
				if (relay !== undefined) await reopen();
			},
		});
	} finally {
		await way?.close();
		await emulator.close();
	}
}

/** How many requests a poll needs that finds the event, found out once for each event. */
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
	expect(message.slice(0, eventLabel(event).length)).toBe(eventLabel(event));
	expect(message).toMatch(fault.message);
	const isLimit = /^429/.test(fault.name);
	expect(description).toMatch(isLimit ? /Try again later\. A trigger does so/ : fault.fix);
	// The trigger has no Request Options.
	expect(description).not.toMatch(/Request Options/);
}

/** What must happen to a poll. A timeout uses up the time of the whole poll, so the next poll reads the list. */
const outcomeOf = ({ name, once }: FaultCase) => (name === 'timeout' ? 'failed' : once.read);

describe.concurrent.each(events)('%s', (event) => {
	describe.each(faults.map((fault) => [fault.name, fault] as const))('%s', (_fault, fault) => {
		const outcome = outcomeOf(fault);
		const isHarmless = outcome === 'unharmed';
		const isRepeated = outcome === 'mended' || fault.name === 'timeout';
		const hurried = isRepeated ? { ...fault, budgetMs: SHORT_BUDGET_MS } : fault;
		// Test events and activation wait as long for these as a user would.
		const isTooLong = !isFull && /^(429|timeout)/.test(fault.name);

		it('once: what happened comes, if need be with the next poll, and comes once [P53]', async () => {
			const last = (await planOf(event)) - 1;
			const given = fault.name === 'timeout' ? hurried : fault;
			for (const from of fault.relay === 'refused' ? [0] : new Set([0, last])) {
				await watched(event, given, async ({ poller, happen, strike, mend }) => {
					await poller.activate();
					const expected = await happen();
					await strike(from, 1);
					const items = await poller.tick();
					// An empty summary counts as not there yet.
					const isSummary = event === 'callReady' && from > 0;
					const isNoError = isSummary && /^(no data|an empty body)$/.test(fault.name);
					// Text counts as a summary.
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
		// Without a total, the trigger reads the next page, which shows the records.
		campaignStatusChanged: lists.slice(0, -1),
		agentChanged: lists.slice(0, -1),
		contactAddedToList: lists.slice(0, -1),
		contactChanged: lists.slice(0, -1),
		// An object without dates is an empty calendar.
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
			// All requests of the poll: the trigger also reads a page after the first.
			await strike(0, Infinity);
			expect(await poller.tick()).toEqual([]);
			expect(poller.errors[0]?.message).toMatch(
				/the answer could not be used|sends the same page again|1 left out|do not show their status/,
			);
			await mend();
			await poller.tick();
			expect(poller.items).toEqual([expect.objectContaining(expected)]);
		});
	});
});
