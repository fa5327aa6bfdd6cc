import type { Emulator, Store } from '../../emulator/index.ts';
import { n8n, type Json } from '../shared.ts';
import { locator } from '../workflows.ts';
import { DAY, HOUR } from './example.ts';

/** Texts that a formula, a mention, a page or a message must survive. */
export const NASTY = {
	formula: '=HYPERLINK("https://evil.example","Bill")',
	mention: 'Ann "Nan" <!channel> <https://evil.example|here>',
	markup: `<script>alert(1)</script>O'Neill & Söhne`,
};

/** A number that no contact has. */
export const UNKNOWN_NUMBER = '+393330000001';

const none = null as unknown as string;

/** The account of a real week: many records, some of which lack what others have. */
export function messUp(store: Store): void {
	const at = (ago: number) => new Date(store.now() - ago).toISOString();
	const texts = Object.values(NASTY);
	for (const [index, agent] of store.agents.all().entries()) {
		if (index < 3) store.agents.change(agent.id, { name: `Desk ${texts[index]}` });
	}
	addPeople(store, texts);
	for (let call = 0; call < 120; call++) {
		const phone_number = call % 7 === 0 ? none : `+39333100${1000 + call}`;
		const call_status = ['Completed', 'Not Answered', 'Completed', 'Voicemail'][call % 4]!;
		const direction = call % 5 === 0 ? 'outbound' : 'inbound';
		const agent_name = call % 11 === 0 ? none : NASTY.mention;
		const duration_seconds = call % 13 === 0 ? (null as unknown as number) : 61;
		const created_at = at((call % 60) * 0.9 * HOUR);
		const fields = { phone_number, call_status, direction, agent_name, duration_seconds };
		store.addCall({ ...fields, created_at }, { summary: texts[call % texts.length]! });
	}
	for (let call = 0; call < 3; call++) {
		const missed = { phone_number: '+393330000003', call_status: 'Not Answered' };
		store.addCall({ ...missed, direction: 'inbound', created_at: at(DAY + call * 60_000) });
	}
	for (const status of ['draft', 'paused', 'completed'] as const) {
		store.addCampaign({ name: NASTY.mention, status });
	}
	for (const amount of [null as unknown as number, -3, 0.1]) store.addTransaction({ amount });
	for (const name of texts) store.addItem({ name, quantity: 1 });
	store.addItem({ name: none, sku: none, quantity: null });
}

function addPeople(store: Store, texts: string[]): void {
	const [known] = store.contacts.all();
	for (const [index, text] of texts.entries()) {
		store.addContact({
			first_name: text,
			last_name: index === 0 ? null : text,
			email: index === 1 ? null : `person${index}@example.com`,
			phone_number: index === 2 ? none : `+39333200000${index}`,
		});
	}
	const people = [...store.contacts.all().slice(-texts.length), known!];
	const tomorrow = new Date(store.now() + DAY).toISOString().slice(0, 10);
	for (const status of ['confirmed', 'approved', 'pending'] as const) {
		for (const { id } of people) {
			const titled = { title: `${status} ${NASTY.mention}`, description: NASTY.markup };
			store.addEvent({ ...titled, date: tomorrow, status, contact_id: id });
		}
		store.addEvent({ title: none, date: tomorrow, status, contact_id: null });
		store.addEvent({ start_time: none, date: tomorrow, status, contact_id: 'gone' });
	}
	for (const text of texts) {
		store.addOrder({ customer_name: text, notes: text, customer_phone: none });
	}
	store.addOrder({ line_items: [], total_amount: 10 });
	store.addOrder({ total_amount: 99, currency: 'KWD' });
	store.addOrder({ total_amount: null as unknown as number });
}

export const NAMES = ['North & Sons', 'South', 'West'];

/** Clients and their credential: the key of the second is revoked; the third, and others with its key, have no calls. */
export async function addClients(emulator: Emulator, names = NAMES) {
	const [south, { apiKey, store: west }] = [emulator.addOrganization(), emulator.addOrganization()];
	south.revoke();
	west.calls.clear();
	west.transactions.clear();
	const keys = [emulator.keys.all, south.apiKey];
	const accounts = Object.fromEntries(names.map((name, at) => [name, keys[at] ?? apiKey]));
	const credential = await n8n.createCredential(
		{ baseUrl: emulator.url, accounts: JSON.stringify(accounts) },
		{ name: 'All clients', type: 'ykVoiceAccountsApi' },
	);
	return { clients: credential, revoked: south.apiKey, west };
}

/** The names of an agency's clients in a messy week. */
export const CLIENTS = [`North ${NASTY.mention}`, 'South', NASTY.formula];

/** A row for each of these clients, as n8n's table holds them. */
export const rowsOf = (clients: string[], more: Json = {}) =>
	clients.map((client, at) => ({ client, email: `${at}@example.com`, ...more }));

export const agentOf = (store: Store, type: 'inbound' | 'outbound') =>
	store.agents.find(({ agent_type }) => agent_type === type)!.id;

/** What a user chooses: the outbound agent, the newest campaign of a status, the newest list. */
export const outbound = (store: Store) => ({
	agent_id: locator(agentOf(store, 'outbound'), 'list'),
});

export const campaign = (store: Store, status: string) => ({
	campaign_id: locator(
		store.campaigns.all().findLast((one) => one.status === status)?.id ?? '',
		'list',
	),
});

export const list = (store: Store) => ({
	contact_list_id: locator(store.contactLists.all().at(-1)!.id, 'list'),
});

/** A number that may be called in a test. */
export const verified = (store: Store) => [...store.verifiedNumbers][0]!;

/** What triggers bring from an account. */
export const calls = (store: Store) => store.calls.all() as Json[];

/** Calls as *Call Ready* and others bring them, with what they include. */
export const callsWith = (store: Store) =>
	store.calls.all().map((call) => ({
		...call,
		summary: store.summaryOf(call),
		transcript_text: store
			.turnsOf(call)
			?.map(({ role, text }) => `${role}: ${text}`)
			.join('\n'),
	}));

export const moved = (rows: Json[], from: string) =>
	rows.map((row) => ({ ...row, previous_status: from, new_status: row.status }));

export const newEvents = (store: Store) =>
	store.events.all().map((event) => ({ ...event, change: 'new', changed_fields: '' }));
