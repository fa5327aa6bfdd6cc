import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { OrderStatus } from '../emulator/index.ts';
import { active, HOUR, setMinutes, stage, type Stage } from '../support/stage.ts';

// What is special about an event; about events of calls: contract/trigger-calls. That each event starts the workflow
// once: promises/nothingLost, and on servers of all kinds dialects/events.

type Store = Stage['store'];

const AGENT = '0b6e8ad2-3f0c-4a53-9f0e-5f3a4a1c1f10';

const makeLines = (sku: string) =>
	[1, 2].map((at) => ({
		name: `Item ${sku}${at}`,
		sku: `${sku}${at}`,
		quantity: 1,
		unit_price: 5,
		total_price: 5,
	}));

/** The next list has these records in place of what is there. */
function answerWith({ emulator }: Stage, ...data: object[]): void {
	const meta = { limit: 100, offset: 0, total_items: data.length };
	const body = { ok: true, data, meta, error: null };
	emulator.faults.add({ kind: 'status', status: 200, body });
}

/** What becomes of a poll whose list holds these records. */
async function tickWith(given: Stage, ...data: object[]) {
	answerWith(given, ...data);
	return await given.tick();
}

const addAdaAndBea = (store: Store) =>
	['Ada', 'Bea'].map((first_name) => store.addContact({ first_name }));

it.each<[event: string, filters: INodeParameters, add: (store: Store) => Array<{ id: string }>]>([
	[
		'newCall',
		{ agent_id: { __rl: true, mode: 'list', value: AGENT }, call_status: ['Failed'] },
		(store) => [
			store.addCall({ agent_id: AGENT, call_status: 'Failed' }),
			store.addCall({ agent_id: AGENT, call_status: 'Completed' }),
			store.addCall({ agent_id: store.agents.all()[0]!.id, call_status: 'Failed' }),
		],
	],
	[
		'newTransaction',
		{ transaction_type: 'CONSUME' },
		(store) => [
			store.addTransaction({ transaction_type: 'CONSUME' }),
			store.addTransaction({ transaction_type: 'ADD' }),
		],
	],
	['newContact', { filter: 'first_name==Ada' }, addAdaAndBea],
	['contactChanged', { filter: 'first_name==Ada' }, addAdaAndBea],
])('%s: only the first of the records matches the filters', async (event, filters, add) => {
	const { store, tick } = await active(event, { filters });
	const [wanted] = add(store);
	expect((await tick()).map(({ id }) => id)).toEqual([wanted!.id]);
	expect(await tick()).toEqual([]);
});

it.each<[event: string, table: 'campaigns' | 'events' | 'orders', statuses: string[]]>([
	['campaignStatusChanged', 'campaigns', ['running', 'paused', 'running', 'stopped']],
	['eventStatusChanged', 'events', ['pending', 'approved', 'rejected']],
	['orderStatusChanged', 'orders', ['pending', 'confirmed', 'completed', 'cancelled']],
])(
	'%s: each new status, with the one before, also of a record that was there at the activation',
	async (event, table, [first, ...statuses]) => {
		const { store, poller, tick } = await stage({ event });
		const status = first as never;
		const { id } = {
			campaigns: () => store.addCampaign({ status }),
			events: () => store.addEvent({ status }),
			orders: () => store.addOrder({ status }),
		}[table]();
		await poller.activate();
		let previous_status = first;
		for (const new_status of statuses) {
			expect(await tick()).toEqual([]);
			store[table].change(id, { status: new_status as never });
			expect(await tick()).toMatchObject([{ id, previous_status, new_status }]);
			previous_status = new_status;
		}
		await poller.restart();
		expect(await tick()).toEqual([]);
	},
);

it.each<[event: string, shows: object, message: RegExp, whole: object]>([
	['campaignStatusChanged', { id: 'a', name: 'Autumn' }, /status and id/, { status: 'draft' }],
	['contactAddedToList', { name: 'Ada' }, /their id/, { contact_id: 'a' }],
	['contactAddedToList', { name: 'Ada' }, /their id/, { contact: { id: 'a' } }],
])(
	'%s: the poll fails if no record shows what is watched, and the record comes later',
	async (event, shows, message, whole) => {
		const given = await active(event);
		answerWith(given, shows);
		expect((await given.poller.failingTick()).message).toMatch(message);
		expect(await tickWith(given, { ...shows, ...whole })).toHaveLength(1);
		expect(await tickWith(given, { ...shows, ...whole })).toEqual([]);
	},
);

it('Campaign Status Changed waits for a campaign that has no status yet', async () => {
	const given = await active('campaignStatusChanged');
	expect(await tickWith(given, { id: 'a', status: null })).toEqual([]);
	expect(given.poller.errors).toEqual([]);
	const expected = [{ id: 'a', previous_status: null, new_status: 'draft' }];
	expect(await tickWith(given, { id: 'a', status: 'draft' })).toMatchObject(expected);
});

describe('New or Changed Calendar Event', () => {
	const event = { id: 'a', title: 'Dinner', extras: { seats: 2, tags: ['x', 'y'] } };

	it.each<[how: string, extras: (synced: number) => unknown]>([
		['an object', (seats) => ({ seats, tags: ['x'] })],
		['a list of names and values', (value) => [{ name: 'seats', value }]],
	])('ignores the fields that the user names, also custom ones in %s', async (_how, extras) => {
		const options = { ignoreFields: 'synced_at, extras.seats' };
		const given = await active('eventChanged', { options });
		const shown = (at: number) => ({ ...event, synced_at: at, extras: extras(at) });
		expect(await tickWith(given, shown(1))).toHaveLength(1);
		expect(await tickWith(given, shown(2))).toEqual([]);
		expect(await tickWith(given, { ...shown(3), title: 'Lunch' })).toHaveLength(1);
	});

	it('names the field that all events show for the first time, and only if nothing else changed', async () => {
		const many = Array.from({ length: 12 }, (_, at) => ({ ...event, id: `e${at}` }));
		const wider = many.map((one, at) => ({ ...one, table: `Table ${at}` }));
		const given = await active('eventChanged', { options: { pollLimit: 6 } });
		for (let polls = 0; polls < 2; polls++) await tickWith(given, ...many);
		const items = [...(await tickWith(given, ...wider)), ...(await tickWith(given, ...wider))];
		const said = { change: 'changed', new_fields: 'table' };
		expect(items).toEqual(wider.map(({ id }) => expect.objectContaining({ id, ...said })));
		expect(await tickWith(given, ...wider)).toEqual([]);
		const [one, ...others] = wider;
		const [moved] = await tickWith(given, { ...one, title: 'Lunch', floor: 2 }, ...others);
		expect(moved).toMatchObject({ title: 'Lunch', change: 'changed' });
		expect(moved).not.toHaveProperty('new_fields');
	});

	it('counts an event of several days once', async () => {
		const given = await active('eventChanged');
		const days = ['2027-03-01', '2027-03-02'].map((date) => ({ date, events: [event] }));
		expect(await tickWith(given, ...days)).toMatchObject([{ id: 'a' }]);
		expect(await tickWith(given, ...days.toReversed())).toEqual([]);
	});
});

it('New or Changed Item starts for all items if all their prices change at once', async () => {
	const { store, tick } = await active('itemChanged');
	const ids = Array.from({ length: 12 }, () => store.addItem({ price: 8 }).id);
	await tick();
	for (const id of ids) store.items.change(id, { price: 9 });
	const changed = await tick();
	expect(changed.map(({ id }) => String(id)).sort()).toEqual(ids.sort());
	expect(changed).toMatchObject(ids.map(() => ({ change: 'changed', price: 9 })));
});

describe('New Contact', () => {
	it('comes again if it disappears and comes back', async () => {
		const given = await active('newContact');
		const { id } = given.store.addContact();
		expect(await given.tick()).toMatchObject([{ id }]);
		expect(await tickWith(given)).toEqual([]);
		expect(await given.tick()).toMatchObject([{ id }]);
	});

	it('comes when it matches the filter; with another filter the trigger starts again', async () => {
		const parameters = { filters: { filter: 'first_name==Ada' } };
		const { store, poller, tick } = await active('newContact', parameters);
		const { id } = store.addContact({ first_name: 'Bea' });
		expect(await tick()).toEqual([]);
		store.contacts.change(id, { first_name: 'Ada' });
		expect(await tick()).toMatchObject([{ id }]);
		poller.deactivate();
		poller.parameters = { event: 'newContact' };
		store.addContact();
		expect(await poller.activate()).toEqual([]);
		expect(await tick()).toEqual([]);
	});
});

it('New Order looks at the status that an order has when it is first seen', async () => {
	const { store, tick } = await active('newOrder', { filters: { status: ['pending'] } });
	const [pending, other] = [store.addOrder(), store.addOrder({ status: 'confirmed' })];
	expect(await tick()).toMatchObject([{ id: pending.id }]);
	for (const { id } of [pending, other]) store.orders.change(id, { status: 'pending' });
	expect(await tick()).toEqual([]);
});

// How lines are found and shown: unit/order.
describe.each(['newOrder', 'orderStatusChanged'])('the lines of orders: %s', (event) => {
	it('has one item for each line, and Limit per Poll counts orders', async () => {
		const options = { splitIntoLineItems: true, pollLimit: 1 };
		const { store, tick, poller, clock } = await active(event, { options });
		const orders = ['a', 'b'].map((sku) => {
			clock.advance(1);
			return store.addOrder({ status: 'confirmed', line_items: makeLines(sku) });
		});
		const rows = orders.map(({ id }, at) =>
			[1, 2].map((line_number) => ({ id, line_number, line_sku: `${'ab'[at]}${line_number}` })),
		);
		expect(await poller.fetchTestEvent()).toMatchObject([{ line_number: 1 }, { line_number: 2 }]);
		expect(await tick()).toMatchObject(rows[0]!);
		expect(await tick()).toMatchObject(rows[1]!);
		expect(await tick()).toEqual([]);
	});

	it('take no other field away', async () => {
		const fieldsWith = async (options: INodeParameters) => {
			const { store, tick } = await active(event, { options });
			const customer = { customer_phone: '+390612345678', notes: null };
			store.addOrder({ ...customer, status: 'confirmed', line_items: makeLines('a') });
			return Object.keys((await tick())[0]!);
		};
		const few = (await fieldsWith({})).filter((field) => field !== 'items');
		expect(few).toContain('customer_phone');
		for (const options of [
			{ include: ['lineItems'] },
			{ include: ['lineItemsText'] },
			{ splitIntoLineItems: true },
		])
			expect(await fieldsWith(options)).toEqual(expect.arrayContaining(few));
	});

	it('says so if no order shows them', async () => {
		const { store, tick } = await active(event, { options: { splitIntoLineItems: true } });
		const { id } = store.addOrder({ status: 'confirmed' });
		store.orders.change(id, { line_items: 'elsewhere' as never });
		expect(await tick()).toMatchObject([
			{ id, line_number: null, trigger_notice: expect.stringContaining('no line items in') },
		]);
	});
});

// Which settings differ: unit/agentChanged.
describe('Agent Changed', () => {
	it('shows the changed settings with old and new values, which only the detail has', async () => {
		const options = { ignoreFields: 'name' };
		const { store, tick, requestsOf } = await active('agentChanged', { options });
		const { id, ai_speed, prompt_instructions } = { ...store.agents.all()[0]! };
		const new_values = { ai_speed: 1.2, prompt_instructions: 'Be brief.' };
		store.agents.change(id, { ...new_values, name: 'Ann' });
		const [item] = await tick();
		expect(item).toMatchObject({
			id,
			change: 'changed',
			changed_fields: 'ai_speed, prompt_instructions',
			new_values,
			previous_values: { ai_speed, prompt_instructions },
		});
		expect(Object.keys(item!).length).toBeLessThanOrEqual(10);
		expect(await requestsOf(async () => await tick())).toBe(1 + store.agents.size);
	});

	it('shows a changed tool if Watch Tools is on, but not when it is turned on or off', async () => {
		const { store, tick, poller } = await active('agentChanged');
		const { id } = store.agents.all()[0]!;
		const toolsWith = (phone_number: string) => ({
			tools: { 'transfer-to-phone': { phone_number } },
		});
		const transferTo = (phone_number: string) =>
			void Object.assign(store.tools.get(id)!['transfer-to-phone']!, { phone_number });
		const publish = async (options: INodeParameters) => {
			poller.deactivate();
			poller.parameters = { event: 'agentChanged', options };
			await poller.activate();
			return await tick();
		};
		transferTo('+390600000001');
		expect(await tick()).toEqual([]);
		expect(await publish({ watchTools: true })).toEqual([]);
		transferTo('+390600000002');
		expect(await tick()).toMatchObject([
			{
				id,
				changed_fields: 'tools',
				new_values: toolsWith('+390600000002'),
				previous_values: toolsWith('+390600000001'),
			},
		]);
		expect(await tick()).toEqual([]);
		expect(await publish({})).toEqual([]);
	});
});

describe('Order Status Changed', () => {
	it('only from and to the chosen statuses, as polls saw them', async () => {
		const filters = { from: ['confirmed'], to: ['cancelled'] };
		const { store, tick } = await active('orderStatusChanged', { filters });
		const [straight, through] = [store.addOrder(), store.addOrder()].map(({ id }) => id);
		await tick();
		store.setOrderStatus(through!, 'confirmed');
		expect(await tick()).toEqual([]);
		for (const id of [straight!, through!]) store.setOrderStatus(id, 'cancelled');
		const moved = { previous_status: 'confirmed', new_status: 'cancelled' };
		expect(await tick()).toMatchObject([{ id: through, ...moved }]);
	});

	it('a status in other letters is the same, and an unknown one is shown as it came', async () => {
		const { store, tick, poller } = await active('orderStatusChanged');
		const { id } = store.addOrder({ status: 'PENDING' as OrderStatus });
		for (const status of ['Pending', 'Confirmed', 'CONFIRMED', 'Out for Delivery']) {
			await tick();
			store.setOrderStatus(id, status as OrderStatus);
		}
		await tick();
		expect(poller.items).toMatchObject([
			{ previous_status: 'pending', new_status: 'confirmed' },
			{ previous_status: 'confirmed', new_status: 'Out for Delivery' },
		]);
	});

	it('watches an order for Order Days, and starts again if these change', async () => {
		const { store, tick, poller } = await active('orderStatusChanged', {
			options: { orderDays: 1 },
		});
		const { id } = store.addOrder();
		await tick(23 * HOUR);
		store.setOrderStatus(id, 'confirmed');
		expect(await tick()).toHaveLength(1);
		await tick(2 * HOUR);
		store.setOrderStatus(id, 'completed');
		expect(await tick(24 * HOUR)).toEqual([]);
		poller.deactivate();
		poller.parameters = { event: 'orderStatusChanged', options: { orderDays: 14 } };
		expect(await poller.activate()).toEqual([]);
		expect(await tick()).toEqual([]);
		expect(poller.errors).toEqual([]);
	});
});

describe('Low Minutes', () => {
	it.each<[string, (month: number, now: string) => object, number]>([
		['by its start', (month) => ({ billing_period: { start: `2026-0${month}-01T00:00:00Z` } }), 2],
		['by its last day', (month, now) => ({ period_end: `2026-0${month}-28`, last_call: now }), 2],
		['in a form that nobody knows', (month) => ({ billing_period: `month ${month}` }), 1],
		['at first only', (month) => (month === 1 ? { period_end: '2026-01-01' } : {}), 1],
		['as one that always ends now', (_month, now) => ({ period_end: now }), 1],
	])('starts once for each billing period, shown %s', async (_form, period, times) => {
		const { store, clock, poller, tick } = await active('lowMinutes');
		for (const month of [1, 1, 1, 2, 2]) {
			store.usage = { minutes_remaining: 20, ...period(month, clock.iso()) } as never;
			await tick();
		}
		expect(poller.executions).toHaveLength(times);
	});

	it('takes a percentage of the included minutes', async () => {
		const percent = { minutesBelow: 10, minutesUnit: 'percent' };
		const { store, tick } = await active('lowMinutes', percent);
		setMinutes(store, 100, 0);
		expect(await tick()).toEqual([]);
		setMinutes(store, 99, 0);
		expect(await tick()).toMatchObject([
			{ minutes_remaining: 99, threshold: 10, threshold_unit: 'percent' },
		]);
	});
});
