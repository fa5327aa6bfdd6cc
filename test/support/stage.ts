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
	extends Omit<PollerOptions, 'emulator'>, Pick<EmulatorOptions, 'readings'> {
	event: string;
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

/** An account with two agents and nothing else, and a workflow with the trigger that is not active yet. */
export async function stage({
	event,
	parameters = {},
	readings,
	...poller
}: StageOptions): Promise<Stage> {
	const clock = new Clock();
	const now = () => clock.server;
	const emulator = await startEmulator({ data: 'empty', now, readings });
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

/** A stage whose workflow was switched on a second ago, with good parameters. `happen` makes its event happen. */
export async function active(
	event: string,
	parameters = EVENTS[event]!.parameters,
	more: Partial<StageOptions> = {},
) {
	const given = await stage({ event, parameters, ...more });
	await given.poller.activate();
	given.clock.advance(SECOND);
	return { ...given, happen: async () => await EVENTS[event]!.happen(given) };
}

/** The ID of the account's only contact list. */
const LIST = '7d1f0c52-8a64-4b0e-9c35-e1a2b3c4d5f6';

/** Its ID on servers whose ids are whole numbers. */
const NUMBERED_LIST = '900001';

/** Adds what events need before anything happens. */
function prepare(store: Emulator['store'], listId = LIST): void {
	setMinutes(store, 500, 0);
	store.addContactList({ id: listId });
}

/** Sets the minutes that remain in a billing period, which is a month of 2026 (0 is January). */
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

/** Adds an event before all others of the calendar, because a test event shows the first one. */
const addEvent = (store: Emulator['store']) =>
	store.addEvent({
		date: iso(Date.UTC(2027, 0, 31) - store.events.all().length * DAY).slice(0, 10),
	});

const periodOf = ({ usage }: Emulator['store']) => new Date(usage?.period_start ?? 0).getUTCMonth();

export interface Happening {
	/** The node's parameters, without the event. */
	parameters?: INodeParameters;
	/**
	 * Makes the event happen once, and returns what its item must show. It is called often, and makes a new
	 * record each time, which comes first in its list. The stage must show no such record before: what the
	 * account has from the start must be taken away in `prepare`.
	 */
	happen: (stage: Stage) => IDataObject | Promise<IDataObject>;
	/** The kind of record in its items. */
	kind: Kind;
}

/** Each event: how to make it happen. */
export const EVENTS: Record<string, Happening> = {
	newCall: { kind: 'call', happen: ({ store }) => ({ id: store.addCall().id }) },
	callReady: { kind: 'call', happen: ({ store }) => ({ id: store.addCall().id, ready: true }) },
	callTransferred: {
		kind: 'call',
		happen({ store }) {
			const { id, created_at } = store.addCall({ call_status: 'Completed' });
			store.calls.change(id, { transfer_time: created_at });
			return { id };
		},
	},
	campaignStatusChanged: {
		kind: 'campaign',
		happen: ({ store }) => ({ id: store.addCampaign().id, previous_status: null }),
	},
	contactAddedToList: {
		kind: 'member',
		parameters: { contact_list_id: { __rl: true, mode: 'list', value: LIST } },
		happen({ store }) {
			const { id } = store.addContact();
			(store.members.get(LIST) ?? store.members.get(NUMBERED_LIST))!.add(id);
			return { id };
		},
	},
	contactChanged: {
		kind: 'contact',
		happen: ({ store }) => ({ id: store.addContact().id, change: 'new' }),
	},
	itemChanged: {
		kind: 'item',
		happen: ({ store }) => ({ id: store.addItem().id, change: 'new' }),
	},
	agentChanged: {
		kind: 'agent',
		happen: ({ store }) => ({ id: store.addAgent('outbound').id, change: 'new' }),
	},
	eventChanged: {
		kind: 'event',
		happen: ({ store }) => ({ id: addEvent(store).id, change: 'new' }),
	},
	eventStatusChanged: {
		kind: 'event',
		happen({ store }) {
			const { id, status } = addEvent(store);
			return { id, previous_status: null, new_status: status };
		},
	},
	fallbackProviderUsed: {
		kind: 'call',
		happen: ({ store }) => ({ id: store.addCall({ ai_provider_fallback_used: true }).id }),
	},
	newContact: { kind: 'contact', happen: ({ store }) => ({ id: store.addContact().id }) },
	newOrder: {
		kind: 'order',
		happen: ({ store }) => ({ id: store.addOrder().id, status: 'pending' }),
	},
	newTransaction: {
		kind: 'transaction',
		happen: ({ store }) => ({ id: store.addTransaction().id }),
	},
	orderStatusChanged: {
		kind: 'order',
		happen: ({ store }) => ({
			id: store.addOrder({ status: 'confirmed' }).id,
			previous_status: null,
			new_status: 'confirmed',
		}),
	},
	lowBalance: {
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

export const EVENT_NAMES = Object.keys(EVENTS);
