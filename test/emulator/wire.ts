import { isObject } from './checks.ts';
import type { Fields } from './checks.ts';
import type { Readings } from './readings.ts';
import { contactOf, reshaped, unshaped } from './shapes.ts';
import { instant, written } from './time.ts';

/** What a route answers, or a list of it. */
export type Kind =
	| 'agent'
	| 'call'
	| 'campaign'
	| 'campaignStats'
	| 'catalogue'
	| 'contact'
	| 'contactList'
	| 'event'
	| 'eventDays'
	| 'item'
	| 'member'
	| 'membership'
	| 'order'
	| 'portalAccess'
	| 'summary'
	| 'testCall'
	| 'tool'
	| 'transaction'
	| 'transcript'
	| 'usage'
	| 'wallet'
	| 'other';

/** Their ids are UUIDs: the reference says so. */
const OF_UUID: ReadonlySet<Kind> = new Set(['agent', 'contact', 'tool', 'other']);

const REFERENCES = new Set(
	'call_id order_id catalogue_id item_id item_ids contact_list_id campaign_id event_id task_id'.split(
		' ',
	),
);

const MOMENTS = /_at$|^(transfer_time|valid_until|period_start|period_end)$/;

const MONEY =
	/^(price|unit_price|total_price|total_amount|amount|balance|cost|auto_topup_(threshold|amount))$/;

const MINUTES = /^(extra_)?minutes_/;

type Names = Readonly<Record<string, string>>;

/** Fields that the reference describes and does not spell, as another server may name them. */
const OTHER_NAMES: Partial<Record<Kind, Names>> = {
	call: {
		agent_name: 'assistant_name',
		phone_number: 'caller',
		direction: 'call_type',
		duration_seconds: 'talk_time',
		recording_url: 'audio',
		started_at: 'begin',
		ended_at: 'end',
	},
	contact: { first_name: 'given_name', last_name: 'family_name', email: 'mail', notes: 'remarks' },
	contactList: { description: 'remarks', contact_count: 'size' },
	item: { sku: 'article_code' },
	order: {
		order_number: 'reference',
		currency: 'currency_code',
		customer_name: 'buyer',
		customer_phone: 'buyer_phone',
		line_items: 'items',
	},
	event: { title: 'subject', date: 'day', start_time: 'from', end_time: 'to', status: 'state' },
	campaign: {
		total_contacts: 'audience',
		contacted: 'reached',
		completed: 'done',
		failed: 'errors',
	},
	transaction: {
		transaction_type: 'type',
		amount: 'value',
		created_at: 'date',
		description: 'text',
	},
	usage: { period_start: 'billing_from', period_end: 'billing_to' },
	wallet: {
		auto_topup_enabled: 'auto_topup',
		auto_topup_threshold: 'topup_below',
		auto_topup_amount: 'topup_by',
	},
	portalAccess: { product: 'marketplace_product', purchase_url: 'purchase_link' },
};

function namesOf(kind: Kind, readings: Readings): Names {
	const names: Record<string, string> = readings.names === 'others' ? { ...OTHER_NAMES[kind] } : {};
	if (kind === 'call' && readings.callStatus === 'status') names.call_status = 'status';
	if (kind === 'agent' && readings.betaBackend === 'own') names.beta_backend = 'lumen_backend';
	if (kind === 'contact' && readings.primaryPhone === 'phone') names.phone_number = 'phone';
	return names;
}

/** The name that a record's field has on the wire. */
export function nameOf(kind: Kind, field: string, readings: Readings): string {
	return namesOf(kind, readings)[field] ?? field;
}

/** The field that a name on the wire stands for; undefined for one that the server does not know. */
export function fieldOf(kind: Kind, name: string, readings: Readings): string | undefined {
	const names = namesOf(kind, readings);
	const [field] = Object.entries(names).find(([, other]) => other === name) ?? [];
	return field ?? (Object.hasOwn(names, name) ? undefined : name);
}

type Change = (value: unknown) => unknown;

/** Puts a change to a value, or to each of a list; null stays. */
const each =
	(change: Change): Change =>
	(value) => {
		if (Array.isArray(value)) return value.map(change);
		return value === null || value === undefined ? value : change(value);
	};

const toText = (value: unknown) => (typeof value === 'number' ? value.toFixed(2) : value);
const toNumber = (value: unknown) =>
	typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;

/** How a field's value is written on the wire. */
function writing(kind: Kind, field: string, readings: Readings): Change | undefined {
	const isId = REFERENCES.has(field) || (field === 'id' && !OF_UUID.has(kind));
	if (isId) return readings.ids === 'whole number' ? each(Number) : undefined;
	if (kind === 'agent') return undefined;
	if (MOMENTS.test(field)) {
		// As it is kept, which may be finer.
		if (readings.zone === 'Z' && readings.fraction === '3 digits') return undefined;
		return each((value) => {
			const moment = typeof value === 'string' ? instant(value) : undefined;
			return moment === undefined ? value : written(moment, readings);
		});
	}
	if (MONEY.test(field)) return readings.money === 'text' ? each(toText) : undefined;
	if (MINUTES.test(field)) return readings.minutes === 'text' ? each(toText) : undefined;
	return undefined;
}

/** The inverse of `writing`. */
function reading(kind: Kind, field: string, readings: Readings): Change | undefined {
	const isId = REFERENCES.has(field) || (field === 'id' && !OF_UUID.has(kind));
	if (isId) return each((value) => (typeof value === 'number' ? String(value) : value));
	if (MONEY.test(field)) return readings.money === 'text' ? each(toNumber) : undefined;
	if (MINUTES.test(field)) return readings.minutes === 'text' ? each(toNumber) : undefined;
	return undefined;
}

function shownValue(kind: Kind, field: string, value: unknown, readings: Readings): unknown {
	const change = writing(kind, field, readings);
	if (change) return change(value);
	if (Array.isArray(value))
		return value.map((one) => (isObject(one) ? shownFields(kind, one, readings) : one));
	return value;
}

function shownFields(kind: Kind, record: Fields, readings: Readings): Fields {
	const names = namesOf(kind, readings);
	return Object.fromEntries(
		Object.entries(record).map(([field, value]) => [
			names[field] ?? field,
			shownValue(kind, field, value, readings),
		]),
	);
}

/** A record of the store, or a list of them, as the server shows it. */
export function shown(kind: Kind, data: unknown, readings: Readings): unknown {
	if (Array.isArray(data) && kind !== 'eventDays')
		return data.map((record) => shown(kind, record, readings));
	const inner = (of: Kind) => (record: Fields) => shownFields(of, record, readings);
	if (isObject(data) || kind === 'eventDays') return reshaped(kind, data, inner, readings);
	return data;
}

function understoodValue(kind: Kind, field: string, value: unknown, readings: Readings): unknown {
	const change = reading(kind, field, readings);
	if (change) return change(value);
	const inner = (one: unknown) => (isObject(one) ? understoodFields(kind, one, readings) : one);
	return Array.isArray(value) ? value.map(inner) : inner(value);
}

function understoodFields(kind: Kind, record: Fields, readings: Readings): Fields {
	return Object.fromEntries(
		Object.entries(record).map(([name, value]) => {
			const field = fieldOf(kind, name, readings);
			if (field === undefined) return [`${name} (which is no field)`, value];
			// An event's extras and a contact's custom fields have names of their own.
			if (field === 'custom_fields' || field === 'extras') return [field, value];
			return [field, understoodValue(kind, field, value, readings)];
		}),
	);
}

/** The inverse of `shown`, of a record: what a client sends, or got, in the fields of the store. */
export function understood(kind: Kind, body: unknown, readings: Readings): unknown {
	if (!isObject(body)) return body;
	if (kind === 'member') return understood('contact', contactOf(body), readings);
	return unshaped(kind, understoodFields(kind, body, readings), readings);
}
