import type { Random } from './random.ts';
import { iso } from './time.ts';
import * as words from './words.ts';

// A function for each kind of record, which draws one. The types of the records follow from them.
// Fields that section "Other records" does not name are assumed.

/** What a new record is drawn from. */
export interface Draw {
	random: Random;
	/** When it is created, in ms. */
	at: number;
	/** The id of a kind of records that the reference does not give UUIDs. */
	id: (kind: string) => string;
	/** The same as the server keeps it, which may have more digits. */
	created_at: string;
}

/** A value of a field that may also hold null. */
const orNull = <T>(value: T | null): T | null => value;

const noText = orNull<string>(null);
const noNumber = orNull<number>(null);

const cents = (amount: number) => Math.round(amount * 100) / 100;

/** Section "Call status". */
export const CALL_STATUSES = [
	'Completed',
	'Not Answered',
	'Rejected',
	'Failed',
	'Busy',
	'Voicemail',
	'Ended In Queue',
];

/** Section "Order". */
export const ORDER_STATUSES = [
	'pending',
	'confirmed',
	'completed',
	'cancelled',
	'refused',
] as const;

/** The reference names no states of campaigns, so these are assumed. */
export const CAMPAIGN_STATES = [
	'draft',
	'scheduled',
	'running',
	'paused',
	'stopped',
	'completed',
] as const;

/** "One of five lowercase provider identifiers", which are not shown. */
const SERVING_PROVIDERS = ['alpha', 'bravo', 'castor', 'delta', 'echo'];

export type OrderStatus = (typeof ORDER_STATUSES)[number];
export type CampaignStatus = (typeof CAMPAIGN_STATES)[number];
export type AgentType = 'inbound' | 'outbound' | 'meta' | 'whatsapp';
export type ToolConfig = { enabled: boolean } & Record<string, unknown>;

/** Tools of the two kinds of agent that speak on the phone; a meta or WhatsApp agent has none. */
export function toolsFor(type: AgentType): Record<string, ToolConfig> {
	if (type !== 'inbound' && type !== 'outbound') return {};
	const reminder = { sms: true, hours_before: 3 };
	const reservation = { minimum_notice_hours: 2, max_party_size: 8, instructions: null, reminder };
	const order = { catalogue_id: null, require_confirmation: true, instructions: null };
	return {
		'end-the-call': { enabled: true, instructions: 'Say goodbye first.' },
		'make-reservation': { enabled: true, ...reservation },
		'transfer-to-operator': { enabled: false, message: null, business_hours_only: true },
		'transfer-to-phone': { enabled: true, phone_number: '+390612345678', message: 'One moment.' },
		'place-order': { enabled: type === 'inbound', ...order },
	};
}

/** The fields that only agents of this type have. */
const FIELDS_OF_TYPE: Record<AgentType, Record<string, unknown>> = {
	inbound: { inbound_phone_number_id: null },
	outbound: { outbound_phone_number_id: null },
	whatsapp: { dm_debounce_seconds: 20, whatsapp_greeting_text: 'Welcome to Trattoria Aurora!' },
	meta: { dm_debounce_seconds: 0 },
};

export type Agent = ReturnType<typeof makeAgent>;

/** Section "Agent (detail and update response)". The voice and the display names are added to the answer. */
export function makeAgent({ random, at }: Draw, agent_type: AgentType) {
	return {
		id: random.uuid(),
		name: `${agent_type} agent`,
		agent_type,
		is_active: true,
		ai_provider: orNull('base'),
		first_message: orNull(words.OPENING),
		disable_first_message_interruptions: false,
		created_at: iso(at),
		updated_at: iso(at),
		organization_id: random.uuid(),
		selected_voice: noText,
		verified_caller_id: orNull(agent_type === 'outbound' ? random.uuid() : null),
		prompt_instructions: orNull('You answer for Trattoria Aurora. Be brief and kind.'),
		conversation_style: orNull<Record<string, string>>(null),
		live_reasoning_effort: orNull('medium'),
		live_conversation_settings: orNull<Record<string, unknown>>(null),
		first_message_delay_seconds: 0.5,
		max_call_duration_minutes: 15,
		is_call_recording_enabled: true,
		is_transcript_saving_enabled: true,
		include_past_calls_in_context: false,
		past_calls_count: 3,
		auto_hide_abusive_comments: agent_type === 'meta',
		user_silence_warning_seconds: 8,
		user_silence_hangup_seconds: 20,
		user_silence_prompt_message: 'Are you still there?',
		amd_enabled: agent_type === 'outbound',
		amd_action: 'hangup',
		amd_voicemail_message: noText,
		default_language: orNull('en'),
		supported_languages: orNull(['en', 'it']),
		ai_temperature: orNull(0.7),
		ai_speed: orNull(1),
		turn_detection_mode: orNull('semantic_vad'),
		vad_eagerness: orNull('auto'),
		vad_threshold: noNumber,
		vad_silence_duration_ms: noNumber,
		min_speech_duration_ms: 250,
		reasoning_effort: noText,
		call_summary_custom_prompt: noText,
		call_summary_language: noText,
		call_summary_default_prompt: 'Summarise the call: the wish, the outcome, what is left to do.',
		beta_backend: noText,
		...FIELDS_OF_TYPE[agent_type],
	};
}

const makePhone = (random: Random) => `+39320${random.integer(1_000_000, 9_999_999)}`;

export type Contact = ReturnType<typeof makeContact>;

export function makeContact({ random, at }: Draw) {
	const first = random.pick(words.FIRST_NAMES);
	const last = random.pick(words.LAST_NAMES);
	return {
		id: random.uuid(),
		first_name: orNull(first),
		last_name: orNull(last),
		email: random.next() < 0.7 ? `${first}.${last}@example.test`.toLowerCase() : null,
		phone_number: makePhone(random),
		secondary_phone_number: random.next() < 0.2 ? makePhone(random) : null,
		notes: orNull(random.next() < 0.3 ? 'Prefers a table by the window' : null),
		custom_fields: {
			loyalty_tier: random.pick(['gold', 'silver', null]),
			birthday: random.next() < 0.5 ? `19${random.integer(50, 99)}-04-12` : null,
		} as Record<string, unknown>,
		created_at: iso(at),
		updated_at: iso(at),
	};
}

/** Contact lists and catalogues have the same fields, as far as they are known. */
const makeGroup =
	(kind: string, name: string) =>
	({ at, id }: Draw) => ({ id: id(kind), name, description: noText, created_at: iso(at) });

export const makeContactList = makeGroup('contact_list', 'Regulars');
export const makeCatalogue = makeGroup('catalogue', 'Menu');

export type ContactList = ReturnType<typeof makeContactList>;
export type Catalogue = ReturnType<typeof makeCatalogue>;

export type Call = ReturnType<typeof makeCall>;

/** @param call_status default: Completed for 7 of 10 calls */
export function makeCall(
	{ random, at, id, created_at }: Draw,
	agent: Agent | undefined,
	contact?: Contact,
	call_status = random.next() < 0.7 ? 'Completed' : random.pick(CALL_STATUSES),
) {
	const isCompleted = call_status === 'Completed';
	const duration = isCompleted ? random.integer(20, 600) : random.integer(1, 15);
	const isMeasured = random.next() < 0.8;
	return {
		id: id('call'),
		created_at,
		agent_id: agent?.id ?? random.uuid(),
		agent_name: agent?.name ?? 'Former agent',
		contact_id: contact?.id ?? null,
		phone_number: contact?.phone_number ?? makePhone(random),
		direction: agent?.agent_type === 'outbound' ? 'outbound' : 'inbound',
		call_status,
		duration_seconds: duration,
		cost: Math.round(duration * 0.25) / 100,
		tags: random.next() < 0.4 ? [random.pick(words.TAGS)] : [],
		ai_provider: orNull<string>(isMeasured ? random.pick(SERVING_PROVIDERS) : null),
		ai_provider_fallback_used: isMeasured ? random.next() < 0.05 : null,
		transfer_time: isCompleted && random.next() < 0.1 ? iso(at + duration * 500) : null,
	};
}

export interface Turn {
	role: 'agent' | 'caller';
	text: string;
	at_seconds: number;
}

export const makeSku = (random: Random) => `SKU-${random.uuid().slice(0, 8).toUpperCase()}`;

export type Item = ReturnType<typeof makeItem>;

export function makeItem({ random, at, id }: Draw) {
	const [name, category, price] = random.pick(words.DISHES);
	return {
		id: id('item'),
		sku: makeSku(random),
		name,
		description: orNull('Made to order'),
		price,
		currency: orNull('EUR'),
		quantity: orNull(random.integer(0, 80)),
		category: orNull(category),
		catalogue_id: noText,
		created_at: iso(at),
	};
}

function makeLine(random: Random) {
	const [name, category, price] = random.pick(words.DISHES);
	const quantity = random.integer(1, 4);
	const sku = `${category}-${name}`.toUpperCase().replaceAll(/[^A-Z]+/g, '-');
	return { name, sku, quantity, unit_price: price, total_price: cents(quantity * price) };
}

export type Order = ReturnType<typeof makeOrder>;

export function makeOrder(
	{ random, at, id, created_at }: Draw,
	status: OrderStatus = 'pending',
	call?: Call,
	line_items = Array.from({ length: random.integer(1, 4) }, () => makeLine(random)),
) {
	return {
		id: id('order'),
		order_number: `A-${random.integer(10_000, 99_999)}`,
		status,
		status_reason: orNull(status === 'refused' ? 'Outside the delivery area' : null),
		notes: orNull(random.next() < 0.3 ? 'Ring twice' : null),
		total_amount: cents(line_items.reduce((sum, line) => sum + line.total_price, 0)),
		currency: 'EUR',
		customer_name: `${random.pick(words.FIRST_NAMES)} ${random.pick(words.LAST_NAMES)}`,
		customer_phone: call?.phone_number ?? makePhone(random),
		contact_id: call?.contact_id ?? null,
		call_id: call?.id ?? null,
		agent_id: call?.agent_id ?? null,
		created_at,
		updated_at: iso(at),
		line_items,
	};
}

export type CalendarEvent = ReturnType<typeof makeEvent>;

export function makeEvent({ random, at, id }: Draw, contact?: Contact) {
	const hour = random.integer(11, 21);
	return {
		id: id('event'),
		title: random.pick(words.EVENT_TITLES),
		description: noText,
		date: iso(at).slice(0, 10),
		start_time: `${hour}:00`,
		end_time: `${hour + 2}:00`,
		status: random.pick(['pending', 'approved', 'rejected', 'confirmed'] as const),
		contact_id: contact?.id ?? null,
		extras: { guests: random.integer(2, 8) } as Record<string, unknown>,
	};
}

export type Campaign = ReturnType<typeof makeCampaign>;

export function makeCampaign({ random, at, id }: Draw, status = random.pick(CAMPAIGN_STATES)) {
	const total = random.integer(40, 200);
	const hasNotBegun = status === 'draft' || status === 'scheduled';
	const contacted = hasNotBegun ? 0 : status === 'completed' ? total : Math.floor(total / 2);
	const failed = Math.floor(contacted / 10);
	return {
		id: id('campaign'),
		name: 'Win-back',
		status,
		agent_id: random.uuid(),
		contact_list_id: id('contact_list'),
		total_contacts: total,
		contacted,
		completed: contacted - failed,
		failed,
		created_at: iso(at),
	};
}

type TransactionType = 'ADD' | 'CONSUME';

export type Transaction = ReturnType<typeof makeTransaction>;

export function makeTransaction(
	{ random, id, created_at }: Draw,
	transaction_type: TransactionType = random.next() < 0.1 ? 'ADD' : 'CONSUME',
) {
	const isAdded = transaction_type === 'ADD';
	return {
		id: id('transaction'),
		transaction_type,
		amount: isAdded ? 50 : random.integer(5, 200) / 100,
		description: isAdded ? 'Top-up' : 'Call minutes',
		created_at,
	};
}

export type Wallet = ReturnType<typeof makeWallet>;

export const makeWallet = (balance: number) => ({
	balance,
	currency: 'EUR',
	auto_topup_enabled: true,
});

export type Usage = ReturnType<typeof makeUsage>;

/** The plan's minutes in the calendar month of this moment. */
export function makeUsage(at: number) {
	const [year, month] = [new Date(at).getUTCFullYear(), new Date(at).getUTCMonth()];
	return {
		minutes_included: 2_000,
		minutes_used: 1_312.5,
		minutes_remaining: 687.5,
		extra_minutes_used: 0,
		period_start: iso(Date.UTC(year, month, 1)),
		period_end: iso(Date.UTC(year, month + 1, 1)),
	};
}
