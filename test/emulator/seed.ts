import { CAMPAIGN_STATES, makeEvent, makeUsage, makeWallet } from './records.ts';
import type { Agent, AgentType } from './records.ts';
import type { Store } from './store.ts';
import { iso } from './time.ts';
import { DISHES } from './words.ts';

export type Data = 'demo' | 'small' | 'empty';

const SIZES = {
	demo: { calls: 3_240, orders: 420, contacts: 640, transactions: 310, events: 90, lists: 6 },
	small: { calls: 14, orders: 12, contacts: 12, transactions: 12, events: 12, lists: 3 },
};

const DAY = 86_400_000;

const LIVE: Partial<Agent> = {
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
};
const SILENT: Partial<Agent> = { ai_provider: null, selected_voice: null };

const AGENTS: ReadonlyArray<[AgentType, name: string, Partial<Agent>]> = [
	['inbound', 'Aurora Front Desk', { default_language: 'it' }],
	['inbound', 'Aurora Night Line', { ai_provider: 'beta', beta_backend: 'backend_primary' }],
	['inbound', 'Aurora Live', { ai_provider: 'zeta', ...LIVE }],
	['outbound', 'Booking Reminders', { verified_caller_id: null }],
	['outbound', 'Win-back Calls', { is_active: false, first_message: null }],
	['meta', 'Aurora on Social', { ...SILENT, first_message: null }],
	['whatsapp', 'Aurora on WhatsApp', SILENT],
];

const LIST_NAMES = ['Regulars', 'Newsletter', 'Birthdays', 'Sunday Lunch', 'Catering', 'Lapsed'];

/** Adds an organization's records. They are the same for the same seed, size and clock. */
export function seed(store: Store, data: Data): void {
	if (data === 'empty') return;
	const size = SIZES[data];

	AGENTS.forEach(([type, name, partial], index) => {
		const created_at = iso(store.now() - (200 - index * 10) * DAY);
		store.addAgent(type, { name, created_at, updated_at: created_at, ...partial });
	});

	const menu = store.addCatalogue({ description: 'What the kitchen makes every day' });
	const drinks = store.addCatalogue({ name: 'Drinks' });
	store.addCatalogue({ name: 'Christmas', description: 'Not yet filled' });
	DISHES.forEach(([name, category, price], index) => {
		const { id } = category === 'Drinks' ? drinks : menu;
		store.addItem({ name, category, price, catalogue_id: index % 6 === 5 ? null : id });
	});

	store.fill(size);
	const people = store.contacts.all();
	LIST_NAMES.slice(0, size.lists).forEach((name, index) => {
		const members = people.filter((_, position) => position % (index + 2) === 0);
		const ids = members.map(({ id }) => id);
		store.addContactList({ name }, ids);
	});
	for (let index = 0; index < size.events; index += 1) {
		const at = store.now() + (index % 30) * DAY;
		store.events.add(makeEvent(store.draw(at), store.random.pick(people)));
	}

	const agent_id = store.agents.find(({ agent_type }) => agent_type === 'outbound')!.id;
	const contact_list_id = store.contactLists.all()[0]!.id;
	CAMPAIGN_STATES.forEach((status, index) => {
		const created_at = iso(store.now() - index * 3 * DAY);
		const name = `Campaign ${index + 1}`;
		store.addCampaign({ name, status, agent_id, contact_list_id, created_at });
	});

	store.wallet = makeWallet(84.35);
	store.usage = makeUsage(store.now());
	store.verifiedNumbers.add('+393331234567');
}
