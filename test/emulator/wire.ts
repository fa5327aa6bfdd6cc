import { isObject, type Fields } from './checks.ts';
import type { Readings } from './readings.ts';
import { SHAPES } from './shapes.ts';
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

const IDS = /(^|_)ids?$/;
const MOMENTS = /_at$|^(transfer_time|valid_until|period_start|period_end)$/;
const MONEY =
	/^(price|unit_price|total_price|total_amount|amount|balance|cost|auto_topup_(threshold|amount))$/;

/** The names inside these are the user's own. */
const USERS = ['custom_fields', 'extras'];

type Names = Readonly<Record<string, string>>;

const CONTACT_NAMES: Names = {
	first_name: 'given_name',
	last_name: 'family_name',
	email: 'mail',
	notes: 'remarks',
};
const EVENT_NAMES: Names = {
	title: 'subject',
	date: 'day',
	events: 'items',
	start_time: 'from',
	end_time: 'to',
	status: 'state',
};

/** Other names for fields that the reference describes without a name. */
const OTHER_NAMES: Partial<Record<Kind, Names>> = {
	call: {
		agent_name: 'assistant_name',
		phone_number: 'caller',
		direction: 'call_type',
		duration_seconds: 'talk_time',
	},
	contact: CONTACT_NAMES,
	contactList: { description: 'remarks', contact_count: 'size' },
	event: EVENT_NAMES,
	eventDays: EVENT_NAMES,
	item: { sku: 'article_code' },
	member: CONTACT_NAMES,
	order: {
		order_number: 'reference',
		currency: 'currency_code',
		customer_name: 'buyer',
		customer_phone: 'buyer_phone',
		line_items: 'items',
	},
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

function namesOf(kind: Kind, { names, callStatus, betaBackend, primaryPhone }: Readings): Names {
	const isContact = kind === 'contact' || kind === 'member';
	return {
		...(names === 'others' && OTHER_NAMES[kind]),
		...(kind === 'call' && callStatus === 'status' && { call_status: 'status' }),
		...(kind === 'agent' && betaBackend === 'own' && { beta_backend: 'lumen_backend' }),
		...(isContact && primaryPhone === 'phone' && { phone_number: 'phone' }),
	};
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

/** A value as the server writes it. */
function shownValue(field: string, value: unknown, { ids, money, ...form }: Readings): unknown {
	if (IDS.test(field))
		return ids === 'whole number' && /^\d+$/.test(String(value)) ? Number(value) : value;
	if (MOMENTS.test(field)) {
		// The store's own form, which may have more digits.
		if (form.zone === 'Z' && form.fraction === '3 digits') return value;
		const moment = typeof value === 'string' ? instant(value) : undefined;
		return moment === undefined ? value : written(moment, form);
	}
	const isText = money === 'text' && MONEY.test(field) && typeof value === 'number';
	return isText ? value.toFixed(2) : value;
}

/** The inverse of `shownValue`. */
function readValue(field: string, value: unknown, { money }: Readings): unknown {
	if (IDS.test(field)) return typeof value === 'number' ? String(value) : value;
	const isNumber = money === 'text' && MONEY.test(field) && /^-?\d+(\.\d+)?$/.test(String(value));
	return isNumber ? Number(value) : value;
}

/** Gives fields, and those of objects inside, other names and values. */
function changed(
	value: unknown,
	nameFor: (name: string) => string,
	valueFor: (field: string, value: unknown, name: string) => unknown,
	[field, name] = ['', ''],
): unknown {
	if (USERS.includes(field) || USERS.includes(name)) return value;
	if (Array.isArray(value))
		return value.map((item) => changed(item, nameFor, valueFor, [field, name]));
	if (!isObject(value)) return valueFor(field, value, name);
	return Object.fromEntries(
		Object.entries(value).map(([from, inner]) => {
			const to = nameFor(from);
			return [to, changed(inner, nameFor, valueFor, [from, to])];
		}),
	);
}

/** A record of the store, or a list of records, as the server shows it. */
export function shown(kind: Kind, data: unknown, readings: Readings): unknown {
	if (Array.isArray(data)) return data.map((record) => shown(kind, record, readings));
	const shape = SHAPES[kind];
	const shaped = shape && isObject(data) ? shape.show(data, readings) : data;
	const names = namesOf(kind, readings);
	return changed(
		shaped,
		(field) => names[field] ?? field,
		(field, value) => shownValue(field, value, readings),
	);
}

/** The inverse of `shown` for one record: from the server's words to the fields of the store. */
export function understood(kind: Kind, body: unknown, readings: Readings): unknown {
	if (!isObject(body)) return body;
	const record = changed(
		body,
		(name) => fieldOf(kind, name, readings) ?? `${name} (which is no field)`,
		(_name, value, field) => readValue(field, value, readings),
	) as Fields;
	return SHAPES[kind]?.read?.(record, readings) ?? record;
}
