import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { OrderStatus } from '../emulator/index.ts';
import { ENGINES, type Engine } from '../support/poller.ts';
import {
	EVENTS,
	HOUR,
	MINUTE,
	SECOND,
	setMinutes,
	stage,
	type Stage,
	type StageOptions,
} from '../support/stage.ts';

const CALL_STATUSES = [
	'Busy',
	'Completed',
	'Ended In Queue',
	'Failed',
	'Not Answered',
	'Rejected',
	'Voicemail',
];
const ID = '0b6e8ad2-3f0c-4a53-9f0e-5f3a4a1c1f10';
const ORDER_STATUSES: OrderStatus[] = ['pending', 'confirmed', 'completed', 'cancelled', 'refused'];

const makeLines = (sku: string) =>
	[1, 2].map((at) => ({
		name: `Item ${sku}${at}`,
		sku: `${sku}${at}`,
		quantity: 1,
		unit_price: 5,
		total_price: 5,
	}));

/** An active workflow. */
async function active(event: string, parameters: INodeParameters = {}, more = {}) {
	const given = await stage({ event, parameters, ...more } as StageOptions);
	await given.poller.activate();
	given.clock.advance(SECOND);
	return given;
}

describe('New Call', () => {
	it.each([['Not Answered'], ['Busy', 'Voicemail'], CALL_STATUSES, []])(
		'of status %s %s',
		async (...call_status) => {
			const { store, tick } = await active('newCall', { filters: { call_status } });
			const calls = [...CALL_STATUSES, 'Cancelled'].map((status) =>
				store.addCall({ call_status: status }),
			);
			const wanted = calls.filter(
				(call) => call_status.length === 0 || call_status.includes(call.call_status),
			);
			expect((await tick()).map(({ id }) => id).toSorted()).toEqual(
				wanted.map(({ id }) => id).sort(),
			);
			expect(await tick()).toEqual([]);
		},
	);

	it('of an agent, and of a status besides', async () => {
		const given = await active('newCall');
		const { store, poller, tick, clock } = given;
		const [agent, other] = store.agents.all().map(({ id }) => id);
		const agent_id = { __rl: true, mode: 'list', value: agent! };
		poller.deactivate();
		poller.parameters = { event: 'newCall', filters: { agent_id, call_status: ['Failed'] } };
		await poller.activate();
		clock.advance(SECOND);
		const wanted = store.addCall({ agent_id: agent!, call_status: 'Failed' });
		store.addCall({ agent_id: agent!, call_status: 'Completed' });
		store.addCall({ agent_id: other!, call_status: 'Failed' });
		expect((await tick()).map(({ id }) => id)).toEqual([wanted.id]);
	});

	it.each([
		['call_status', { call_status: ['Busy'] }, /do not show their status/],
		['agent_id', { agent_id: { __rl: true, mode: 'id', value: ID } }, /do not show their agent/],
	])(
		'says so where the calls do not carry the %s it is to filter by',
		async (field, filters, text) => {
			const { store, poller, clock } = await active('newCall', { filters });
			store.addCall({ agent_id: ID, [field]: undefined });
			clock.advance(MINUTE);
			expect((await poller.failingTick()).message).toMatch(text);
		},
	);

	it('of another status goes on: only calls that were judged before are left out', async () => {
		const parameters = { filters: { call_status: ['Busy', 'Voicemail'] } };
		const { store, poller, tick } = await active('newCall', parameters);
		const change = async (...call_status: string[]) => {
			poller.deactivate();
			poller.parameters = { event: 'newCall', filters: { call_status } };
			await poller.activate();
			await tick();
		};
		store.addCall({ call_status: 'Failed' });
		await tick();
		const busy = store.addCall({ call_status: 'Busy' });
		await change('Voicemail', 'Busy');
		const meanwhile = store.addCall({ call_status: 'Failed' });
		await change('Failed');
		const failed = store.addCall({ call_status: 'Failed' });
		await tick();
		expect(poller.ids).toEqual([busy.id, meanwhile.id, failed.id]);
	});

	it.each([
		[[]],
		[['detail']],
		[['summary']],
		[['transcript']],
		[['detail', 'summary', 'transcript']],
		[['transcriptText']],
		[['transcript', 'transcriptText']],
	])('with %j, at one request for each part', async (include) => {
		const { store, tick, requestsOf, clock } = await active('newCall', { options: { include } });
		const transfer_time = clock.iso();
		store.addCall({ transfer_time });
		let item = {};
		const work = async () => ([item = {}] = await tick());
		const parts = new Set(include.map((part) => part.replace('Text', '')));
		expect(await requestsOf(work)).toBe(1 + parts.size);
		const shown = {
			transfer_time: 'detail',
			summary: 'summary',
			transcript: 'transcript',
			transcript_text: 'transcriptText',
		};
		for (const [field, part] of Object.entries(shown))
			expect(field in item, field).toBe(include.includes(part));
		expect(await requestsOf(async () => await tick())).toBe(1);
	});

	it('as a test event: the newest that has ended and matches', async () => {
		const parameters = { filters: { call_status: ['Busy'] }, options: { include: ['summary'] } };
		const { store, poller, clock } = await active('newCall', parameters);
		const { id } = store.addCall({ call_status: 'Busy' });
		clock.advance(SECOND);
		store.addCall({ call_status: 'Busy', created_at: clock.iso(MINUTE) });
		store.addCall({ call_status: 'Completed' });
		store.addCall({ call_status: 'In Progress' });
		expect(await poller.fetchTestEvent()).toMatchObject([{ id, summary: null }]);
	});
});

describe('Call Transferred', () => {
	const transfer_time = '2026-03-02T09:00:30Z';

	it.each(ENGINES)(
		'each call that was handed over, once it has ended, and once (%s)',
		async (engine) => {
			const { store, tick, poller } = await active('callTransferred', {}, { engine });
			const transferred = store.addCall({ call_status: 'Completed', transfer_time });
			store.addCall({ call_status: 'Completed', transfer_time: null });
			const running = store.addCall({ call_status: 'In Progress', transfer_time });
			expect(await tick()).toMatchObject([
				{ id: transferred.id, transfer_time: expect.anything() },
			]);
			await tick(HOUR);
			store.calls.change(running.id, { call_status: 'Completed' });
			await tick();
			await tick();
			expect(poller.ids).toEqual([transferred.id, running.id]);
		},
	);

	it.each([
		[10, 9, true],
		[10, 11, false],
		[0, 0, false],
		[60, 59, true],
	])('of %s minutes, written after %s: %s', async (transferMinutes, after, fires) => {
		const options = { transferMinutes };
		const { store, tick, poller } = await active('callTransferred', { options });
		const { id } = store.addCall({ call_status: 'Completed', transfer_time: null });
		await tick(SECOND);
		await tick(after * MINUTE);
		store.calls.change(id, { transfer_time });
		await tick(SECOND);
		await tick(HOUR);
		expect(poller.ids).toEqual(fires ? [id] : []);
	});

	it('costs a request per ended call, and per poll while it may still be written', async () => {
		const { store, tick, requestsOf } = await active('callTransferred');
		store.addCall({ call_status: 'Completed', transfer_time: null });
		store.addCall({ call_status: 'In Progress', transfer_time });
		store.addCall({ call_status: 'Completed', transfer_time });
		const after = async (time: number) => await requestsOf(async () => await tick(time));
		expect(await after(MINUTE)).toBe(3);
		expect(await after(MINUTE)).toBe(2);
		expect(await after(10 * MINUTE)).toBe(2);
		expect(await after(MINUTE)).toBe(1);
	});
});

describe('Fallback Provider Used', () => {
	it.each(ENGINES)('where it is true, and once (%s)', async (engine) => {
		const { store, tick, poller } = await active('fallbackProviderUsed', {}, { engine });
		const added = [true, false, null].map((ai_provider_fallback_used) =>
			store.addCall({ call_status: 'Completed', ai_provider_fallback_used }),
		);
		const running = store.addCall({ call_status: 'In Progress', ai_provider_fallback_used: true });
		await tick();
		await tick(HOUR);
		expect(poller.ids).toEqual([added[0]!.id]);
		store.calls.change(running.id, { call_status: 'Completed' });
		await tick();
		await tick();
		expect(poller.ids).toEqual([added[0]!.id, running.id]);
	});

	it.each([
		[2, true],
		[4, false],
	])('measured %s hours after its beginning, with a Look Back of 3: %s', async (hours, fires) => {
		const { store, tick, poller, requestsOf } = await active('fallbackProviderUsed');
		const { id } = store.addCall({ ai_provider_fallback_used: null });
		await tick();
		expect(await requestsOf(async () => await tick(hours * HOUR))).toBe(1);
		store.calls.change(id, { ai_provider_fallback_used: true });
		await tick();
		await tick();
		expect(poller.ids).toEqual(fires ? [id] : []);
	});

	it('reads the detail if the list does not show it, and a call that is not measured for 10 minutes', async () => {
		const readings = { callDetail: 'transfer time, providers' } as const;
		const given = await active('fallbackProviderUsed', {}, { readings });
		const { store, tick, poller, requestsOf } = given;
		const [used] = [true, false, null].map((ai_provider_fallback_used) =>
			store.addCall({ call_status: 'Completed', ai_provider_fallback_used }),
		);
		expect(await requestsOf(async () => await tick())).toBe(4);
		expect(poller.ids).toEqual([used!.id]);
		await tick(10 * MINUTE);
		expect(await requestsOf(async () => await tick())).toBe(1);
		expect(poller.errors).toEqual([]);
	});

	it('reads the parts of no other call', async () => {
		const parameters = { options: { include: ['summary'] } };
		const { store, tick, requestsOf } = await active('fallbackProviderUsed', parameters);
		for (const ai_provider_fallback_used of [true, false, null])
			store.addCall({ call_status: 'Completed', ai_provider_fallback_used });
		expect(await requestsOf(async () => await tick())).toBe(2);
	});

	it('refuses calls that do not carry the field', async () => {
		const { store, clock, poller } = await active('fallbackProviderUsed');
		store.addCall({ ai_provider_fallback_used: undefined });
		clock.advance(MINUTE);
		const { message } = await poller.failingTick();
		expect(message).toMatch(/do not show their ai_provider_fallback_used/);
	});
});

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
	it.each(ENGINES)('each status, also one that was there before (%s)', async (engine) => {
		const given = await stage({ event: 'campaignStatusChanged', engine });
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
		answerWith(given, { id: 'a', name: 'Autumn' });
		clock.advance(MINUTE);
		expect((await poller.failingTick()).message).toMatch(/do not show their status and id/);
		expect(await tickWith(given, { id: 'a', status: null })).toEqual([]);
		const expected = [{ id: 'a', previous_status: null, new_status: 'draft' }];
		expect(await tickWith(given, { id: 'a', status: 'draft' })).toMatchObject(expected);
		expect(poller.errors).toHaveLength(1);
	});
});

describe('New or Changed Calendar Event', () => {
	const event = { id: 'a', title: 'Dinner', extras: { seats: 2, tags: ['x', 'y'] } };

	it.each(ENGINES)('each change of an event, once (%s)', async (engine) => {
		const { store, poller, tick } = await active('eventChanged', {}, { engine });
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

	it('the fields that the user names are none', async () => {
		const given = await active('eventChanged', { options: { ignoreFields: 'synced_at, seats' } });
		expect(await tickWith(given, event)).toHaveLength(1);
		const synced = { ...event, synced_at: '2027-01-01', extras: { tags: ['x', 'y'], seats: 3 } };
		expect(await tickWith(given, synced)).toEqual([]);
		expect(await tickWith(given, { ...synced, title: 'Lunch' })).toHaveLength(1);
	});

	const many = Array.from({ length: 10 }, (_, at) => ({ ...event, id: `e${at}` }));
	const wider = many.map((one) => ({ ...one, is_recurring: false }));

	it.each(ENGINES)(
		'all events gain a field: none has changed, the next real change comes and tells of it (%s)',
		async (engine) => {
			const given = await active('eventChanged', {}, { engine });
			expect(await tickWith(given, ...many)).toHaveLength(10);
			expect(await tickWith(given, ...wider)).toEqual([]);
			// Only durable cursors keep what a poll without items learned.
			if (engine === 'durable') await given.poller.restart();
			expect(await tickWith(given, ...wider)).toEqual([]);
			const [one, ...others] = wider;
			const changed = await tickWith(given, { ...one, title: 'Lunch' }, ...others);
			expect(changed).toMatchObject([
				{
					title: 'Lunch',
					trigger_notice: expect.stringMatching(/All records changed at the same/),
				},
			]);
			expect(given.poller.errors).toEqual([]);
		},
	);

	it('an event of several days is one', async () => {
		const given = await active('eventChanged');
		const days = ['2027-03-01', '2027-03-02'].map((date) => ({ date, events: [event] }));
		expect(await tickWith(given, ...days)).toMatchObject([{ id: 'a' }]);
		expect(await tickWith(given, ...days.toReversed())).toEqual([]);
	});
});

describe.each(['newContact', 'contactAddedToList'])('%s', (event) => {
	const { parameters, happen } = EVENTS[event]!;

	it('one that was gone for a day is new again', async () => {
		const given = await active(event, parameters);
		const { tick } = given;
		const { id } = await happen(given);
		await tick();
		expect(await tickWith(given)).toEqual([]);
		answerWith(given);
		expect(await tick(23 * HOUR)).toEqual([]);
		expect(await tick()).toEqual([]);
		expect(await tickWith(given)).toEqual([]);
		answerWith(given);
		expect(await tick(24 * HOUR)).toEqual([]);
		expect(await tick()).toMatchObject([{ id }]);
	});
});

describe('New Contact', () => {
	it('only those that match a filter, also later; another filter starts anew', async () => {
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

	it('refuses more than 5,000 and names the option, with which it follows them by date', async () => {
		const { store, poller, clock, tick, requestsOf } = await active('newContact');
		for (let count = 0; count <= 5000; count++)
			store.addContact({ created_at: clock.iso(HOUR * 24) });
		clock.advance(MINUTE);
		expect((await poller.failingTick()).message).toMatch(/more than 5000 records.*'Date Field'/);
		poller.deactivate();
		const filters = { filter: 'first_name==Ada' };
		poller.parameters = { event: 'newContact', filters, options: { dateField: 'created_at' } };
		await poller.activate();
		expect(await tick()).toEqual([]);
		store.addContact({ first_name: 'Bea' });
		const { id } = store.addContact({ first_name: 'Ada' });
		let items: IDataObject[] = [];
		expect(await requestsOf(async () => (items = await tick()))).toBe(1);
		expect(items).toMatchObject([{ id }]);
		expect(await tick()).toEqual([]);
	});

	it.each([
		[
			{ filters: { filter: 'a==1|b==2' }, options: { dateField: 'created_at' } },
			/must not contain \|/,
		],
	])('refuses %j', async (parameters, text) => {
		const { poller } = await stage({ event: 'newContact', parameters });
		await expect(poller.activate()).rejects.toThrow(text);
	});
});

it('New Contact names Date Field where the API cannot compare dates', async () => {
	const parameters = { options: { dateField: 'created_at' } };
	const readings = { filterDates: 'refused' } as const;
	const { poller } = await stage({ event: 'newContact', parameters, readings });
	await expect(poller.activate()).rejects.toMatchObject({
		description: expect.stringMatching(/'Date Field'/),
	});
});

describe('Contact Added to List', () => {
	it('names a contact by its membership, where the list holds these', async () => {
		const given = await active('contactAddedToList', EVENTS.contactAddedToList!.parameters);
		expect(await tickWith(given, { contact_id: 'a' }, { contact: { id: 'b' } })).toHaveLength(2);
		expect(await tickWith(given, { contact_id: 'a' }, { contact: { id: 'b' } })).toEqual([]);
		given.clock.advance(MINUTE);
		answerWith(given, { name: 'Ada' });
		expect((await given.poller.failingTick()).message).toMatch(/do not show their id/);
	});
});

describe('New Order', () => {
	it.each<[OrderStatus[]]>([[['pending', 'refused']], [[]]])(
		'of status %j when it is first seen',
		async (status) => {
			const { store, tick } = await active('newOrder', { filters: { status } });
			const orders = ORDER_STATUSES.map((each) => store.addOrder({ status: each }));
			const wanted = orders.filter((order) => status.length === 0 || status.includes(order.status));
			expect((await tick()).map(({ id }) => id).toSorted()).toEqual(
				wanted.map(({ id }) => id).sort(),
			);
			for (const order of orders) store.setOrderStatus(order.id, 'cancelled');
			expect(await tick()).toEqual([]);
		},
	);

	it('waits for its lines if they cannot be read, and lets others go', async () => {
		const { store, tick, emulator } = await active('newOrder', {
			options: { include: ['lineItems'] },
		});
		const [held, other] = [store.addOrder(), store.addOrder()];
		const match = ({ path }: { path: string }) => path.endsWith(held.id);
		emulator.faults.add({ kind: 'status', status: 403, match });
		expect((await tick()).map(({ id }) => id)).toEqual([other.id]);
		expect(await tick()).toMatchObject([{ id: held.id, line_items: held.line_items }]);
	});
});

describe.each(['newOrder', 'orderStatusChanged'])('the lines of orders: %s', (event) => {
	it('one item per line; Limit per Poll counts orders', async () => {
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

	it('says which setting names the field if no order shows them', async () => {
		const { store, tick } = await active(event, { options: { splitIntoLineItems: true } });
		const { id } = store.addOrder({ status: 'confirmed' });
		store.orders.change(id, { line_items: 'elsewhere' as never });
		expect(await tick()).toMatchObject([
			{ id, line_number: null, trigger_notice: expect.stringContaining("'Line Items Field'") },
		]);
	});
});

describe('Agent Changed', () => {
	it('tells the settings that changed, with old and new values, which only the detail shows', async () => {
		const { store, tick, requestsOf } = await active('agentChanged');
		const agent = { ...store.agents.all()[0]! };
		store.agents.change(agent.id, { prompt_instructions: 'Be brief.', ai_speed: 1.2 });
		const items = await tick();
		expect(items).toEqual([
			expect.objectContaining({
				id: agent.id,
				change: 'changed',
				changed_fields: ['ai_speed', 'prompt_instructions'],
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

	it('does not start for what is no setting, is ignored, or that the API shows for the first time', async () => {
		const parameters = { simplify: false, options: { ignoreFields: 'ai_speed' } };
		const { store, tick } = await active('agentChanged', parameters);
		const { id } = store.agents.all()[0]!;
		for (const changes of [
			{ updated_at: '2027-01-01T00:00:00Z' },
			{ ai_speed: 1.3 },
			{ is_new: 1 },
		]) {
			store.agents.change(id, changes);
			expect(await tick()).toEqual([]);
		}
		store.agents.change(id, { name: 'Ann' });
		expect(await tick()).toMatchObject([{ id, changed_fields: ['name'], ai_speed: 1.3 }]);
		store.agents.remove(id);
		expect(await tick()).toEqual([]);
	});
});

describe('New or Changed Item', () => {
	it('tells a new price of all items at once', async () => {
		const { store, tick } = await active('itemChanged');
		const items = Array.from({ length: 12 }, () => store.addItem({ price: 8 }));
		expect((await tick()).map(({ change }) => change)).toEqual(items.map(() => 'new'));
		for (const { id } of items) store.items.change(id, { price: 9 });
		const changed = await tick();
		expect(changed.map(({ id }) => id).toSorted()).toEqual(items.map(({ id }) => id).toSorted());
		expect(new Set(changed.map(({ change, price }) => `${change} ${price}`))).toEqual(
			new Set(['changed 9']),
		);
	});
});

describe('New or Changed Contact', () => {
	it('only those that match the filter', async () => {
		const filters = { filter: 'first_name==Ada' };
		const { store, tick } = await active('contactChanged', { filters });
		const [ada, bea] = ['Ada', 'Bea'].map((first_name) => store.addContact({ first_name }));
		expect(await tick()).toMatchObject([{ id: ada!.id, change: 'new' }]);
		for (const { id } of [ada!, bea!]) store.contacts.change(id, { notes: 'Regular' });
		expect(await tick()).toMatchObject([{ id: ada!.id, change: 'changed', notes: 'Regular' }]);
	});
});

describe('New Wallet Transaction', () => {
	it.each([undefined, 'CONSUME'] as const)('of type %s', async (transaction_type) => {
		const filters = transaction_type ? { transaction_type } : {};
		const { store, tick, poller } = await active('newTransaction', { filters });
		const kinds = ['ADD', 'CONSUME', 'ADD'] as const;
		const made = kinds.map((kind) => store.addTransaction({ transaction_type: kind }));
		const wanted = made.filter((each) =>
			[undefined, each.transaction_type].includes(transaction_type),
		);
		await tick();
		expect(poller.ids.toSorted()).toEqual(wanted.map(({ id }) => id).sort());
	});
});

describe('Order Status Changed', () => {
	const movesIn = (items: IDataObject[]) =>
		items.map(({ id, previous_status, new_status }) => [id, previous_status, new_status]);

	describe.each(ENGINES)('under the %s engine', (engine) => {
		it('emits each move of an order', async () => {
			const given = await stage({ event: 'orderStatusChanged', engine });
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

		it('from and to the chosen ones, and never by a way that no poll saw', async () => {
			const filters = { from: ['confirmed'], to: ['cancelled'] };
			const { store, tick } = await active('orderStatusChanged', { filters }, { engine });
			const [straight, through] = [store.addOrder(), store.addOrder()].map(({ id }) => id);
			await tick();
			store.setOrderStatus(through!, 'confirmed');
			expect(await tick()).toEqual([]);
			for (const id of [straight!, through!]) store.setOrderStatus(id, 'cancelled');
			expect(movesIn(await tick())).toEqual([[through, 'confirmed', 'cancelled']]);
		});
	});

	it('a move that no poll saw is not invented', async () => {
		const { store, tick } = await active('orderStatusChanged');
		const { id } = store.addOrder();
		await tick();
		store.setOrderStatus(id, 'confirmed');
		store.setOrderStatus(id, 'completed');
		expect(movesIn(await tick())).toEqual([[id, 'pending', 'completed']]);
		const born = store.addOrder({ status: 'confirmed' }).id;
		expect(movesIn(await tick())).toEqual([[born, null, 'confirmed']]);
	});

	describe('more moves than the limit', () => {
		/** 15 orders of which each has moved once, and a poll that has emitted 10 of the moves. */
		async function delayed(engine?: Engine) {
			const options = { pollLimit: 10 };
			const given = await active('orderStatusChanged', { options }, { engine });
			const orders = Array.from({ length: 15 }, () => given.store.addOrder().id);
			await given.tick();
			for (const id of orders) given.store.setOrderStatus(id, 'confirmed');
			expect(await given.tick()).toHaveLength(10);
			const emitted = new Set(given.poller.ids);
			return { ...given, left: orders.filter((id) => !emitted.has(id)) };
		}

		it.each(ENGINES)('come, though their orders moved on (%s)', async (engine) => {
			const { store, poller, tick, left } = await delayed(engine);
			for (const id of left) store.setOrderStatus(id, 'completed');
			await poller.restart();
			await tick();
			await tick();
			expect(movesIn(poller.items.slice(10)).toSorted()).toEqual(
				left
					.flatMap((id) => [
						[id, 'pending', 'confirmed'],
						[id, 'confirmed', 'completed'],
					])
					.toSorted(),
			);
		});

		it('come without the rest of an order that is gone', async () => {
			const { store, tick, left } = await delayed();
			store.removeOrder(left[0]!);
			expect(await tick()).toContainEqual({
				id: left[0],
				previous_status: 'pending',
				new_status: 'confirmed',
				incomplete: true,
			});
		});

		it('are left out if a new filter does not want them', async () => {
			const { store, poller, tick, left } = await delayed();
			poller.parameters = { ...poller.parameters, filters: { to: ['completed'] } };
			store.setOrderStatus(left[0]!, 'completed');
			await poller.restart();
			await tick();
			await tick();
			expect(movesIn(poller.items.slice(10))).toEqual([[left[0], 'confirmed', 'completed']]);
		});
	});

	it('a status in other letters is the same, and one that nobody knows is emitted as it came', async () => {
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

	it('watches an order for as many days as it is told, and starts again if these change', async () => {
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
		await poller.activate();
		expect(await tick()).toEqual([]);
		expect(poller.errors).toEqual([]);
	});
});

describe('Low Minutes', () => {
	it.each<[string, (month: number, now: string) => object, number]>([
		['as dates', (month) => ({ period_end: `2026-0${month}-01T00:00:00Z` }), 2],
		['as days', (month) => ({ cycle_start: `2026-0${month}-01` }), 2],
		['as a month', (month) => ({ billing_period: `2026-0${month}` }), 2],
		['as epoch numbers', (month) => ({ period_start: 1_767_225_600 + month * 2_678_400 }), 2],
		['nested', (month) => ({ billing_period: { end: `2026-0${month}-01` } }), 2],
		['in a form that nobody knows', (month) => ({ billing_period: `month ${month}` }), 1],
		['not at all', () => ({}), 1],
		['at first only', (month) => (month === 1 ? { period_end: '2026-01-01' } : {}), 1],
		['as one that always ends now', (_month, now) => ({ period_end: now }), 1],
		[
			'beside dates that move',
			(month, now) => ({ period_end: `2026-0${month}-01`, updated_at: now, last_call_end: now }),
			2,
		],
	])('of a usage that shows its period %s: once per period', async (_form, period, times) => {
		const { store, clock, poller, tick } = await active('lowMinutes');
		for (const month of [1, 1, 1, 2, 2]) {
			store.usage = { minutes_remaining: 20, ...period(month, clock.iso()) } as never;
			await tick();
		}
		expect(poller.executions).toHaveLength(times);
	});

	it('tells that the account has no active plan, and which scope a token needs', async () => {
		const { poller, clock, emulator } = await active('lowMinutes');
		emulator.faults.add({ kind: 'status', status: 404 });
		clock.advance(MINUTE);
		expect((await poller.failingTick()).description).toMatch(/no active plan/);
	});

	it('fires below a share of what is included', async () => {
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
