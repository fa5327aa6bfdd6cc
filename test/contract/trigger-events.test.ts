import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { OrderStatus } from '../emulator/index.ts';
import {
	EVENTS,
	HOUR,
	MINUTE,
	SECOND,
	setMinutes,
	stage,
	VALUE_NAMES,
	type Stage,
	type StageOptions,
} from '../support/stage.ts';

const makeLines = (sku: string) =>
	[1, 2].map((at) => ({
		name: `Item ${sku}${at}`,
		sku: `${sku}${at}`,
		quantity: 1,
		unit_price: 5,
		total_price: 5,
	}));

const idsOf = (records: object[]) =>
	(records as Array<{ id: string }>).map(({ id }) => id).toSorted();

/** An active workflow. */
async function active(event: string, parameters: INodeParameters = {}, more = {}) {
	const given = await stage({ event, parameters, ...more } as StageOptions);
	await given.poller.activate();
	given.clock.advance(SECOND);
	return given;
}

/** Answers the next list with these records in place of what is there. */
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

describe('Campaign Status Changed', () => {
	it('starts the workflow for each status, also one that was there before', async () => {
		const given = await stage({ event: 'campaignStatusChanged' });
		const { store, poller, tick } = given;
		const { id } = store.addCampaign({ status: 'running' });
		const other = store.addCampaign({ status: 'draft' });
		await poller.activate();
		expect(await tick()).toEqual([]);
		let previous_status = 'running';
		for (const status of ['paused', 'running', 'paused', 'stopped'] as const) {
			store.campaigns.change(id, { status });
			expect(await tick(5 * MINUTE)).toMatchObject([{ id, previous_status, new_status: status }]);
			expect(await tick()).toEqual([]);
			previous_status = status;
		}
		store.campaigns.change(other.id, { status: 'scheduled' });
		expect(await tick()).toMatchObject([{ id: other.id, previous_status: 'draft' }]);
	});

	it('refuses campaigns that show no status, and waits for those that have none yet', async () => {
		const given = await active('campaignStatusChanged');
		const { poller, clock } = given;
		for (const shown of [{ name: 'Autumn' }, { status: { code: 1, label: 'draft' } }]) {
			answerWith(given, { id: 'a', ...shown });
			clock.advance(MINUTE);
			expect((await poller.failingTick()).message).toMatch(/do not show their status and id/);
		}
		expect(await tickWith(given, { id: 'a', status: null })).toEqual([]);
		const expected = [{ id: 'a', previous_status: null, new_status: 'draft' }];
		expect(await tickWith(given, { id: 'a', status: 'draft' })).toMatchObject(expected);
		expect(poller.errors).toHaveLength(2);
	});
});

describe('New or Changed Calendar Event', () => {
	const event = { id: 'a', title: 'Dinner', extras: { seats: 2, tags: ['x', 'y'] } };

	it('starts the workflow once for each change of an event', async () => {
		const { store, poller, tick } = await active('eventChanged', { simplify: false });
		const { id } = store.addEvent({ date: '2027-03-01', status: 'pending' });
		expect(await tick()).toMatchObject([{ id, change: 'new' }]);
		for (const changed of [
			{ title: 'Table for six' },
			{ date: '2027-03-02' },
			{ status: 'approved' },
			{ extras: { seats: 6 } },
			{ description: 'By the window' },
			{ description: null },
		] as const) {
			store.events.change(id, changed);
			expect(await tick(5 * MINUTE)).toMatchObject([{ id, change: 'changed', ...changed }]);
			expect(await tick()).toEqual([]);
		}
		store.events.remove(id);
		expect(await tick()).toEqual([]);
		expect(poller.errors).toEqual([]);
	});

	it('ignores the fields that the user names, also custom ones, as an object and as a list', async () => {
		const shapes = [
			(synced_at: number) => ({ synced_at, extras: { seats: synced_at, tags: ['x'] } }),
			(synced_at: number) => ({ synced_at, extras: [{ name: 'seats', value: synced_at }] }),
		];
		for (const shape of shapes) {
			const options = { ignoreFields: 'synced_at, extras.seats' };
			const given = await active('eventChanged', { options });
			expect(await tickWith(given, { ...event, ...shape(1) })).toHaveLength(1);
			expect(await tickWith(given, { ...event, ...shape(2) })).toEqual([]);
			expect(await tickWith(given, { ...event, ...shape(3), title: 'Lunch' })).toHaveLength(1);
		}
	});

	it('names the field that all events show for the first time', async () => {
		const many = Array.from({ length: 12 }, (_, at) => ({ ...event, id: `e${at}` }));
		const wider = many.map((one, at) => ({ ...one, table: `Table ${at}` }));
		const given = await active('eventChanged', { options: { pollLimit: 6 } });
		for (let polls = 0; polls < 2; polls++) await tickWith(given, ...many);
		const items = [...(await tickWith(given, ...wider)), ...(await tickWith(given, ...wider))];
		const said = { change: 'changed', new_fields: 'table' };
		expect(items).toEqual(wider.map(({ id }) => expect.objectContaining({ id, ...said })));
		expect(await tickWith(given, ...wider)).toEqual([]);
		const [one, ...others] = wider;
		const [moved] = await tickWith(given, { ...one, table: 'Terrace' }, ...others);
		expect(moved).toMatchObject({ table: 'Terrace', change: 'changed' });
		expect(moved).not.toHaveProperty('new_fields');
	});

	it('a change of another field is a plain change, also if a new field comes with it', async () => {
		const given = await active('eventChanged');
		await tickWith(given, event);
		const [item] = await tickWith(given, { ...event, title: 'Lunch', table: 4 });
		expect(item).toMatchObject({ change: 'changed', title: 'Lunch' });
		expect(item).not.toHaveProperty('new_fields');
	});

	it('counts an event of several days once', async () => {
		const given = await active('eventChanged');
		const days = ['2027-03-01', '2027-03-02'].map((date) => ({ date, events: [event] }));
		expect(await tickWith(given, ...days)).toMatchObject([{ id: 'a' }]);
		expect(await tickWith(given, ...days.toReversed())).toEqual([]);
	});
});

describe('New Contact', () => {
	it('comes again if it disappears and comes back', async () => {
		const given = await active('newContact');
		const { id } = given.store.addContact();
		expect(await given.tick()).toMatchObject([{ id }]);
		expect(await tickWith(given)).toEqual([]);
		expect(await given.tick()).toMatchObject([{ id }]);
	});

	it('only contacts that match the filter, also later; with another filter it starts again', async () => {
		const parameters = { filters: { filter: 'first_name==Ada' } };
		const { store, poller, tick } = await active('newContact', parameters);
		const [ada, bea] = ['Ada', 'Bea'].map((first_name) => store.addContact({ first_name }));
		expect(await tick()).toMatchObject([{ id: ada!.id }]);
		store.contacts.change(bea!.id, { first_name: 'Ada' });
		expect(await tick()).toMatchObject([{ id: bea!.id }]);
		poller.deactivate();
		poller.parameters = { event: 'newContact' };
		store.addContact();
		await poller.activate();
		expect(await tick()).toEqual([]);
	});
});

describe('Contact Added to List', () => {
	it('finds the contact in a membership, if the list has memberships', async () => {
		const given = await active('contactAddedToList', EVENTS.contactAddedToList!.parameters);
		expect(await tickWith(given, { contact_id: 'a' }, { contact: { id: 'b' } })).toHaveLength(2);
		expect(await tickWith(given, { contact_id: 'a' }, { contact: { id: 'b' } })).toEqual([]);
		given.clock.advance(MINUTE);
		answerWith(given, { name: 'Ada' });
		expect((await given.poller.failingTick()).message).toMatch(/do not show their id/);
	});
});

it('New Order looks at the status that an order has when it is first seen', async () => {
	const { store, tick } = await active('newOrder', { filters: { status: ['pending'] } });
	const [pending, other] = [store.addOrder(), store.addOrder({ status: 'confirmed' })];
	expect(await tick()).toMatchObject([{ id: pending.id }]);
	for (const { id } of [pending, other]) store.orders.change(id, { status: 'pending' });
	expect(await tick()).toEqual([]);
});

describe.each(['newOrder', 'orderStatusChanged'])('the lines of orders: %s', (event) => {
	it('has one item for each line, and Limit per Poll counts orders', async () => {
		const options = { splitIntoLineItems: true, pollLimit: 1 };
		const { store, tick, poller, clock } = await active(event, { options });
		const orders = ['a', 'b'].map((sku) => {
			clock.advance(SECOND);
			return store.addOrder({ status: 'confirmed', line_items: makeLines(sku) });
		});
		const rows = orders.map(({ id }, at) =>
			[1, 2].map((line_number) => ({ id, line_number, line_sku: `${'ab'[at]}${line_number}` })),
		);
		const [first] = await poller.fetchTestEvent();
		expect(first).toMatchObject({ line_number: 1, line_quantity: 1 });
		expect(await tick()).toMatchObject(rows[0]!);
		const items = await tick();
		expect(items).toMatchObject(rows[1]!);
		expect(items[0]).not.toHaveProperty('line_items');
		expect(await tick()).toEqual([]);
	});

	it.each<[options: INodeParameters]>([
		[{ include: ['lineItems'] }],
		[{ include: ['lineItemsText'] }],
		[{ splitIntoLineItems: true }],
	])('take no other field away: %j', async (options) => {
		const fieldsOf = async (given: INodeParameters) => {
			const { store, tick } = await active(event, { options: given });
			const customer = { customer_phone: '+390612345678', notes: null };
			store.addOrder({ ...customer, status: 'confirmed', line_items: makeLines('a') });
			return Object.keys((await tick())[0]!);
		};
		const few = (await fieldsOf({})).filter((field) => field !== 'items');
		expect(few).toContain('customer_phone');
		expect(await fieldsOf(options)).toEqual(expect.arrayContaining(few));
	});

	it('says where to enter the name of the field if no order shows them', async () => {
		const { store, tick } = await active(event, { options: { splitIntoLineItems: true } });
		const { id } = store.addOrder({ status: 'confirmed' });
		store.orders.change(id, { line_items: 'elsewhere' as never });
		expect(await tick()).toMatchObject([
			{ id, line_number: null, trigger_notice: expect.stringContaining("'Order: Line Items'") },
		]);
	});
});

describe('Agent Changed', () => {
	it('shows the changed settings with old and new values, which only the detail has', async () => {
		const { store, tick, requestsOf } = await active('agentChanged');
		const agent = { ...store.agents.all()[0]! };
		store.agents.change(agent.id, { prompt_instructions: 'Be brief.', ai_speed: 1.2 });
		const items = await tick();
		expect(items).toEqual([
			expect.objectContaining({
				id: agent.id,
				change: 'changed',
				changed_fields: 'ai_speed, prompt_instructions',
				previous_values: {
					ai_speed: agent.ai_speed,
					prompt_instructions: agent.prompt_instructions,
				},
				new_values: { ai_speed: 1.2, prompt_instructions: 'Be brief.' },
			}),
		]);
		expect(Object.keys(items[0]!).length).toBeLessThanOrEqual(10);
		expect(await requestsOf(async () => await tick())).toBe(1 + store.agents.size);
	});

	it('a setting that the API does not show any more is empty, and is a change when it is back', async () => {
		const { store, tick } = await active('agentChanged');
		const { id } = store.agents.all()[0]!;
		const greeting = (first_message: string | undefined) =>
			store.agents.change(id, { first_message } as never);
		greeting('Hello');
		await tick();
		greeting(undefined);
		const emptied = await tick();
		expect(emptied).toMatchObject([{ id, changed_fields: 'first_message' }]);
		expect(emptied[0]).toMatchObject({ previous_values: { first_message: 'Hello' } });
		expect(await tick()).toEqual([]);
		greeting('Hi');
		expect(await tick()).toMatchObject([{ id, new_values: { first_message: 'Hi' } }]);
	});

	it('shows a changed tool if Watch Tools is on, but not when it is turned on or off', async () => {
		const { store, tick, poller } = await active('agentChanged');
		const { id } = store.agents.all()[0]!;
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
				previous_values: { tools: { 'transfer-to-phone': { phone_number: '+390600000001' } } },
				new_values: { tools: { 'transfer-to-phone': { phone_number: '+390600000002' } } },
			},
		]);
		expect(await tick()).toEqual([]);
		expect(await publish({})).toEqual([]);
	});

	it('does not start for a field that is no setting, is ignored or is shown for the first time', async () => {
		const parameters = { simplify: false, options: { ignoreFields: 'ai_speed, tone' } };
		const { store, tick } = await active('agentChanged', parameters);
		const { id } = store.agents.all()[0]!;
		const style = { tone: 'warm', pace: 'calm' };
		store.agents.change(id, { conversation_style: style } as object);
		expect(await tick()).toHaveLength(1);
		for (const changes of [
			{ updated_at: '2027-01-01T00:00:00Z' },
			{ ai_speed: 1.3 },
			{ conversation_style: { ...style, tone: 'formal' } } as object,
			{ is_new: 1 },
		]) {
			store.agents.change(id, changes);
			expect(await tick()).toEqual([]);
		}
		store.agents.change(id, { name: 'Ann' });
		expect(await tick()).toMatchObject([{ id, changed_fields: 'name', ai_speed: 1.3 }]);
		store.agents.remove(id);
		expect(await tick()).toEqual([]);
	});
});

describe('New or Changed Item', () => {
	it('starts for all items if all their prices change at once', async () => {
		const { store, tick } = await active('itemChanged');
		const items = Array.from({ length: 12 }, () => store.addItem({ price: 8 }));
		expect((await tick()).map(({ change }) => change)).toEqual(items.map(() => 'new'));
		for (const { id } of items) store.items.change(id, { price: 9 });
		const changed = await tick();
		expect(idsOf(changed)).toEqual(idsOf(items));
		expect(changed).toMatchObject(items.map(() => ({ change: 'changed', price: 9 })));
	});
});

describe('New or Changed Contact', () => {
	it('only contacts that match the filter', async () => {
		const filters = { filter: 'first_name==Ada' };
		const { store, tick } = await active('contactChanged', { filters });
		const [ada, bea] = ['Ada', 'Bea'].map((first_name) => store.addContact({ first_name }));
		expect(await tick()).toMatchObject([{ id: ada!.id, change: 'new' }]);
		for (const { id } of [ada!, bea!]) store.contacts.change(id, { notes: 'Regular' });
		expect(await tick()).toMatchObject([{ id: ada!.id, change: 'changed', notes: 'Regular' }]);
	});
});

describe('New Wallet Transaction', () => {
	it('only of a type', async () => {
		const filters = { transaction_type: 'CONSUME' };
		const { store, tick } = await active('newTransaction', { filters });
		const [, wanted] = (['ADD', 'CONSUME', 'ADD'] as const).map((transaction_type) =>
			store.addTransaction({ transaction_type }),
		);
		expect(idsOf(await tick())).toEqual([wanted!.id]);
	});
});

describe('Order Status Changed', () => {
	const movesIn = (items: IDataObject[]) =>
		items.map(({ id, previous_status, new_status }) => [id, previous_status, new_status]);

	it('starts the workflow for each new status of an order', async () => {
		const given = await stage({ event: 'orderStatusChanged' });
		const { store, poller, tick } = given;
		const [one, other] = [store.addOrder(), store.addOrder()];
		await poller.activate();
		const young = store.addOrder();
		const moves: Array<[string, OrderStatus, string]> = [
			[one.id, 'confirmed', 'pending'],
			[young.id, 'refused', 'pending'],
			[one.id, 'completed', 'confirmed'],
			[other.id, 'cancelled', 'pending'],
			[young.id, 'cancelled', 'refused'],
		];
		for (const [id, status, previous_status] of moves) {
			expect(await tick()).toEqual([]);
			store.setOrderStatus(id, status, 'a reason');
			expect(await tick()).toMatchObject([
				{ id, status, previous_status, new_status: status, status_reason: 'a reason' },
			]);
		}
		await poller.restart();
		expect(await tick()).toEqual([]);
	});

	it('only from and to the chosen statuses, as polls saw them', async () => {
		const filters = { from: ['confirmed'], to: ['cancelled'] };
		const { store, tick } = await active('orderStatusChanged', { filters });
		const [straight, through] = [store.addOrder(), store.addOrder()].map(({ id }) => id);
		await tick();
		store.setOrderStatus(through!, 'confirmed');
		expect(await tick()).toEqual([]);
		for (const id of [straight!, through!]) store.setOrderStatus(id, 'cancelled');
		expect(movesIn(await tick())).toEqual([[through, 'confirmed', 'cancelled']]);
	});

	it('a status in other letters is the same, and an unknown one is shown as it came', async () => {
		const { store, tick, poller } = await active('orderStatusChanged');
		const { id } = store.addOrder({ status: 'PENDING' as OrderStatus });
		for (const status of ['Pending', 'Confirmed', 'CONFIRMED', 'Out for Delivery']) {
			await tick();
			store.setOrderStatus(id, status as OrderStatus);
		}
		await tick();
		expect(movesIn(poller.items)).toEqual([
			[id, 'pending', 'confirmed'],
			[id, 'confirmed', 'Out for Delivery'],
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
		expect(await tick()).toEqual([]);
		await tick(24 * HOUR);
		poller.deactivate();
		poller.parameters = { event: 'orderStatusChanged', options: { orderDays: 14 } };
		expect(await poller.activate()).toEqual([]);
		expect(await tick()).toEqual([]);
		expect(poller.errors).toEqual([]);
	});
});

it.each(VALUE_NAMES)(
	'%s: a value that is low at the activation starts the workflow once',
	async (event) => {
		const { store, tick, poller } = await stage({ event });
		store.setBalance(5);
		setMinutes(store, 5, 0);
		expect(await poller.activate()).toEqual([]);
		expect(await tick()).toHaveLength(1);
		expect(await tick()).toEqual([]);
		poller.deactivate();
		await poller.activate();
		expect(await tick()).toEqual([]);
	},
);

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
