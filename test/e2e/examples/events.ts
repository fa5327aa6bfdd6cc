import { expect, it } from 'vitest';

import { startEmulator, type Emulator } from '../../emulator/index.ts';
import type { Campaign } from '../../emulator/records.ts';
import {
	ago,
	credentialFor,
	DAY,
	live,
	minuteOf,
	says,
	sent,
	setUp,
	type Json,
} from '../shared.ts';
import { locator } from '../workflows.ts';
import { isTested } from './tested.ts';

const NOTED = 'Its status changes.';

/** By example: what happens, and what each node of another service would then send. */
export const EVENTS: Record<string, (store: Emulator['store']) => Record<string, Json[]>> = {
	'order-confirm-or-refuse': (store) => {
		const line = { name: 'Pizza', sku: 'P', quantity: 1, unit_price: 10, total_price: 10 };
		const { id } = store.addOrder({ line_items: [line] });
		const row = expect.objectContaining({ Order: id, Status: 'confirmed' }) as Json;
		return { 'Orders in Google Sheets': [row] };
	},
	'call-summary-to-crm-contact': (store) => {
		const summaryAt = Date.now() + 7000;
		store.addCall({ phone_number: '+393470006666' }, { summaryAt, summary: 'Late.' });
		const body = expect.stringMatching(/^[-0-9]{10}: Late\.$/) as string;
		return { 'Log the call in HubSpot': [expect.objectContaining({ body }) as Json] };
	},
	'bookings-to-google-calendar': (store) => {
		const booked = { title: 'Table for two', date: '2027-03-01', end_time: '22:00' };
		store.addEvent({ ...booked, start_time: '20:00', status: 'approved' });
		store.addEvent({ ...booked, start_time: '20:00', status: 'pending' });
		const late = { title: 'Party', date: '2027-03-01', start_time: '23:00', end_time: '01:00' };
		store.addEvent({ ...late, status: 'Confirmed' as 'confirmed' });
		const at = (time: string) => expect.stringContaining(`2027-03-${time}:00:00`) as string;
		const added = (summary: string, start: string, end: string) => {
			return { start: at(start), end: at(end), summary, description: '' };
		};
		return {
			'Add to Google Calendar': [
				added('Table for two', '01T20', '01T22'),
				added('Party', '01T23', '02T01'),
			],
		};
	},
	'campaign-ended-message': (store) => {
		const [ended, paused] = store.campaigns.all() as [Campaign, Campaign];
		store.campaigns.change(ended.id, { status: 'completed' });
		store.campaigns.change(paused.id, { status: 'paused' });
		return {
			'Tell the team in Slack': [
				says(new RegExp(`^Campaign ${ended.name} is completed\\. .*not_answered: \\d+`)),
			],
		};
	},
	'fallback-provider-alert': (store) => {
		const measured = { ai_provider: 'gamma', ai_provider_fallback_used: true };
		const { id, created_at } = store.addCall(measured);
		store.addCall({ ai_provider: 'base', ai_provider_fallback_used: false });
		const text = `A call at ${minuteOf(created_at)} was served by the fallback provider gamma: ${id}`;
		return { 'Tell the team in Slack': [{ text }] };
	},
	'list-welcome': (store) => {
		const [list] = store.contactLists.all();
		const anna = store.addContact({ first_name: 'Anna', email: 'anna@example.test' });
		const noAddress = store.addContact({ email: null });
		for (const { id } of [anna, noAddress]) store.members.get(list!.id)!.add(id);
		return {
			'Send the welcome': [
				{ sendTo: 'anna@example.test', message: expect.stringMatching(/^Hello Anna,\n/) },
			],
		};
	},
	'new-contacts-to-sheet': (store) => {
		const anna = { first_name: 'Anna', email: null, phone_number: '+393470007777' };
		const { id, last_name } = store.addContact(anna);
		const row = { 'Contact ID': id, 'First name': 'Anna', 'Last name': last_name ?? '' };
		return { 'Row in Google Sheets': [{ ...row, Phone: '+393470007777', 'E-mail': '' }] };
	},
	'order-status-messages': (store) => {
		const { id, order_number } = store.orders.find(({ notes }) => notes === NOTED)!;
		store.setOrderStatus(id, 'confirmed');
		const text = `Order ${order_number}: pending → confirmed`;
		return { 'Tell the team in Slack': [{ text }] };
	},
	'orders-to-shop': (store) => {
		const line = { name: 'Pizza', sku: 'P', quantity: 2, unit_price: 5, total_price: 10 };
		const order = store.addOrder({ notes: null, line_items: [line] });
		const jsonBody = JSON.stringify({
			reference: order.order_number,
			customer: order.customer_name,
			phone: order.customer_phone,
			note: '',
			lines: [{ sku: 'P', name: 'Pizza', quantity: 2, price: 5 }],
		});
		return { 'Send to the shop': [{ jsonBody }] };
	},
	'stock-alert': (store) => {
		store.addItem({ name: 'Tiramisu', quantity: 4 });
		store.addItem({ name: 'Wine', quantity: 5 });
		store.addItem({ name: 'Water', quantity: null });
		return { 'Tell the team in Slack': [{ text: 'Only 4 left of Tiramisu' }] };
	},
	'wallet-transactions-to-sheet': (store) => {
		const added = store.addTransaction({ transaction_type: 'ADD', amount: 50 });
		const { id, created_at, description } = added;
		const row = { 'Transaction ID': id, Created: created_at, Type: 'ADD', Amount: '50' };
		return { 'Row in Google Sheets': [{ ...row, Description: description }] };
	},
	'booking-messages': (store) => {
		const moved = store.events.all()[0]!;
		const table = { title: 'Table for two', date: '2027-03-01', start_time: '20:00' };
		store.addEvent({ ...table, status: 'pending' });
		store.events.change(moved.id, { date: '2027-03-02' });
		const changed = [moved.title, '2027-03-02', moved.start_time, moved.status].join(', ');
		return {
			'Tell the staff in Slack': [
				{ text: 'New: Table for two, 2027-03-01, 20:00, pending' },
				{ text: `Changed: ${changed}` },
			],
		};
	},
	'contacts-hubspot-sync': (store) => {
		const anna = { first_name: 'Anna', email: 'anna@example.test', phone_number: '+393470007777' };
		store.addContact({ ...anna, last_name: null });
		store.addContact({ email: null });
		const changed = store.contacts.find((one) => Boolean(one.email))!;
		store.contacts.change(changed.id, { last_name: 'Neri' });
		const toHubSpot = (
			{ email, first_name, phone_number }: Pick<typeof changed, keyof typeof anna>,
			lastName: string,
		) => ({ email, firstName: first_name, lastName, phoneNumber: phone_number });
		return { 'To HubSpot': [toHubSpot(anna, ''), toHubSpot(changed, 'Neri')] };
	},
	'escalate-transferred-call': (store) => {
		const transfer_time = new Date().toISOString();
		const phone_number = '+393331234567';
		store.addCall({ transfer_time: null });
		store.addCall({ transfer_time, phone_number }, { summary: 'Wants a refund.' });
		const ticketName = `Call transferred at ${minuteOf(transfer_time)}`;
		const said = /^Caller: \+393331234567\nCall: \S+\n\nWants a refund\.$/;
		return {
			'Open a ticket in HubSpot': [{ ticketName, description: says(said).text }],
			'Tell the team in Slack': [says(/\+393331234567\n\nWants a refund\.$/)],
		};
	},
	'low-balance-alert': (store) => {
		store.setBalance(7.5);
		const text = 'The YK Voice balance is 7.5 EUR, below 20. Automatic top-up is on.';
		return { 'Tell the team in Slack': [{ text }] };
	},
	'low-minutes-alert': (store) => {
		const minutes = { minutes_included: 1000, minutes_used: 900, minutes_remaining: 100 };
		const period = { period_start: ago(9 * DAY), period_end: '2027-03-01T00:00:00Z' };
		store.usage = { ...minutes, ...period, extra_minutes_used: 0 };
		const text =
			'YK Voice: 100 of 1000 minutes remain. At this pace they last about 1 day. The billing period ends on 1 March.';
		return { 'Tell the team in Slack': [{ text }], 'Send an e-mail': [{ message: text }] };
	},
	'missed-call-message': (store) => {
		const calls = [
			['Busy', '+393470001111', 'inbound'],
			['Rejected', 'anonymous', 'inbound'],
			['Completed', '+393470002222', 'inbound'],
			['Busy', '+393470003333', 'outbound'],
		] as const;
		for (const [call_status, phone_number, direction] of calls) {
			store.addCall({ call_status, phone_number, direction });
		}
		return {
			'Tell the team in Slack': [
				says(/^Missed call from \+393470001111 at \d\d:\d\d \(Busy, .+\)$/),
				says(/^Missed call from anonymous at \d\d:\d\d \(Rejected, .+\)$/),
			],
			'Text the caller': [{ to: '+393470001111' }],
		};
	},
	'orders-to-sheet': (store) => {
		const line = (name: string, sku: string, quantity: number) => {
			return { name, sku, quantity, unit_price: 5, total_price: 5 * quantity };
		};
		const order = store.addOrder({ line_items: [line('Pizza', 'P', 2), line('Wine', 'W', 1)] });
		const row = (Item: string, SKU: string, Quantity: string, Total: string) => ({
			Order: order.order_number,
			Created: order.created_at,
			Status: order.status,
			Customer: order.customer_name,
			Phone: order.customer_phone,
			...{ Item, SKU, Quantity, Price: '5', Total },
			Currency: order.currency,
			Notes: order.notes ?? '',
		});
		return { 'Rows in Google Sheets': [row('Pizza', 'P', '2', '10'), row('Wine', 'W', '1', '5')] };
	},
};

/** What some of them need: records that are there before, and what the user chooses. */
const CHOSEN: Record<string, (store: Emulator['store']) => Record<string, Json>> = {
	'list-welcome': (store) => ({
		'Contact added to list': { contact_list_id: locator(store.contactLists.all()[0]!.id) },
	}),
	'order-status-messages': (store) => {
		store.addOrder({ status: 'pending', notes: NOTED });
		return {};
	},
	'order-confirm-or-refuse': () => ({ 'House rules': { max_total: 100, out_of_stock: '' } }),
};

/** Examples that start with an event of YK Voice. They wait for their polls at the same time. */
export function events(): void {
	const tested = Object.entries(EVENTS).filter(([name]) => isTested(name));
	it.concurrent.for(tested)('%s says what happened, once', async ([name, happen]) => {
		const account = await startEmulator();
		const { store } = account;
		store.usage = { ...store.usage!, minutes_remaining: store.usage!.minutes_included };
		const workflow = setUp(name, CHOSEN[name]?.(store), await credentialFor(account));
		let expected: Record<string, Json[]> = {};
		const executions = await live(workflow, account, () => {
			expected = happen(store);
		});
		await account.close();
		for (const [node, items] of Object.entries(expected)) {
			const said = executions.flatMap((one) => sent(one, node));
			expect(said, node).toHaveLength(items.length);
			expect(said, node).toEqual(expect.arrayContaining(items));
		}
	});
}
