import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { onTestFinished } from 'vitest';

import { startEmulator, type Emulator, type EmulatorOptions } from '../emulator/index.ts';
import { Clock } from './clock.ts';
import { Poller, type PollerOptions } from './poller.ts';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export interface StageOptions
	extends Omit<PollerOptions, 'emulator'>, Pick<EmulatorOptions, 'readings' | 'dated'> {
	event: string;
	/** How far n8n's clock is ahead of the API's, in ms. */
	ahead?: number;
}

export interface Stage {
	clock: Clock;
	emulator: Emulator;
	store: Emulator['store'];
	poller: Poller;
	/** A poll after some time, by default a minute. */
	tick(after?: number): Promise<IDataObject[]>;
	/** How many requests something takes. */
	requestsOf(work: () => Promise<unknown>): Promise<number>;
}

/** An account with two agents and nothing else, and a workflow with the trigger, not yet active. */
export async function stage({
	event,
	parameters = {},
	ahead = 0,
	readings,
	dated,
	...poller
}: StageOptions): Promise<Stage> {
	const clock = new Clock(undefined, ahead);
	const now = () => clock.server;
	const emulator = await startEmulator({ data: 'empty', now, readings, dated });
	onTestFinished(async () => {
		await emulator.close();
		clock.thaw();
	});
	emulator.store.addAgent('inbound');
	emulator.store.addAgent('outbound');
	emulator.store.setBalance(50);
	const polled = new Poller({ emulator, parameters: { event, ...parameters }, ...poller });
	return {
		clock,
		emulator,
		store: emulator.store,
		poller: polled,
		async tick(after = MINUTE) {
			clock.advance(after);
			return await polled.tick();
		},
		async requestsOf(work) {
			const before = emulator.requests.length;
			await work();
			return emulator.requests.length - before;
		},
	};
}

export interface Happening {
	/** What the node's parameters are, but for the event. */
	parameters?: INodeParameters;
	/** Makes one thing happen that must start a workflow, and tells what its item shows. */
	happen: (stage: Stage) => IDataObject | Promise<IDataObject>;
	/** Whether the trigger follows a list of new records. */
	isList: boolean;
	/** Its first request. */
	path: string;
}

/** Each event, and how it comes about. */
export const EVENTS: Record<string, Happening> = {
	newCall: {
		isList: true,
		path: '/call-history',
		happen: ({ store }) => ({ id: store.addCall().id }),
	},
	callReady: {
		isList: true,
		path: '/call-history',
		happen: ({ store }) => ({ id: store.addCall().id, ready: true }),
	},
	newOrder: {
		isList: true,
		path: '/orders',
		happen: ({ store }) => ({ id: store.addOrder().id, status: 'pending' }),
	},
	newTransaction: {
		isList: true,
		path: '/wallet/transactions',
		happen: ({ store }) => ({ id: store.addTransaction().id }),
	},
	orderStatusChanged: {
		isList: false,
		path: '/orders',
		happen: ({ store }) => ({
			id: store.addOrder({ status: 'confirmed' }).id,
			previous_status: 'pending',
			new_status: 'confirmed',
		}),
	},
	lowBalance: {
		isList: false,
		path: '/wallet',
		parameters: { threshold: 10 },
		async happen({ clock, poller, store }) {
			const book = (transaction_type: 'ADD' | 'CONSUME', amount: number) => {
				store.addTransaction({ transaction_type, amount });
				store.setBalance(store.wallet.balance + (transaction_type === 'ADD' ? amount : -amount));
			};
			clock.advance(2 * SECOND);
			book('ADD', 100);
			if (poller.isActive) await poller.tick();
			clock.advance(2 * SECOND);
			book('CONSUME', store.wallet.balance - 5);
			return { balance: 5, threshold: 10 };
		},
	},
};

export const EVENT_NAMES = Object.keys(EVENTS);

export const LIST_NAMES = EVENT_NAMES.filter((name) => EVENTS[name]!.isList);
