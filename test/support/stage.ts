import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { onTestFinished } from 'vitest';

import { startEmulator, type Emulator, type EmulatorOptions } from '../emulator/index.ts';
import { iso } from '../emulator/time.ts';
import type { Kind } from '../emulator/wire.ts';
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
	const listId = readings?.ids === 'whole number' ? NUMBERED_LIST : LIST;
	for (const store of [emulator.store, emulator.otherStore]) prepare(store, listId);
	const chosen = JSON.stringify(parameters).replaceAll(LIST, listId);
	const polled = new Poller({
		emulator,
		parameters: { event, ...(JSON.parse(chosen) as typeof parameters) },
		...poller,
	});
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

/** The one contact list that is there before anything happens. */
const LIST = '7d1f0c52-8a64-4b0e-9c35-e1a2b3c4d5f6';

/** The same where ids are whole numbers. */
const NUMBERED_LIST = '900001';

/** What must be there before anything happens. */
export function prepare(store: Emulator['store'], listId = LIST): void {
	setMinutes(store, 500, 0);
	store.addContactList({ id: listId });
}

/** What remains of the plan's minutes, in one of its billing periods. */
export function setMinutes(store: Emulator['store'], minutes_remaining: number, period: number) {
	const bound = (month: number) => new Date(Date.UTC(2026, month, 1)).toISOString();
	store.usage = {
		minutes_included: 1000,
		minutes_used: 1000 - minutes_remaining,
		minutes_remaining,
		extra_minutes_used: 0,
		period_start: bound(period),
		period_end: bound(period + 1),
	};
}

/** Each before those of the calendar so far: that a test event shows. */
const addEvent = (store: Emulator['store']) =>
	store.addEvent({
		date: iso(Date.UTC(2027, 0, 31) - store.events.all().length * DAY).slice(0, 10),
	});

const periodOf = ({ usage }: Emulator['store']) => new Date(usage?.period_start ?? 0).getUTCMonth();

export interface Happening {
	/** What the node's parameters are, but for the event. */
	parameters?: INodeParameters;
	/** Makes one thing happen that must start a workflow, and tells what its item shows. */
	happen: (stage: Stage) => IDataObject | Promise<IDataObject>;
	/** Whether the trigger follows a list of new records. */
	isList: boolean;
	/** Its first request. */
	path: string;
	/** What its items are. */
	kind: Kind;
}

/** Each event, and how it comes about. */
export const EVENTS: Record<string, Happening> = {
	newCall: {
		isList: true,
		path: '/call-history',
		kind: 'call',
		happen: ({ store }) => ({ id: store.addCall().id }),
	},
	callReady: {
		isList: true,
		path: '/call-history',
		kind: 'call',
		happen: ({ store }) => ({ id: store.addCall().id, ready: true }),
	},
	callTransferred: {
		isList: true,
		path: '/call-history',
		kind: 'call',
		happen({ store }) {
			const { id, created_at } = store.addCall({ call_status: 'Completed' });
			store.calls.change(id, { transfer_time: created_at });
			return { id };
		},
	},
	campaignStatusChanged: {
		isList: false,
		path: '/campaigns',
		kind: 'campaign',
		happen: ({ store }) => ({ id: store.addCampaign().id, previous_status: null }),
	},
	contactAddedToList: {
		isList: false,
		path: `/contact-lists/${LIST}/contacts`,
		kind: 'member',
		parameters: { contact_list_id: { __rl: true, mode: 'list', value: LIST } },
		happen({ store }) {
			const { id } = store.addContact();
			(store.members.get(LIST) ?? store.members.get(NUMBERED_LIST))!.add(id);
			return { id };
		},
	},
	contactChanged: {
		isList: false,
		path: '/contacts',
		kind: 'contact',
		happen: ({ store }) => ({ id: store.addContact().id, change: 'new' }),
	},
	itemChanged: {
		isList: false,
		path: '/catalogues/items',
		kind: 'item',
		happen: ({ store }) => ({ id: store.addItem().id, change: 'new' }),
	},
	agentChanged: {
		isList: false,
		path: '/agents/',
		kind: 'agent',
		happen: ({ store }) => ({ id: store.addAgent('outbound').id, change: 'new' }),
	},
	eventChanged: {
		isList: false,
		path: '/events',
		kind: 'event',
		happen: ({ store }) => ({ id: addEvent(store).id, change: 'new' }),
	},
	eventStatusChanged: {
		isList: false,
		path: '/events',
		kind: 'event',
		happen({ store }) {
			const { id, status } = addEvent(store);
			return { id, previous_status: null, new_status: status };
		},
	},
	fallbackProviderUsed: {
		isList: true,
		path: '/call-history',
		kind: 'call',
		happen: ({ store }) => ({ id: store.addCall({ ai_provider_fallback_used: true }).id }),
	},
	newContact: {
		isList: false,
		path: '/contacts',
		kind: 'contact',
		happen: ({ store }) => ({ id: store.addContact().id }),
	},
	newOrder: {
		isList: true,
		path: '/orders',
		kind: 'order',
		happen: ({ store }) => ({ id: store.addOrder().id, status: 'pending' }),
	},
	newTransaction: {
		isList: true,
		path: '/wallet/transactions',
		kind: 'transaction',
		happen: ({ store }) => ({ id: store.addTransaction().id }),
	},
	orderStatusChanged: {
		isList: false,
		path: '/orders',
		kind: 'order',
		happen: ({ store }) => ({
			id: store.addOrder({ status: 'confirmed' }).id,
			previous_status: null,
			new_status: 'confirmed',
		}),
	},
	lowBalance: {
		isList: false,
		path: '/wallet',
		kind: 'wallet',
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
	lowMinutes: {
		isList: false,
		path: '/usage',
		kind: 'usage',
		parameters: { minutesBelow: 60 },
		async happen({ clock, poller, store }) {
			clock.advance(2 * SECOND);
			setMinutes(store, 1000, periodOf(store) + 1);
			if (poller.isActive) await poller.tick();
			clock.advance(2 * SECOND);
			setMinutes(store, 20, periodOf(store));
			return { minutes_remaining: 20, threshold: 60, threshold_unit: 'minutes' };
		},
	},
};

/** Events that watch one value: it is there from the start, and where it is low, that is news. */
export const VALUE_NAMES = ['lowBalance', 'lowMinutes'];

/** Events for which a list is read whole. */
export const WHOLE_NAMES = [
	'agentChanged',
	'campaignStatusChanged',
	'contactAddedToList',
	'contactChanged',
	'eventChanged',
	'eventStatusChanged',
	'itemChanged',
	'newContact',
];

export const EVENT_NAMES = Object.keys(EVENTS);

export const LIST_NAMES = EVENT_NAMES.filter((name) => EVENTS[name]!.isList);
