import { isObject } from './checks.ts';
import type { Fields } from './checks.ts';
import type { Readings } from './readings.ts';
import { contactOf, reshaped, unshaped } from './shapes.ts';
import { instant, written } from './time.ts';

/** The kinds of records that routes answer. */
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

/** Kinds whose ids are UUIDs, as the reference says. */
const OF_UUID: ReadonlySet<Kind> = new Set(['agent', 'contact', 'tool', 'other']);

const REFERENCES = new Set(
	'call_id order_id catalogue_id item_id item_ids contact_list_id campaign_id event_id task_id'.split(
		' ',
	),
);

const MOMENTS = /_at$|^(transfer_time|valid_until|period_start|period_end)$/;

const MONEY =
	/^(price|unit_price|total_price|total_amount|amount|balance|cost|auto_topup_(threshold|amount))$/;

type Names = Readonly<Record<string, string>>;

/** Other names for fields that the reference describes without a name. */
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

/** The server's name for a field of the store. */
export function nameOf(kind: Kind, field: string, readings: Readings): string {
	return namesOf(kind, readings)[field] ?? field;
}

/** The store's field for a name of the server; undefined if the server does not know the name. */
export function fieldOf(kind: Kind, name: string, readings: Readings): string | undefined {
	const names = namesOf(kind, readings);
	const [field] = Object.entries(names).find(([, other]) => other === name) ?? [];
	return field ?? (Object.hasOwn(names, name) ? undefined : name);
}

type Change = (value: unknown) => unknown;

/** Changes a value, or each value of a list. Null stays null. */
const each =
	(change: Change): Change =>
	(value) => {
		if (Array.isArray(value)) return value.map(change);
		return value === null || value === undefined ? value : change(value);
	};

const toText = (value: unknown) => (typeof value === 'number' ? value.toFixed(2) : value);
const toNumber = (value: unknown) =>
	typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;

const isNumberedId = (kind: Kind, field: string) =>
	REFERENCES.has(field) || (field === 'id' && !OF_UUID.has(kind));

/** Whether the server writes the numbers of this field as text. */
const isNumberAsText = (field: string, { money }: Readings) =>
	MONEY.test(field) && money === 'text';

/** How the server writes the value of a field; undefined: as it is in the store. */
function writing(kind: Kind, field: string, readings: Readings): Change | undefined {
	if (isNumberedId(kind, field)) return readings.ids === 'whole number' ? each(Number) : undefined;
	if (kind === 'agent') return undefined;
	if (MOMENTS.test(field)) {
		// The store's own form, which may have more digits.
		if (readings.zone === 'Z' && readings.fraction === '3 digits') return undefined;
		return each((value) => {
			const moment = typeof value === 'string' ? instant(value) : undefined;
			return moment === undefined ? value : written(moment, readings);
		});
	}
	return isNumberAsText(field, readings) ? each(toText) : undefined;
}

/** The inverse of `writing`. */
function reading(kind: Kind, field: string, readings: Readings): Change | undefined {
	if (isNumberedId(kind, field))
		return each((value) => (typeof value === 'number' ? String(value) : value));
	return isNumberAsText(field, readings) ? each(toNumber) : undefined;
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

/** A record of the store, or a list of records, as the server shows it. */
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
			// The names inside these are the user's own.
			if (field === 'custom_fields' || field === 'extras') return [field, value];
			return [field, understoodValue(kind, field, value, readings)];
		}),
	);
}

/** The inverse of `shown` for one record: from the server's words to the fields of the store. */
export function understood(kind: Kind, body: unknown, readings: Readings): unknown {
	if (!isObject(body)) return body;
	if (kind === 'member') return understood('contact', contactOf(body), readings);
	return unshaped(kind, understoodFields(kind, body, readings), readings);
}
