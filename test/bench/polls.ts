import { mock } from 'node:test';

import { Poller } from '../support/poller.ts';
import { startFarEmulator } from './farEmulator.ts';

/** What polls of the trigger cost. */
export interface PollCost {
	event: string;
	/** What they meet. */
	what: string;
	polls: number;
	requests: number;
	/** On the clock, all polls together. */
	ms: number;
	/** Bytes of the state in n8n's database after them. */
	state: number;
}

/** So much time passes, in ms, in which so many records are created. */
type Step = [ms: number, created: number];

const LISTS = {
	newCall: 'calls',
	callReady: 'calls',
	newOrder: 'orders',
	newTransaction: 'transactions',
} as const;

type Event = keyof typeof LISTS;

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** A day in which n8n polls once a minute. */
const dayOf = (records: number): Step[] => {
	const polls = DAY / MINUTE;
	const until = (poll: number) => Math.floor((records * poll) / polls);
	return Array.from({ length: polls }, (_, at) => [MINUTE, until(at + 1) - until(at)]);
};

/** An account of its own with an active trigger, whose time passes when it is told to. */
async function accountWith(event: Event) {
	const api = await startFarEmulator();
	const poller = new Poller({ emulator: api, parameters: { event } });
	let at = Date.now();
	const pass = async ([ms, created]: Step) => {
		const dates = Array.from({ length: created }, (_, index) =>
			new Date(at + ((index + 1) * ms) / created).toISOString(),
		);
		at += ms;
		mock.timers.setTime(at);
		await api.clock(at);
		await api.create(LISTS[event], dates);
	};
	await pass([0, 0]);
	await poller.activate();

	/** The cost of a poll after each step, and of those that then bring what is still missing. */
	const cost = async (what: string, steps: Step[]): Promise<PollCost> => {
		const wanted = steps.reduce((sum, [, created]) => sum + created, 0);
		await api.reset();
		let [polls, ms, came] = [0, 0, 0];
		for (const step of [...steps, ...Array<Step>(100).fill([MINUTE, 0])]) {
			if (polls >= steps.length && came >= wanted) break;
			await pass(step);
			const began = performance.now();
			came += (await poller.tick()).length;
			ms += performance.now() - began;
			polls++;
			if (poller.errors[0] !== undefined) throw poller.errors[0];
		}
		if (came !== wanted) throw new Error(`${event}, ${what}: ${came} of ${wanted}`);
		const { requests } = await api.seen();
		const state = Buffer.byteLength(poller.saved.staticData);
		return { event, what, polls, requests, ms, state };
	};
	return { cost, close: api.close };
}

/** What the trigger costs the API and n8n's database; minutes and days pass at once. */
export async function polls(): Promise<PollCost[]> {
	mock.timers.enable({ apis: ['Date'], now: Date.now() });
	const warmUp = await accountWith('newCall');
	await warmUp.cost('', [[MINUTE, 250]]);
	await warmUp.close();
	const found: PollCost[] = [];
	for (const event of Object.keys(LISTS) as Event[]) {
		const account = await accountWith(event);
		found.push(await account.cost('nothing new', [[MINUTE, 0]]));
		found.push(await account.cost('250 new', [[MINUTE, 250]]));
		await account.close();
	}
	const calls = await accountWith('newCall');
	await calls.cost('', [[MINUTE, 2500]]);
	found.push(await calls.cost('nothing new, 2,500 in the look-back', [[MINUTE, 0]]));
	found.push(await calls.cost('12,000 of two days, at once', [[2 * DAY, 12_000]]));
	await calls.close();
	const day = await accountWith('newCall');
	found.push(await day.cost('a day of 5,000, a poll each minute', dayOf(5000)));
	await day.close();
	mock.timers.reset();
	return found;
}
