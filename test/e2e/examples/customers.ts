import { expect, it } from 'vitest';

import { dataTable, emulator, n8n, type Json } from '../shared.ts';
import { list, moved, NASTY, newEvents } from './account.ts';
import { ago, DAY, expectSent, page, says, sent, text, written, type Examples } from './example.ts';

const line = (sku: string, name: string, unit_price: number, quantity = 1) => {
	return { sku, name, quantity, unit_price, total_price: unit_price * quantity };
};

const NOTED = 'Its status changes.';

/** Contacts as HubSpot has them. */
const inHubSpot = (...rows: Array<[phone: string | null, firstname: string, more?: Json]>) =>
	rows.map(([phone, firstname, more]) => ({
		id: phone,
		properties: { phone, firstname, lastname: null, email: null, ...more },
	}));

/** Examples about orders, bookings, items and contacts. */
export const aboutCustomers: Examples = {
	'order-confirm-or-refuse': {
		starts: {
			'New order': (store) => [
				...store.orders.all().filter((one) => one.status === 'pending'),
				{ id: 'gone', status: 'pending' },
			],
			'One order': (store) =>
				store.orders
					.all()
					.filter((one) => one.status === 'pending')
					.slice(0, 1),
		},
		chosen: () => ({ 'House rules': { max_total: 100, out_of_stock: 'x-1, TIRAMISU' } }),
		answers: () => ({ 'Ask in Slack': { data: { approved: false } } }),
		tells: { 'New order': /^1 failed\. gone: / },
		does: 'notes an order that it confirmed',
		sends(store) {
			const { id } = store.addOrder({ line_items: [line('P', 'Pizza', 10)] });
			const row = expect.objectContaining({ Order: id, Status: 'confirmed' }) as Json;
			return { 'Orders in Google Sheets': [row] };
		},
		tests(run) {
			it.each([
				['confirms', true, 'confirmed'],
				['refuses', false, 'refused'],
			])('decides by rules, and %s each other order as a person says', async (_what, ...given) => {
				const [approved, bySlack] = given;
				const { store } = emulator;
				const add = (...line_items: Array<ReturnType<typeof line>>) =>
					store.addOrder({ line_items });
				const pizza = (price = 10) => line('PIZZA', 'Pizza', price);
				const fine = add(pizza(100));
				const missing = add(pizza(), line('Tiramisu', 'Tiramisù', 6));
				const large = add(pizza(100.01));
				const notes = 'Ring <twice>';
				const foreign = store.addOrder({ currency: 'CHF', notes, line_items: [pizza()] });
				const noSku = add(line('', 'Delivery', 3));
				const decided = add(pizza());
				store.setOrderStatus(decided.id, 'cancelled');
				const byPhone = add(pizza());
				emulator.before(({ method, path }) => {
					if (method === 'PATCH' && path === `/orders/${byPhone.id}`)
						store.setOrderStatus(byPhone.id, 'refused', 'By phone');
				});
				const now = ({ id }: { id: string }) => store.orders.get(id)!;
				const orders = [byPhone, fine, missing, large, foreign, noSku, decided];
				const line_items_text = '1 × Pizza';
				const brings = orders.map(({ id }) => ({ id, status: 'pending', line_items_text }));
				const answers = { 'Ask in Slack': { data: { approved } } };
				const fails = /^1 failed\. \S+: .*400/;

				const execution = await run('New order', { brings, answers, fails });
				const questions = await n8n.subExecutions(execution);

				expect(now(fine)).toMatchObject({ status: 'confirmed' });
				const status_reason = 'Sorry, we are out of Tiramisù.';
				expect(now(missing)).toMatchObject({ status: 'refused', status_reason });
				for (const order of [large, foreign, noSku]) expect(now(order).status).toBe(bySlack);
				expect(now(byPhone).status_reason).toBe('By phone');
				expect(new Set(written().map(({ path }) => path)).size).toBe(6);
				const asks = (order: typeof large, amount: string, noted = '(\nNotes: .*)?') => ({
					message: text(
						`Order ${order.order_number}, .*, ${amount}\n1 × Pizza${noted}\nConfirm it\?`,
					),
				});
				expect(questions.map((one) => sent(one, 'Ask in Slack'))).toEqual([
					[asks(large, '100.01 EUR')],
					[asks(foreign, '10 CHF', '\nNotes: Ring &amp;lt;twice>')],
					[asks(noSku, '3 EUR')],
				]);
				const rows = sent(execution, 'Orders in Google Sheets');
				expect(rows).toHaveLength(2);
				expect(rows).toContainEqual({
					Order: missing.id,
					Status: 'refused',
					Reason: status_reason,
					Amount: '16',
					Customer: missing.customer_name,
				});

				const early = add(pizza());
				const unanswered = await run('New order', {
					brings: [{ id: early.id, status: 'pending' }],
					chosen: { 'House rules': {} },
					answers: { 'Ask in Slack': {} },
				});
				expect(await n8n.subExecutions(unanswered)).toMatchObject([{ status: 'success' }]);
				expect(now(early).status).toBe('pending');
			});
		},
	},

	'order-status-messages': {
		starts: { 'Order status changed': (store) => moved(store.orders.all(), 'pending') },
		chosen(store) {
			store.addOrder({ status: 'pending', notes: NOTED });
			return {};
		},
		does: 'tells of the new status',
		sends(store) {
			const { id, order_number } = store.orders.find(({ notes }) => notes === NOTED)!;
			store.setOrderStatus(id, 'confirmed');
			const said = `Order ${order_number}: pending → confirmed`;
			return { 'Tell the team in Slack': [{ text: said }] };
		},
	},

	'orders-to-sheet': {
		starts: {
			'New order': (store) =>
				store.orders.all().flatMap(({ line_items, ...order }) =>
					line_items.map(({ name, quantity }) => ({
						...order,
						line_name: name,
						line_quantity: quantity,
					})),
				),
		},
		does: 'a row for each line of an order',
		sends(store) {
			const order = store.addOrder({
				line_items: [line('P', 'Pizza', 5, 2), line('W', 'Wine', 5)],
			});
			const row = (Item: string, SKU: string, Quantity: string, Total: string) => ({
				Order: order.order_number,
				Created: order.created_at,
				Status: order.status,
				Customer: order.customer_name,
				Phone: order.customer_phone,
				Item,
				SKU,
				Quantity,
				Price: '5',
				Total,
				Currency: order.currency,
				Notes: order.notes ?? '',
			});
			const rows = [row('Pizza', 'P', '2', '10'), row('Wine', 'W', '1', '5')];
			return { 'Rows in Google Sheets': rows };
		},
	},

	'orders-to-shop': {
		starts: { 'New order': (store) => store.orders.all() },
		tells: { 'New order': /^1 failed\. Order \S+ shows no lines\.$/ },
		does: 'an order with its lines, as the shop wants them',
		sends(store) {
			const order = store.addOrder({ notes: null, line_items: [line('P', 'Pizza', 5, 2)] });
			const jsonBody = JSON.stringify({
				reference: order.order_number,
				customer: order.customer_name,
				phone: order.customer_phone,
				note: '',
				lines: [{ sku: 'P', name: 'Pizza', quantity: 2, price: 5 }],
			});
			return { 'Send to the shop': [{ jsonBody }] };
		},
	},

	'weekly-orders-digest': {
		starts: { 'Every Monday': undefined },
		does: 'adds up the orders of the week by status, and never two currencies',
		sends(store) {
			store.orders.clear();
			store.addOrder({ total_amount: 10.5, created_at: ago(DAY) });
			store.addOrder({ total_amount: 4, created_at: ago(6 * DAY) });
			store.addOrder({ total_amount: 5, currency: 'CHF', created_at: ago(DAY) });
			store.addOrder({ total_amount: 99, created_at: ago(9 * DAY) });
			store.addOrder({ total_amount: 7, created_at: ago(2 * DAY), status: 'refused' });
			const statuses = /Pending 3 \(75\.0%\) Refused 1 \(25\.0%\)/;
			const message = page(statuses, /CHF 1 CHF\s?0\.00/, /EUR 3 €0\.00/);
			const mail = { subject: text(/^Orders: /), message };
			return { 'Send the digest': [expect.objectContaining(mail)] };
		},
	},

	'stock-alert': {
		starts: { 'Item changed': (store) => store.items.all() },
		does: 'tells of what few are left of',
		sends(store) {
			store.addItem({ name: 'Tiramisu', quantity: 4 });
			store.addItem({ name: 'Wine', quantity: 5 });
			store.addItem({ name: 'Water', quantity: null });
			return { 'Tell the team in Slack': [{ text: 'Only 4 left of Tiramisu' }] };
		},
	},

	'menu-from-table': {
		starts: { 'Every night': undefined },
		answers: () => ({
			Menu: [
				{ sku: 'A-1', name: NASTY.formula, price: 3.5, quantity: 1, category: 'x' },
				{ sku: '', name: 'No SKU', price: 3.5, quantity: 1, category: 'x' },
				{ sku: 'A-2', name: 'Pasta', price: -1, quantity: null, category: null },
				{ sku: 'A-3', name: 'Pizza', price: 7, quantity: 0, category: '' },
			],
		}),
		tells: { 'Every night': /^2 failed\. No SKU: .*SKU/ },
		does: 'writes each row, tells of those with an error, and empties nothing',
		async test(run) {
			const { store } = emulator;
			const { id, ...old } = store.addItem({ sku: 'OLD', quantity: 3 });
			const row = { name: '', price: '', quantity: '', category: '' };
			const { chosen } = await dataTable([
				{ sku: 'OLD', ...row, price: '9.5' },
				{ sku: 'NEW', ...row, name: 'Polenta', price: '7', quantity: '20' },
				{ sku: '', ...row, name: 'Nothing' },
			]);
			const count = store.items.all().length;
			const fails = /^1 failed\. Nothing: .*SKU/;
			const execution = await run('Every night', { chosen: { Menu: chosen }, fails });
			expect(store.items.get(id)).toMatchObject({ ...old, price: 9.5 });
			const added = store.items.find(({ sku }) => sku === 'NEW');
			expect(added).toMatchObject({ name: 'Polenta', price: 7, quantity: 20 });
			expect(store.items.all()).toHaveLength(count + 1);
			const said = says(/^Not written: Nothing: .*SKU/);
			expectSent(execution, { 'Tell the team in Slack': [said] });
		},
	},

	'approve-bookings': {
		starts: { 'New event': newEvents, 'One event': (store) => newEvents(store).slice(0, 1) },
		answers: () => ({
			'Ask by e-mail': { data: { approved: true } },
			'Ask in Slack': { data: { approved: true } },
		}),
		tests(run) {
			it.each([
				['approves', { data: { approved: true } }, 'approved'],
				['rejects', { data: { approved: false } }, 'rejected'],
				['leaves without an answer', {}, 'pending'],
			])('%s an event as the person says', async (_what, answer, status) => {
				const { store } = emulator;
				const added = (['pending', 'pending', 'confirmed'] as const).map((before) => ({
					...store.addEvent({ title: 'Table for two', status: before }),
					change: 'new',
				}));
				const answers = { 'Ask in Slack': answer };
				const execution = await run('New event', { brings: added, answers });
				const questions = await n8n.subExecutions(execution);
				const now = added.map(({ id }) => store.events.get(id)?.status);
				expect(now).toEqual([status, status, 'confirmed']);
				const message = text(/^A new booking: Table for two, .+ Approve it\?$/);
				expect(questions).toHaveLength(2);
				for (const one of questions) expectSent(one, { 'Ask in Slack': [{ message }] });
			});
		},
	},

	'booking-messages': {
		starts: { 'Event booked or changed': newEvents },
		does: 'tells of new and of changed bookings',
		sends(store) {
			const { id, title, start_time, status } = store.events.all()[0]!;
			const table = { title: 'Table for two', date: '2027-03-01', start_time: '20:00' };
			store.addEvent({ ...table, status: 'pending' });
			store.events.change(id, { date: '2027-03-02' });
			const changed = [title, '2027-03-02', start_time, status].join(', ');
			return {
				'Tell the staff in Slack': [
					{ text: 'New: Table for two, 2027-03-01, 20:00, pending' },
					{ text: `Changed: ${changed}` },
				],
			};
		},
	},

	'booking-reminders': {
		starts: { 'Every morning': undefined, 'Every month': undefined },
		does: 'an SMS to who comes tomorrow, and the list for the staff',
		sends(store) {
			store.events.clear();
			const [phone_number, first_name] = ['+393470001111', 'Anna'];
			const { id: contact_id } = store.addContact({ phone_number, first_name });
			const date = ago(-DAY).slice(0, 10);
			const usual = { date, start_time: '20:00', status: 'confirmed' as const, contact_id };
			store.addEvent({ ...usual, title: 'Table for two' });
			const moment = `${date}T12:30:00Z`;
			store.addEvent({ ...usual, title: 'Birthday', contact_id: null, start_time: moment });
			store.addEvent({ ...usual, title: 'Not decided', status: 'pending' });
			store.addEvent({ ...usual, title: 'Lunch', date: ago(0).slice(0, 10) });
			const message =
				'Hello Anna, we look forward to seeing you tomorrow at 20:00: Table for two. If you cannot come, please call us.';
			const bookings = 'Tomorrow, 2 bookings:\n- 12:30 Birthday\n- 20:00 Table for two';
			return {
				'Send the SMS': [{ to: phone_number, message }],
				'Say who gets none': [says(/^No reminder for \S+ Birthday: /)],
				'Tell the staff in Slack': [{ text: bookings }],
			};
		},
	},

	'bookings-to-google-calendar': {
		starts: { 'Event status changed': (store) => moved(store.events.all(), 'pending') },
		does: 'adds what is sure, also past midnight',
		sends(store) {
			const booked = { title: 'Table for two', date: '2027-03-01', end_time: '22:00' };
			store.addEvent({ ...booked, start_time: '20:00', status: 'approved' });
			store.addEvent({ ...booked, start_time: '20:00', status: 'pending' });
			const late = { title: 'Party', date: '2027-03-01', start_time: '23:00', end_time: '01:00' };
			store.addEvent({ ...late, status: 'Confirmed' as 'confirmed' });
			const added = (summary: string, from: string, to: string) => {
				const [start, end] = [text(`2027-03-${from}:00:00`), text(`2027-03-${to}:00:00`)];
				return { start, end, summary, description: '' };
			};
			const events = [added('Table for two', '01T20', '01T22'), added('Party', '01T23', '02T01')];
			return { 'Add to Google Calendar': events };
		},
	},

	'contacts-hubspot-sync': {
		starts: {
			'Contact of YK Voice': (store) => store.contacts.all(),
			'Every 15 minutes': undefined,
		},
		answers: () => ({
			// Two with one number, one without, one that YK Voice refuses.
			'Changed last in HubSpot': inHubSpot(
				['+39 333 200 0001', 'Ann', { email: 'ann@example.com' }],
				['+393332000001', 'Anna', { email: 'anna@example.com' }],
				[null, 'No number', { email: 'none@example.com' }],
				['+393332000007', NASTY.formula, { email: 'not an address' }],
				['+393332000008', 'New', { email: 'new@example.com' }],
			),
		}),
		tells: { 'Every 15 minutes': /^1 failed\. .+ \(4/ },
		does: 'takes over what is new or changed in YK Voice',
		sends(store) {
			const anna = {
				first_name: 'Anna',
				email: 'anna@example.test',
				phone_number: '+393470007777',
			};
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
		tests(run) {
			it('takes over what is new or differs in HubSpot, and nothing else', async () => {
				const { contacts } = emulator.store;
				const [same, other] = ['+393470001111', '+393470002222'].map((phone_number) => ({
					...emulator.store.addContact({ phone_number, first_name: 'Anna', last_name: 'Rossi' }),
				}));
				const found = inHubSpot(
					['+39 347 000-1111', 'Anna'],
					['0039 (347) 0002222', 'Bea'],
					['+393470003333', 'Carla', { lastname: 'Bianchi' }],
					['', 'Dora'],
				);
				await run('Every 15 minutes', { answers: { 'Changed last in HubSpot': found } });
				expect(contacts.get(same!.id)).toEqual(same);
				const { updated_at: _, ...kept } = other!;
				expect(contacts.get(other!.id)).toMatchObject({ ...kept, first_name: 'Bea' });
				const added = contacts.find((one) => one.phone_number === '+393470003333');
				expect(added).toMatchObject({ first_name: 'Carla', last_name: 'Bianchi' });
				expect(new Set(written().map(({ path }) => path)).size).toBe(2);
			});
		},
	},

	'list-welcome': {
		starts: { 'Contact added to list': (store) => store.contacts.all() },
		chosen: (store) => ({ 'Contact added to list': list(store) }),
		does: 'greets who has an address',
		sends(store) {
			const { id } = store.contactLists.all().at(-1)!;
			const anna = store.addContact({ first_name: 'Anna', email: 'anna@example.test' });
			const noAddress = store.addContact({ email: null });
			for (const contact of [anna, noAddress]) store.members.get(id)!.add(contact.id);
			const message = text(/^Hello Anna,\n/);
			return { 'Send the welcome': [{ sendTo: 'anna@example.test', message }] };
		},
	},

	'new-contacts-to-sheet': {
		starts: { 'New contact': (store) => store.contacts.all() },
		does: 'a row for each contact',
		sends(store) {
			const anna = { first_name: 'Anna', email: null, phone_number: '+393470007777' };
			const { id, last_name } = store.addContact(anna);
			const row = { 'Contact ID': id, 'First name': 'Anna', 'Last name': last_name ?? '' };
			return { 'Row in Google Sheets': [{ ...row, Phone: '+393470007777', 'E-mail': '' }] };
		},
	},

	'delete-personal-data': {
		starts: { 'On form submission': () => [{ 'Phone number': '+39 333 200 0001' }] },
		does: 'deletes the contact, its bookings and its places on lists, and nothing of others',
		async test(run) {
			const { contacts, events, members } = emulator.store;
			const people = ['+393470001111', '+393470002222'].map((phone_number) =>
				emulator.store.addContact({ phone_number }),
			);
			const bookings = people.map(({ id }) => emulator.store.addEvent({ contact_id: id }));
			for (const ids of members.values()) people.forEach(({ id }) => ids.add(id));
			await run('On form submission', { brings: [{ 'Phone number': '+39 347 000 1111' }] });
			expect(people.map(({ id }) => Boolean(contacts.get(id)))).toEqual([false, true]);
			expect(bookings.map(({ id }) => Boolean(events.get(id)))).toEqual([false, true]);
			for (const ids of members.values())
				expect(people.map(({ id }) => ids.has(id))).toEqual([false, true]);
			const path = `/contacts/${people[0]!.id}`;
			expect(written().at(-1)).toMatchObject({ method: 'DELETE', path });
		},
	},
};
