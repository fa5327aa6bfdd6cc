import { beforeEach, expect, it } from 'vitest';

import { outputOf } from '../n8n.ts';
import {
	ago,
	DAY,
	dataTable,
	emulator,
	execute,
	expectSent,
	failReads,
	says,
	seen,
	sent,
	setUp,
	written,
	type Json,
} from '../shared.ts';
import { locator, pinned } from '../workflows.ts';
import type { Tests } from './tested.ts';

/** Examples about orders, bookings and contacts. */
export const customers: Tests = {
	'order-confirm-or-refuse'() {
		const line = (sku: string, name: string, price: number) => {
			return { sku, name, quantity: 1, unit_price: price, total_price: price };
		};
		const RULES = { max_total: 100, out_of_stock: 'x-1, TIRAMISU' };
		const withRules = (rules: Json = RULES) =>
			setUp('order-confirm-or-refuse', { 'House rules': rules });
		const add = (...lines: Array<ReturnType<typeof line>>) =>
			emulator.store.addOrder({ line_items: lines });
		const pizza = (price = 10) => add(line('PIZZA', 'Pizza', price));
		const now = ({ id }: { id: string }) => emulator.store.orders.get(id)!;

		it('confirms, refuses with a reason, or asks a person', async () => {
			const fine = pizza(100);
			const missing = add(line('PIZZA', 'Pizza', 10), line('Tiramisu', 'Tiramisù', 6));
			const large = pizza(100.01);
			const foreign = pizza();
			emulator.store.orders.change(foreign.id, { currency: 'CHF' });
			const decided = pizza();
			emulator.store.setOrderStatus(decided.id, 'cancelled');

			const came = [fine, missing, large, foreign, decided].map(({ id }) => ({
				id,
				status: 'pending',
			}));
			const execution = await execute(withRules(), 'New order', came);

			expect(now(fine)).toMatchObject({ status: 'confirmed' });
			const status_reason = 'Sorry, we are out of Tiramisù.';
			expect(now(missing)).toMatchObject({ status: 'refused', status_reason });
			expect(now(large).status).toBe('pending');
			expect(written()).toHaveLength(2);
			expectSent(execution, {
				'Ask the team in Slack': [
					says(`Please decide on order ${large.order_number}: 100.01, EUR, `),
					says(`Please decide on order ${foreign.order_number}: 10, CHF, `),
				],
			});
			const rows = sent(execution, 'Orders in Google Sheets');
			expect(rows).toHaveLength(2);
			expect(rows).toContainEqual({
				Order: missing.id,
				Status: 'refused',
				Reason: status_reason,
				Amount: '16',
				Customer: missing.customer_name,
			});
		});

		it('hands an order that the API refuses to move to the team, and goes on', async () => {
			const [moved, fine] = [pizza(), pizza()];
			let hasMoved = false;
			emulator.before(({ method }) => {
				if (method !== 'PATCH' || hasMoved) return;
				hasMoved = true;
				emulator.store.setOrderStatus(moved.id, 'refused', 'By phone');
			});
			const came = [{ id: moved.id }, { id: fine.id }];
			const execution = await execute(withRules(), 'New order', came);
			expect(now(moved).status_reason).toBe('By phone');
			expect(now(fine).status).toBe('confirmed');
			expectSent(execution, {
				'Ask the team in Slack': [says(/^Please decide on order \S+: this failed: .*400/)],
			});
		});

		it.each([
			['before the rules are set', () => pizza(), {}],
			['with a line without SKU', () => add(line('', 'Delivery', 3)), RULES],
		])('hands an order %s to a person', async (_what, make, rules) => {
			const { id } = make();
			const execution = await execute(withRules(rules), 'New order', [{ id }]);
			expect(outputOf(execution, 'Ask the team in Slack').map((one) => one.id)).toEqual([id]);
			expect(written()).toEqual([]);
		});
	},

	'weekly-orders-digest'() {
		const digest = async () => {
			const execution = await execute(setUp('weekly-orders-digest'), 'Every Monday');
			return sent(execution, 'Send the digest');
		};

		beforeEach(() => emulator.store.orders.clear());

		it('adds up the orders of the week by status, and never two currencies', async () => {
			const { store } = emulator;
			store.addOrder({ total_amount: 10.5, created_at: ago(DAY) });
			store.addOrder({ total_amount: 4, created_at: ago(6 * DAY) });
			store.addOrder({ total_amount: 5, currency: 'CHF', created_at: ago(DAY) });
			store.addOrder({ total_amount: 99, created_at: ago(9 * DAY) });
			store.addOrder({ total_amount: 7, created_at: ago(2 * DAY), status: 'refused' });

			const [mail, ...more] = await digest();

			expect(more).toEqual([]);
			expect(mail?.subject).toMatch(/^Orders: /);
			const page = seen(mail?.message);
			expect(page).toMatch(/Pending 3 \(75%\) Refused 1 \(25%\)/);
			expect(page).toMatch(/CHF 1 CHF\s?0\.00/);
			expect(page).toMatch(/EUR 3 €0\.00/);
		});
	},

	'approve-bookings'() {
		it.each<[string, Json | undefined, string]>([
			['approves', { data: { approved: true } }, 'approved'],
			['rejects', { data: { approved: false } }, 'rejected'],
			['leaves without an answer', {}, 'pending'],
			['leaves, while the question is switched off,', undefined, 'pending'],
		])('%s an event as the person says', async (_what, answer, status) => {
			const { store } = emulator;
			const add = (status: 'pending' | 'confirmed') => {
				return { ...store.addEvent({ title: 'Table for two', status }) };
			};
			const added = [add('pending'), add('pending'), add('confirmed')];
			const workflow = setUp('approve-bookings');
			const execution = await execute(
				answer ? pinned(workflow, { 'Ask in Slack': [answer] }) : workflow,
				'New event',
				added.map((event) => ({ ...event, change: 'new' })),
			);
			const now = added.map(({ id }) => store.events.get(id)?.status);
			expect(now).toEqual([status, status, 'confirmed']);
			const asked = sent(execution, 'Ask in Slack').map(({ message }) => message);
			const question = expect.stringMatching(/^A new booking: Table for two, .+ Approve it\?$/);
			expect(asked).toEqual([question, question]);
		});
	},

	'booking-reminders'() {
		it('an SMS to who comes tomorrow, and the list for the staff', async () => {
			const { store } = emulator;
			store.events.clear();
			const [phone_number, first_name] = ['+393470001111', 'Anna'];
			const { id: contact_id } = store.addContact({ phone_number, first_name });
			const tomorrow = ago(-DAY).slice(0, 10);
			const usual = {
				date: tomorrow,
				start_time: '20:00',
				status: 'confirmed' as const,
				contact_id,
			};
			store.addEvent({ ...usual, title: 'Table for two' });
			const moment = `${tomorrow}T12:30:00Z`;
			store.addEvent({ ...usual, title: 'Birthday', contact_id: null, start_time: moment });
			store.addEvent({ ...usual, title: 'Not decided', status: 'pending' });
			store.addEvent({ ...usual, title: 'Lunch', date: ago(0).slice(0, 10) });

			const execution = await execute(setUp('booking-reminders'), 'Every morning');

			const message =
				'Hello Anna, we look forward to seeing you tomorrow at 20:00: Table for two. If you cannot come, please call us.';
			const text = 'Tomorrow, 2 bookings:\n- 12:30 Birthday\n- 20:00 Table for two';
			expectSent(execution, {
				'Send the SMS': [{ to: phone_number, message }],
				'Say who gets none': [says(/^No reminder for \S+ Birthday: /)],
				'Tell the staff in Slack': [{ text }],
			});
		});
	},

	'contacts-hubspot-sync'() {
		const START = 'Every 15 minutes';
		const properties = (phone: string, firstname: string, lastname = '') => ({
			id: phone,
			properties: { phone, firstname, lastname, email: null },
		});
		const fromHubSpot = async (contacts: Json[], fails?: RegExp) => {
			const workflow = pinned(setUp('contacts-hubspot-sync'), {
				'Changed last in HubSpot': contacts,
			});
			await execute(workflow, START, undefined, fails);
		};

		it('takes over what is new or differs in HubSpot, and nothing else', async () => {
			const { store } = emulator;
			const [same, other] = ['+393470001111', '+393470002222'].map((phone_number) => ({
				...store.addContact({ phone_number, first_name: 'Anna', last_name: 'Rossi' }),
			}));
			await fromHubSpot([
				properties('+39 347 000-1111', 'Anna'),
				properties('0039 (347) 0002222', 'Bea'),
				properties('+393470003333', 'Carla', 'Bianchi'),
				properties('', 'Dora'),
			]);
			expect(store.contacts.get(same!.id)).toEqual(same);
			const { updated_at: _, ...kept } = other!;
			expect(store.contacts.get(other!.id)).toMatchObject({ ...kept, first_name: 'Bea' });
			const added = store.contacts.find((one) => one.phone_number === '+393470003333');
			expect(added).toMatchObject({ first_name: 'Carla', last_name: 'Bianchi' });
			expect(new Set(written().map(({ path }) => path)).size).toBe(2);
		});

		it('writes nothing if a contact cannot be read', async () => {
			failReads();
			await fromHubSpot([properties('+393470003333', 'Carla')], /500/);
			expect(written()).toEqual([]);
		});
	},

	'menu-from-table'() {
		it('writes each row, tells of those with an error, and empties nothing', async () => {
			const { store } = emulator;
			const { id, ...old } = store.addItem({ sku: 'OLD', quantity: 3 });
			const row = { name: '', price: '', quantity: '', category: '' };
			const table = await dataTable('Menu', [
				{ sku: 'OLD', ...row, price: '9.5' },
				{ sku: 'NEW', ...row, name: 'Polenta', price: '7', quantity: '20' },
				{ sku: '', ...row, name: 'Nothing' },
			]);
			const workflow = setUp('menu-from-table', { Menu: { dataTableId: locator(table.id) } });
			const count = store.items.all().length;
			const failed = /^1 failed\. Nothing: .*SKU/;
			const execution = await execute(workflow, 'Every night', undefined, failed);
			expect(store.items.get(id)).toMatchObject({ ...old, price: 9.5 });
			const added = store.items.find(({ sku }) => sku === 'NEW');
			expect(added).toMatchObject({ name: 'Polenta', price: 7, quantity: 20 });
			expect(store.items.all()).toHaveLength(count + 1);
			expectSent(execution, { 'Tell the team in Slack': [says(/^Not written: Nothing: .*SKU/)] });
		});
	},

	'delete-personal-data'() {
		const run = async (phone: string, fails?: RegExp) => {
			const submitted = [{ 'Phone number': phone }];
			await execute(setUp('delete-personal-data'), 'On form submission', submitted, fails);
		};

		it('deletes the contact, its bookings and its places on lists, and nothing of others', async () => {
			const { store } = emulator;
			const [anna, other] = ['+393470001111', '+393470002222'].map((phone_number) =>
				store.addContact({ phone_number }),
			);
			const bookings = [anna!, other!].map(({ id }) => store.addEvent({ contact_id: id }));
			const lists = [...store.members.values()];
			for (const members of lists) members.add(anna!.id).add(other!.id);
			await run('+39 347 000 1111');
			expect(store.contacts.get(anna!.id)).toBeUndefined();
			expect(store.contacts.get(other!.id)).toBeDefined();
			expect(bookings.map(({ id }) => Boolean(store.events.get(id)))).toEqual([false, true]);
			for (const members of lists) {
				expect([anna!, other!].map(({ id }) => members.has(id))).toEqual([false, true]);
			}
			expect(written().at(-1)).toMatchObject({ method: 'DELETE', path: `/contacts/${anna!.id}` });
		});

		it('deletes nothing if no contact has the number', async () => {
			await run('+393470009999', /404/);
			expect(written()).toEqual([]);
		});
	},
};
