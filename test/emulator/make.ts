import { CAMPAIGN_STATES, SERVING_PROVIDERS } from './assumed.ts';
import { CALL_SUMMARY_DEFAULT_PROMPT, VOICES } from './platform.ts';
import type { Random } from './random.ts';
import type {
	Agent,
	AgentType,
	CalendarEvent,
	Call,
	Campaign,
	Catalogue,
	Contact,
	ContactList,
	Item,
	LineItem,
	Order,
	ToolConfig,
	Transaction,
} from './records.ts';
import { iso } from './time.ts';
import * as words from './words.ts';

/** Makes one believable record at a moment; what a caller gives stands, the rest is drawn. */
export interface Draw {
	random: Random;
	at: number;
	id: (kind: Numbered) => string;
	/** The `created_at` of what a list is polled for, which may be finer than `at`. */
	moment: () => string;
}

/** What has an id that the reference does not call a UUID. */
export type Numbered =
	| 'call'
	| 'campaign'
	| 'catalogue'
	| 'contact_list'
	| 'event'
	| 'item'
	| 'order'
	| 'task'
	| 'transaction';

/** Section "Call status". */
export const CALL_STATUSES = [
	'Completed',
	'Not Answered',
	'Rejected',
	'Failed',
	'Busy',
	'Voicemail',
	'Ended In Queue',
] as const;

/** Section "Order". */
export const ORDER_STATUSES = [
	'pending',
	'confirmed',
	'completed',
	'cancelled',
	'refused',
] as const;

/** Tools of the two kinds of agent that speak on the phone; a meta or WhatsApp agent has none. */
export function toolsFor(type: AgentType): Record<string, ToolConfig> {
	if (type !== 'inbound' && type !== 'outbound') return {};
	return {
		'end-the-call': { enabled: true, instructions: 'Say goodbye first.' },
		'make-reservation': {
			enabled: true,
			minimum_notice_hours: 2,
			max_party_size: 8,
			instructions: null,
			reminder: { sms: true, hours_before: 3 },
		},
		'transfer-to-operator': { enabled: false, message: null, business_hours_only: true },
		'transfer-to-phone': {
			enabled: true,
			phone_number: '+390612345678',
			message: 'One moment, I am putting you through.',
		},
		'place-order': {
			enabled: type === 'inbound',
			catalogue_id: null,
			require_confirmation: true,
			instructions: null,
		},
	};
}

function fieldsOf(type: AgentType, random: Random): Partial<Agent> {
	if (type === 'inbound') return { inbound_phone_number_id: random.uuid() };
	if (type === 'outbound') return { outbound_phone_number_id: random.uuid() };
	if (type === 'whatsapp') {
		return {
			dm_debounce_seconds: 20,
			whatsapp_handoff_instructions: null,
			whatsapp_greeting_text: 'Welcome to Trattoria Aurora!',
			whatsapp_no_reply_rules: null,
		};
	}
	return {
		comment_moderation_instructions: 'Hide insults.',
		comment_reply_instructions: null,
		dm_reply_mode: 'agent',
		dm_debounce_seconds: 0,
	};
}

export function makeAgent(
	{ random, at }: Draw,
	type: AgentType,
	partial: Partial<Agent> = {},
): Agent {
	const provider = partial.ai_provider === undefined ? 'base' : partial.ai_provider;
	return {
		id: random.uuid(),
		name: `${type} agent`,
		agent_type: type,
		is_active: true,
		ai_provider: provider,
		first_message: random.pick(words.OPENINGS),
		disable_first_message_interruptions: false,
		created_at: iso(at),
		updated_at: iso(at),
		organization_id: random.uuid(),
		selected_voice: VOICES.find((voice) => voice.ai_provider === provider)?.id ?? null,
		verified_caller_id: type === 'outbound' ? random.uuid() : null,
		prompt_instructions: 'You answer for Trattoria Aurora. Be brief and kind.',
		conversation_style: null,
		live_reasoning_effort: 'medium',
		live_conversation_settings: null,
		first_message_delay_seconds: 0.5,
		max_call_duration_minutes: 15,
		is_call_recording_enabled: true,
		is_transcript_saving_enabled: true,
		include_past_calls_in_context: false,
		past_calls_count: 3,
		auto_hide_abusive_comments: type === 'meta',
		user_silence_warning_seconds: 8,
		user_silence_hangup_seconds: 20,
		user_silence_prompt_message: 'Are you still there?',
		amd_enabled: type === 'outbound',
		amd_action: 'hangup',
		amd_voicemail_message: null,
		default_language: 'en',
		supported_languages: ['en', 'it'],
		ai_temperature: 0.7,
		ai_speed: 1,
		turn_detection_mode: 'semantic_vad',
		vad_eagerness: 'auto',
		vad_threshold: null,
		vad_silence_duration_ms: null,
		min_speech_duration_ms: 250,
		reasoning_effort: null,
		call_summary_custom_prompt: null,
		call_summary_language: null,
		call_summary_default_prompt: CALL_SUMMARY_DEFAULT_PROMPT,
		beta_backend: null,
		...fieldsOf(type, random),
		...partial,
	};
}

export function makePhone(random: Random): string {
	return `+39320${random.integer(1_000_000, 9_999_999)}`;
}

export function makeContact({ random, at }: Draw, partial: Partial<Contact> = {}): Contact {
	const first = random.pick(words.FIRST_NAMES);
	const last = random.pick(words.LAST_NAMES);
	return {
		id: random.uuid(),
		first_name: first,
		last_name: last,
		email: random.chance(0.7) ? `${first}.${last}@example.test`.toLowerCase() : null,
		phone_number: makePhone(random),
		secondary_phone_number: random.chance(0.2) ? makePhone(random) : null,
		notes: random.chance(0.3) ? 'Prefers a table by the window' : null,
		custom_fields: {
			loyalty_tier: random.pick(['gold', 'silver', null]),
			birthday: random.chance(0.5)
				? `19${random.integer(50, 99)}-0${random.integer(1, 9)}-1${random.integer(0, 9)}`
				: null,
		},
		created_at: iso(at),
		updated_at: iso(at),
		...partial,
	};
}

export function makeContactList({ at, id }: Draw, partial: Partial<ContactList> = {}): ContactList {
	return {
		id: id('contact_list'),
		name: 'Regulars',
		description: null,
		created_at: iso(at),
		...partial,
	};
}

interface CallParties {
	agent?: Agent | undefined;
	contact?: Contact | undefined;
}

export function makeCall(
	{ random, at, id: newId, moment }: Draw,
	{ agent, contact }: CallParties,
	partial: Partial<Call> = {},
): Call {
	const status =
		partial.call_status ?? (random.chance(0.7) ? 'Completed' : random.pick(CALL_STATUSES));
	const duration = status === 'Completed' ? random.integer(20, 600) : random.integer(0, 15);
	const measured = random.chance(0.8);
	const id = newId('call');
	return {
		id,
		created_at: moment(),
		agent_id: agent?.id ?? random.uuid(),
		agent_name: agent?.name ?? 'Former agent',
		contact_id: contact?.id ?? null,
		phone_number: contact?.phone_number ?? makePhone(random),
		direction: agent?.agent_type === 'outbound' ? 'outbound' : 'inbound',
		call_status: status,
		duration_seconds: duration,
		recording_url:
			status === 'Completed' ? `https://files.example.test/recordings/${id}.mp3` : null,
		cost: Math.round(duration * 0.25) / 100,
		language: random.pick(['it', 'en', null]),
		started_at: iso(at),
		ended_at: iso(at + duration * 1000),
		sentiment: status === 'Completed' ? random.pick(['positive', 'neutral', 'negative']) : null,
		tags: random.chance(0.4) ? [random.pick(words.TAGS)] : [],
		ai_provider: measured ? random.pick(SERVING_PROVIDERS) : null,
		ai_provider_fallback_used: measured ? random.chance(0.05) : null,
		transfer_time: status === 'Completed' && random.chance(0.1) ? iso(at + duration * 500) : null,
		...partial,
	};
}

export function makeCatalogue({ at, id }: Draw, partial: Partial<Catalogue> = {}): Catalogue {
	return { id: id('catalogue'), name: 'Menu', description: null, created_at: iso(at), ...partial };
}

export function makeSku(random: Random): string {
	return `SKU-${random.uuid().slice(0, 8).toUpperCase()}`;
}

export function makeItem({ random, at, id }: Draw, partial: Partial<Item> = {}): Item {
	const [name, category, price] = random.pick(words.DISHES);
	return {
		id: id('item'),
		sku: makeSku(random),
		name,
		description: `${partial.category ?? category}, made to order`,
		price,
		currency: 'EUR',
		quantity: random.integer(0, 80),
		category,
		catalogue_id: null,
		created_at: iso(at),
		...partial,
	};
}

function makeLine(random: Random): LineItem {
	const [name, category, price] = random.pick(words.DISHES);
	const quantity = random.integer(1, 4);
	const sku = `${category}-${name}`.toUpperCase().replaceAll(/[^A-Z]+/g, '-');
	return {
		name,
		sku,
		quantity,
		unit_price: price,
		total_price: Math.round(quantity * price * 100) / 100,
	};
}

export function makeOrder(
	{ random, at, id, moment }: Draw,
	call: Call | undefined,
	partial: Partial<Order> = {},
): Order {
	const lines =
		partial.line_items ?? Array.from({ length: random.integer(1, 4) }, () => makeLine(random));
	const total = lines.reduce((sum, line) => sum + line.total_price, 0);
	const status = partial.status ?? random.pick(ORDER_STATUSES);
	const delivered = random.chance(0.6);
	return {
		id: id('order'),
		order_number: `A-${random.integer(10_000, 99_999)}`,
		status,
		status_reason: status === 'refused' ? 'Outside the delivery area' : null,
		notes: random.chance(0.3) ? 'Ring twice' : null,
		total_amount: Math.round(total * 100) / 100,
		currency: 'EUR',
		customer_name: `${random.pick(words.FIRST_NAMES)} ${random.pick(words.LAST_NAMES)}`,
		customer_phone: call?.phone_number ?? makePhone(random),
		contact_id: call?.contact_id ?? null,
		call_id: call?.id ?? null,
		agent_id: call?.agent_id ?? null,
		delivery_method: delivered ? 'delivery' : 'pickup',
		delivery_address: delivered ? `${random.pick(words.STREETS)} ${random.integer(1, 120)}` : null,
		created_at: moment(),
		updated_at: iso(at),
		line_items: lines,
		...partial,
	};
}

export function makeEvent(
	{ random, at, id }: Draw,
	contact: Contact | undefined,
	partial: Partial<CalendarEvent> = {},
): CalendarEvent {
	const hour = random.integer(11, 21);
	return {
		id: id('event'),
		title: random.pick(words.EVENT_TITLES),
		description: null,
		date: iso(at).slice(0, 10),
		start_time: `${hour}:00`,
		end_time: `${hour + 2}:00`,
		status: random.pick(['pending', 'approved', 'rejected', 'confirmed'] as const),
		contact_id: contact?.id ?? null,
		extras: { guests: random.integer(2, 8) },
		...partial,
	};
}

export function makeCampaign({ random, at, id }: Draw, partial: Partial<Campaign> = {}): Campaign {
	const total = random.integer(40, 200);
	const status = partial.status ?? random.pick(CAMPAIGN_STATES);
	const untouched = status === 'draft' || status === 'scheduled';
	const contacted = untouched ? 0 : status === 'completed' ? total : Math.floor(total / 2);
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
		...partial,
	};
}

export function makeTransaction(
	{ random, id, moment }: Draw,
	partial: Partial<Transaction> = {},
): Transaction {
	const type = partial.transaction_type ?? (random.chance(0.1) ? 'ADD' : 'CONSUME');
	return {
		id: id('transaction'),
		transaction_type: type,
		amount: type === 'ADD' ? 50 : random.integer(5, 200) / 100,
		description: type === 'ADD' ? 'Top-up' : 'Call minutes',
		created_at: moment(),
		...partial,
	};
}
