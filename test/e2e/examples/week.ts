import type { Store } from '../../emulator/index.ts';
import { locator, MANUAL } from '../workflows.ts';
import { NASTY, UNKNOWN_NUMBER } from './account.ts';
import type { Answers } from './recorder.ts';

type Json = Record<string, unknown>;

/** An example in a real week. */
export interface Week {
	/** The triggers that start it, with what each brings from the account; nothing: one empty item. */
	starts: Record<string, ((store: Store) => Json[]) | undefined>;
	/** What the user chooses in its nodes. */
	chosen?: (store: Store) => Record<string, Json>;
	/** What other services and tables answer. */
	answers?: (store: Store) => Answers;
	/** What a person answers on a page of a form. */
	answered?: Record<string, Json>;
	/** From this trigger it ends in an error with these words, because somebody has to look. */
	tells?: Record<string, RegExp>;
	/** A second run sends and changes nothing, because the first has done it all. */
	once?: true;
}

const calls = (store: Store) => store.calls.all() as Json[];

/** Calls as *Call Ready* and others bring them, with what they include. */
const callsWith = (store: Store) =>
	store.calls.all().map((call) => ({
		...call,
		summary: store.summaryOf(call),
		transcript_text: store
			.turnsOf(call)
			?.map(({ role, text }) => `${role}: ${text}`)
			.join('\n'),
	}));

const events = (change: string) => (store: Store) =>
	store.events.all().map((event) => ({ ...event, change, changed_fields: '' }));

const moved = (rows: Json[], from: string) =>
	rows.map((row) => ({ ...row, previous_status: from, new_status: row.status }));

const agentNamed = (store: Store, name: RegExp) =>
	store.agents.all().find((agent) => name.test(agent.name))!.id;

const campaign = (store: Store, status: string) =>
	locator(store.campaigns.all().findLast((one) => one.status === status)!.id, 'list');

const list = (store: Store) => locator(store.contactLists.all()[0]!.id, 'list');

/** The names of an agency's clients. */
export const CLIENTS = [`North ${NASTY.mention}`, 'South', NASTY.formula];

/** The clients, as n8n's table holds them. The key of the second is revoked. */
const Clients = () =>
	CLIENTS.map((client, at) => ({ client, email: `${at}@example.com`, ...prices }));
const prices = { currency: 'EUR', markup_percent: '12,5', minute_price: '0,15' };
const clients = { answers: () => ({ Clients }) };

const yes = () => ({ data: { approved: true } });

/** Contacts as HubSpot has them: two with one number, one without, one that YK Voice refuses. */
const HUBSPOT = [
	['+39 333 200 0001', 'Ann', 'ann@example.com'],
	['+393332000001', 'Anna', 'anna@example.com'],
	[null, 'No number', 'none@example.com'],
	['+393332000007', NASTY.formula, 'not an address'],
	['+393332000008', 'New', 'new@example.com'],
].map(([phone, firstname, email]) => ({ properties: { phone, firstname, email, lastname: null } }));

const test = (store: Store, one: Json) => ({
	...{ test: NASTY.mention, agent_id: agentNamed(store, /Booking/), must_say: '', outcome: '' },
	...{ phone_number: [...store.verifiedNumbers][0], must_not_say: 'no', max_seconds: '' },
	...{ last_result: '', last_details: '', ...one },
});

const tests = (store: Store) => () => [
	test(store, { id: 1 }),
	test(store, { id: 2, phone_number: UNKNOWN_NUMBER }),
	test(store, { id: 3, agent_id: 'gone' }),
];

/** Every example, by the name of its file. */
export const WEEK: Record<string, Week> = {
	'agent-backup': { starts: { 'Every night': undefined } },
	'agent-change-effect': {
		starts: {
			'Agent changed': (store) =>
				store.agents.all().map(({ id, name }) => ({
					...{ id, name, change: 'changed', changed_fields: 'name' },
					...{ previous_values: { name: NASTY.formula }, new_values: { name } },
				})),
			'Every Monday': undefined,
		},
		answers: (store) => ({
			'Changes to measure': () =>
				[agentNamed(store, /Booking/), 'gone'].map((agent_id, id) => ({
					...{ id, agent_id, agent: NASTY.mention, changed_at: '2026-03-04T05:06:07.000Z' },
				})),
		}),
	},
	'agents-test-agents': {
		starts: { 'Every night': undefined },
		chosen: (store) => ({
			'Play the caller': { agent_id: locator(agentNamed(store, /Booking/), 'list') },
		}),
		answers: (store) => ({
			Scenarios: () => tests(store)().map((one) => ({ ...one, role: NASTY.mention })),
		}),
		tells: { 'Every night': /^2 failed/ },
	},
	// n8n's own evaluation nodes read and write its tables.
	'agent-evaluation': { starts: {} },
	'agent-restore': {
		starts: {
			'On form submission': (store) => [
				{
					'Content of the file': JSON.stringify({
						id: agentNamed(store, /Booking/),
						settings: { prompt_instructions: NASTY.markup, first_message: null },
						tools: {
							'make-reservation': { enabled: false },
							'place-order': { enabled: false },
						},
					}),
					'What to do': 'Restore',
				},
			],
		},
	},
	'approve-bookings': {
		starts: { 'New event': events('new') },
		answers: () => ({ 'Ask by e-mail': yes, 'Ask in Slack': yes }),
	},
	'ask-your-calls': { starts: { Chat: () => [{ chatInput: NASTY.mention, sessionId: '1' }] } },
	'before-a-campaign': {
		starts: {
			'Start a campaign': () => [{ 'Minutes per call': 2, 'Not if called within so many days': 7 }],
		},
		chosen: (store) => ({
			'People on the list': { contact_list_id: list(store) },
			'Start campaign': { campaign_id: campaign(store, 'draft') },
		}),
		answered: { 'May it start?': { 'May the campaign start?': 'Yes' } },
		answers: () => ({ 'Do not call': () => [{ phone_number: NASTY.markup }] }),
	},
	'booking-messages': { starts: { 'Event booked or changed': events('new') } },
	'booking-reminders': {
		starts: { 'Every morning': undefined, 'Every month': undefined },
	},
	'bookings-to-google-calendar': {
		starts: { 'Event status changed': (store) => moved(store.events.all(), 'pending') },
	},
	'ask-by-phone': {
		starts: {
			'When another workflow asks': (store) =>
				['May we?', NASTY.mention].map((question) => ({
					...{ question, phone_number: [...store.verifiedNumbers][0] },
				})),
		},
		chosen: (store) => ({
			'Give it the question': { agent_id: locator(agentNamed(store, /Booking/), 'list') },
		}),
	},
	'call-again': {
		once: true,
		starts: { 'Every hour of the day': undefined },
		chosen: (store) => ({
			'Calls of the last days': { filters: {} },
			'Put on the list': { contact_list_id: list(store), options: { auto_create: true } },
			'Pause campaign': { campaign_id: campaign(store, 'paused') },
			'Resume campaign': { campaign_id: campaign(store, 'paused') },
		}),
	},
	'calls-in-claude': { starts: {} },
	'call-export-to-table': {
		starts: { [MANUAL]: undefined },
	},
	'call-summary-to-crm-contact': {
		starts: { 'Call ready': (store) => callsWith(store).slice(-12) },
		answers: () => ({ 'Find the caller in HubSpot': () => [{ id: '1' }] }),
	},
	'call-the-missed': {
		starts: { 'Every evening': undefined },
		chosen: (store) => ({
			'Put them on the list': { contact_list_id: list(store), options: { auto_create: true } },
			'Get campaign': { campaign_id: campaign(store, 'paused') },
		}),
	},
	'calls-at-once': { starts: { Notification: () => [{ body: {} }], 'Every month': undefined } },
	'campaign-ended-message': {
		starts: {
			'Campaign status changed': (store) =>
				moved(
					[...store.campaigns.all(), { id: 'gone', name: 'Gone', status: 'completed' }],
					'running',
				),
		},
		tells: { 'Campaign status changed': /^1 failed\. Gone: .+ \(4/ },
	},
	'client-billing': {
		...clients,
		starts: { 'Every month': undefined },
		tells: { 'Every month': /^1 failed. South: / },
	},
	'contacts-hubspot-sync': {
		once: true,
		starts: {
			'Every 15 minutes': undefined,
			'Contact of YK Voice': (store) => store.contacts.all(),
		},
		answers: () => ({ 'Changed last in HubSpot': () => HUBSPOT }),
		tells: { 'Every 15 minutes': /^1 failed\. .+ \(4/ },
	},
	'daily-figures-to-sheet': {
		starts: { 'Every morning': undefined },
	},
	'delete-personal-data': {
		starts: { 'On form submission': () => [{ 'Phone number': '+39 333 200 0001' }] },
	},
	'documents-to-knowledge-base': {
		once: true,
		starts: { 'Every night': undefined },
		answers: () => {
			const table = new Set<unknown>();
			return {
				'Files of the folder': () =>
					[1, 2, 3].map((id) => ({ id: `${id}`, name: NASTY.formula, modifiedTime: 'May' })),
				'Not sent yet': ({ keyValue }) =>
					table.has(keyValue) ? [] : { id: String(keyValue)[0], modifiedTime: 'May' },
				'Remember it': (fields) => {
					table.add(fields.file);
					return fields;
				},
			};
		},
	},
	'escalate-transferred-call': { starts: { 'Call transferred': callsWith } },
	'fallback-provider-alert': { starts: { 'Fallback provider used': calls } },
	'lead-to-outcome': {
		starts: {
			'Every 15 minutes': undefined,
			'Call ready': callsWith,
			'New order': (store) => store.orders.all(),
		},
		chosen: (store) => ({ 'Put on the list': { contact_list_id: list(store) } }),
		answers: () => ({
			'New leads': () =>
				[UNKNOWN_NUMBER, NASTY.formula].map((phone_number, id) => ({ id, phone_number })),
		}),
	},
	'list-welcome': { starts: { 'Contact added to list': (store) => store.contacts.all() } },
	'low-balance-alert': {
		starts: {
			'Low balance': () => [
				{ balance: 3.5, currency: 'EUR', threshold: 20, auto_topup_enabled: null },
			],
		},
	},
	'low-minutes-alert': {
		starts: {
			'Low minutes': () => [{ minutes_remaining: 0, minutes_included: 100, minutes_used: 0 }],
		},
	},
	'menu-from-table': {
		starts: { 'Every night': undefined },
		answers: () => ({
			Menu: () => [
				{ sku: 'A-1', name: NASTY.formula, price: 3.5, quantity: 1, category: 'x' },
				{ sku: '', name: 'No SKU', price: 3.5, quantity: 1, category: 'x' },
				{ sku: 'A-2', name: 'Pasta', price: -1, quantity: null, category: null },
				{ sku: 'A-3', name: 'Pizza', price: 7, quantity: 0, category: '' },
			],
		}),
	},
	'missed-call-digest': {
		...clients,
		starts: { 'Every morning': undefined },
	},
	'missed-call-message': {
		starts: {
			'Missed call': (store) =>
				store.calls.all().filter((call) => call.call_status !== 'Completed'),
			'Every month': undefined,
		},
	},
	'monthly-client-report': {
		starts: { 'Every month': undefined },
	},
	'new-calls-of-all-clients': {
		starts: { 'New call': (store) => store.calls.all() },
	},
	'new-contacts-to-sheet': { starts: { 'New contact': (store) => store.contacts.all() } },
	'nightly-campaign': {
		once: true,
		starts: { 'Every evening': undefined, 'Every night': undefined },
		chosen: (store) => ({
			'Get campaign': { campaign_id: campaign(store, 'draft') },
			'Get the same campaign': { campaign_id: campaign(store, 'draft') },
		}),
	},
	'one-agent-many-clients': {
		starts: {
			Template: () => [{ Prompt: NASTY.markup }],
			'Agent changed': (store) =>
				store.agents.all().map(({ id }) => ({ id, changed_fields: ['prompt_instructions'] })),
		},
		answered: { 'May they change?': { 'Change these agents?': 'Yes' } },
		answers: (store) => {
			const rows = () =>
				CLIENTS.map((client, id) => ({
					...{ id, client, agent_id: agentNamed(store, /Desk/), change: 'Yes' },
				}));
			return { Clients: rows, 'Clients to change': rows, Drifted: () => [] };
		},
		tells: { Template: /40[14]/ },
	},
	'order-confirm-or-refuse': {
		starts: {
			'New order': (store) => [
				...store.orders.all().filter((one) => one.status === 'pending'),
				{ id: 'gone', status: 'pending' },
			],
		},
		chosen: () => ({ 'House rules': { max_total: 1000, out_of_stock: 'x-1' } }),
	},
	'order-status-messages': {
		starts: { 'Order status changed': (store) => moved(store.orders.all(), 'pending') },
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
	},
	'orders-to-shop': {
		starts: { 'New order': (store) => store.orders.all() },
		tells: { 'New order': /^1 failed\. Order \S+ shows no lines\.$/ },
	},
	'reports-for-all-clients': {
		...clients,
		starts: { 'Every month': undefined },
		tells: { 'Every month': /^1 failed. South: / },
	},
	'stock-alert': { starts: { 'Item changed': (store) => store.items.all() } },
	'test-before-rollout': {
		starts: { 'On form submission': () => [{ 'New prompt': 'Be kind.' }] },
		chosen: (store) => ({
			'Change the test agent': { agent_id: locator(agentNamed(store, /Booking/), 'list') },
		}),
		answers: (store) => ({
			'Agent tests': tests(store),
			Clients: () => [{ client: 'North', agent_id: agentNamed(store, /Desk/) }],
		}),
		tells: { 'On form submission': /^Not rolled out\. .*not verified/ },
	},
	...Object.fromEntries(
		['test-call-from-form', 'test-call-outcome'].map((name): [string, Week] => [
			name,
			{
				starts: {
					'On form submission': () => [
						{
							'Phone number': UNKNOWN_NUMBER,
							'E-mail': 'a@example.com',
							'Place a real call?': 'Yes',
						},
					],
				},
				chosen: (store) => ({
					'Make test call': { agent_id: locator(agentNamed(store, /Booking/), 'list') },
				}),
				...(name === 'test-call-from-form' && { tells: { 'On form submission': /not verified/ } }),
			},
		]),
	),
	'transcript-quality-score': {
		starts: {
			'Transcript ready': (store) => callsWith(store).filter((call) => call.transcript_text),
		},
		answers: () => ({
			'Score the call': () => ({
				output: { score: 3, reason: NASTY.mention, better: NASTY.formula },
			}),
		}),
	},
	'unanswered-share-alert': {
		starts: { 'Every morning': undefined },
	},
	'wallet-transactions-to-sheet': {
		starts: { 'New wallet transaction': (store) => store.transactions.all() },
	},
	'weekly-orders-digest': {
		starts: { 'Every Monday': undefined },
	},
	'weekly-quality-digest': {
		starts: { 'Every Monday': undefined },
	},
};
