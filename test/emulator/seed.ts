import { CAMPAIGN_STATES } from './assumed.ts';
import { makeEvent } from './records.ts';
import type { Agent, AgentType } from './records.ts';
import type { Counts, Store } from './store.ts';
import { iso } from './time.ts';
import { DISHES } from './words.ts';

export type Data = 'demo' | 'small' | 'empty';

type Size = Required<Counts> & { events: number; lists: number };

const SIZES: Record<Exclude<Data, 'empty'>, Size> = {
	demo: { calls: 3_240, orders: 420, contacts: 640, transactions: 310, events: 90, lists: 6 },
	small: { calls: 14, orders: 12, contacts: 12, transactions: 12, events: 12, lists: 3 },
};

const DAY = 86_400_000;

const AGENTS: ReadonlyArray<readonly [AgentType, Partial<Agent>]> = [
	['inbound', { name: 'Aurora Front Desk', default_language: 'it' }],
	['inbound', { name: 'Aurora Night Line', ai_provider: 'beta', beta_backend: 'backend_primary' }],
	[
		'inbound',
		{
			name: 'Aurora Live',
			ai_provider: 'zeta',
			live_reasoning_effort: 'low',
			conversation_style: {
				tone: 'warm',
				formality: 'balanced',
				response_length: 'concise',
				pace: 'natural',
				custom_note: '',
			},
			live_conversation_settings: {
				backchannels: 'subtle',
				pauses: 'natural',
				pronunciations: [{ term: 'Trattoria', say_as: 'trat-to-REE-ah' }],
			},
		},
	],
	['outbound', { name: 'Booking Reminders', verified_caller_id: null }],
	[
		'outbound',
		{ name: 'Win-back Calls', is_active: false, first_message: null, amd_action: 'leave_message' },
	],
	[
		'meta',
		{ name: 'Aurora on Social', ai_provider: null, selected_voice: null, first_message: null },
	],
	['whatsapp', { name: 'Aurora on WhatsApp', ai_provider: null, selected_voice: null }],
];

const LIST_NAMES = ['Regulars', 'Newsletter', 'Birthdays', 'Sunday Lunch', 'Catering', 'Lapsed'];

function seedAgents(store: Store): void {
	AGENTS.forEach(([type, partial], index) => {
		const created = iso(store.now() - (200 - index * 10) * DAY);
		store.addAgent(type, { created_at: created, updated_at: created, ...partial });
	});
}

function seedShop(store: Store, full: boolean): void {
	const menu = store.addCatalogue({
		name: 'Menu',
		description: 'What the kitchen makes every day',
	});
	const drinks = store.addCatalogue({ name: 'Drinks' });
	store.addCatalogue({ name: 'Christmas', description: 'Not yet filled' });
	for (const [index, [name, category, price]] of (full ? DISHES : DISHES.slice(0, 12)).entries()) {
		const catalogue = category === 'Drinks' ? drinks : menu;
		store.addItem({ name, category, price, catalogue_id: index % 6 === 5 ? null : catalogue.id });
	}
}

function seedPeople(store: Store, size: Size): void {
	store.fill(size);
	const ids = store.contacts.all().map((contact) => contact.id);
	for (let index = 0; index < size.lists; index += 1) {
		const share = ids.filter((_, position) => position % (index + 2) === 0);
		store.addContactList({ name: LIST_NAMES[index] ?? 'List' }, share);
	}
	const people = store.contacts.all();
	for (let index = 0; index < size.events; index += 1) {
		const at = store.now() + (index % 30) * DAY;
		store.events.add(makeEvent(store.draw(at), store.random.pick(people)));
	}
}

function seedCampaigns(store: Store): void {
	const agent = store.agents.find(({ agent_type }) => agent_type === 'outbound');
	const list = store.contactLists.all()[0];
	CAMPAIGN_STATES.forEach((status, index) => {
		const created_at = iso(store.now() - index * 3 * DAY);
		store.addCampaign({
			name: `Campaign ${index + 1}`,
			status,
			agent_id: agent!.id,
			contact_list_id: list!.id,
			created_at,
		});
	});
}

function seedAccount(store: Store): void {
	const at = new Date(store.now());
	const month = (offset: number) =>
		iso(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + offset, 1));
	store.wallet = {
		balance: 84.35,
		currency: 'EUR',
		auto_topup_enabled: true,
		auto_topup_threshold: 20,
		auto_topup_amount: 50,
	};
	store.usage = {
		minutes_included: 2_000,
		minutes_used: 1_312.5,
		minutes_remaining: 687.5,
		extra_minutes_used: 0,
		period_start: month(0),
		period_end: month(1),
	};
	store.verifiedNumbers.add('+393331234567');
}

/** Adds an organization's records. They are the same for the same seed, size and clock. */
export function seed(store: Store, data: Data): void {
	if (data === 'empty') return;
	seedAgents(store);
	seedShop(store, data === 'demo');
	seedPeople(store, SIZES[data]);
	seedCampaigns(store);
	seedAccount(store);
}
