import { isObject, type Fields } from './checks.ts';
import type { Readings } from './readings.ts';
import type { CalendarEvent, Turn } from './records.ts';
import { instant, written } from './time.ts';

// The store holds records in the emulator's own words. This is how a server shows them, and how it is understood.

/** Other names for fields that the reference describes without a name. */
const CONTACT_NAMES = {
	first_name: 'given_name',
	last_name: 'family_name',
	email: 'mail',
	notes: 'remarks',
	phone_number: 'phone',
};
const EVENT_NAMES = {
	title: 'subject',
	date: 'day',
	events: 'items',
	status: 'state',
	start_time: 'from',
	end_time: 'to',
};
const OTHER_NAMES = {
	call: {
		phone_number: 'caller',
		duration_seconds: 'talk_time',
		call_status: 'status',
		direction: 'way',
	},
	campaign: {
		total_contacts: 'audience',
		contacted: 'reached',
		completed: 'done',
		failed: 'errors',
	},
	contact: CONTACT_NAMES,
	event: EVENT_NAMES,
	eventDays: EVENT_NAMES,
	item: { sku: 'article_code' },
	member: CONTACT_NAMES,
	order: { currency: 'currency_code', customer_name: 'buyer', line_items: 'items' },
	transaction: {
		transaction_type: 'type',
		amount: 'value',
		created_at: 'date',
		description: 'text',
	},
	usage: { period_start: 'billing_from', period_end: 'billing_to' },
	wallet: { auto_topup_enabled: 'auto_topup' },
};

/** The kinds of records that a server may show in words or forms of its own, and all other answers. */
export type Kind = keyof typeof OTHER_NAMES | keyof typeof SHAPES | 'agent' | 'other';

function namesOf(kind: Kind, { names, betaBackend }: Readings): Readonly<Record<string, string>> {
	if (kind === 'agent') return betaBackend === 'own' ? { beta_backend: 'lumen_backend' } : {};
	const others: Readonly<Record<string, object>> = names === 'others' ? OTHER_NAMES : {};
	return { ...others[kind] };
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

const IDS = /(^|_)ids?$/;
const MOMENTS = /_at$|^(transfer_time|valid_until|period_start|period_end)$/;
const MONEY = /^(price|unit_price|total_price|total_amount|amount|balance|cost)$/;

const hasStoredTimes = ({ zone, fraction }: Readings) => zone === 'Z' && fraction === '3 digits';

/** A value as the server writes it. */
function shownValue(field: string, value: unknown, readings: Readings): unknown {
	if (readings.ids === 'whole number' && IDS.test(field))
		return /^\d+$/.test(String(value)) ? Number(value) : value;
	// The store's own form may have more digits.
	if (!hasStoredTimes(readings) && MOMENTS.test(field)) {
		const moment = typeof value === 'string' ? instant(value) : undefined;
		return moment === undefined ? value : written(moment, readings);
	}
	const isText = readings.money === 'text' && MONEY.test(field) && typeof value === 'number';
	return isText ? value.toFixed(2) : value;
}

/** The inverse of `shownValue`. */
function readValue(field: string, value: unknown, { money }: Readings): unknown {
	if (IDS.test(field)) return typeof value === 'number' ? String(value) : value;
	const isNumber = money === 'text' && MONEY.test(field) && /^-?\d+(\.\d+)?$/.test(String(value));
	return isNumber ? Number(value) : value;
}

/** The names inside these are the user's own. */
const USERS = ['custom_fields', 'extras'];

/** Gives fields, and those of objects inside, other names and values. */
function changed(
	value: unknown,
	nameFor: (name: string) => string,
	valueFor: (value: unknown, from: string, to: string) => unknown,
	[from, to] = ['', ''],
): unknown {
	if (USERS.includes(from)) return value;
	if (Array.isArray(value))
		return value.map((item) => changed(item, nameFor, valueFor, [from, to]));
	if (!isObject(value)) return valueFor(value, from, to);
	const entries = Object.entries(value).map(([name, inner]) => {
		const other = nameFor(name);
		return [other, changed(inner, nameFor, valueFor, [name, other])];
	});
	return Object.fromEntries(entries);
}

/** A record of the store, or a list of records, as the server shows it. */
export function shown(kind: Kind, data: unknown, readings: Readings): unknown {
	if (Array.isArray(data)) return data.map((record) => shown(kind, record, readings));
	const shape = shapeOf(kind)?.show;
	const names = namesOf(kind, readings);
	const record = shape && isObject(data) ? shape(data, readings) : data;
	const { ids, money } = readings;
	const areStored = ids !== 'whole number' && money !== 'text' && hasStoredTimes(readings);
	if (areStored && Object.keys(names).length === 0) return record;
	return changed(
		record,
		(field) => names[field] ?? field,
		(value, field) => shownValue(field, value, readings),
	);
}

/** The inverse of `shown` for one record: from the server's words to the fields of the store. */
export function understood(kind: Kind, body: unknown, readings: Readings): unknown {
	if (!isObject(body)) return body;
	const record = changed(
		body,
		(name) => fieldOf(kind, name, readings) ?? `${name} (which is no field)`,
		(value, _name, field) => readValue(field, value, readings),
	) as Fields;
	return shapeOf(kind)?.read?.(record, readings) ?? record;
}

/** How a server shows a record in a form of its own, and understands it. Both have the store's names. */
interface Shape {
	show(record: Fields, readings: Readings): unknown;
	/** The inverse. Absent: nobody sends it, or looks at what is in another form. */
	read?(record: Fields, readings: Readings): Fields;
}

/** The reference names no states of campaigns. */
export function campaignState(state: string, { campaignStates }: Readings): string {
	if (campaignStates === 'lower case') return state;
	return campaignStates === 'upper case' ? state.toUpperCase() : `is_${state}`;
}

/** A record with a field that only the server may set. A body that holds it is refused. */
const withRevision: Shape = {
	show: (record, { readOnly }) =>
		readOnly === 'refused, revision' ? { ...record, revision: 7 } : record,
};

const contact: Shape = {
	show(record, readings) {
		const { custom_fields: fields } = record;
		if (readings.customFields === 'object' || !isObject(fields))
			return withRevision.show(record, readings);
		const list = Object.entries(fields).map(([name, value]) => ({ name, value }));
		return withRevision.show({ ...record, custom_fields: list }, readings);
	},
	read(record, { customFields }) {
		const { custom_fields: list } = record;
		if (customFields === 'object' || !Array.isArray(list) || !list.every(isObject)) return record;
		const pairs = list.map(({ name, value }) => [name, value]);
		return { ...record, custom_fields: Object.fromEntries(pairs) };
	},
};

type Days = Array<{ date: string; events: CalendarEvent[] }>;

const SHAPES = {
	call: {
		show(record, { callAgent }) {
			if (callAgent === 'id') return record;
			const { agent_id: id, agent_name: name, ...rest } = record;
			return callAgent === 'absent' ? rest : { ...rest, agent: { id, name } };
		},
	},
	campaign: {
		show({ total_contacts, contacted, completed, failed, ...rest }, readings) {
			const counters = { total_contacts, contacted, completed, failed };
			const status = campaignState(String(rest.status), readings);
			const isFlat = readings.campaignCounters === 'flat';
			return { ...rest, status, ...(isFlat ? counters : { progress: counters }) };
		},
		read: (record) => ({
			...record,
			status: String(record.status).toLowerCase().replace(/^is_/, ''),
		}),
	},
	catalogue: withRevision,
	contact,
	eventDays: {
		show({ days }, { events }) {
			if (events === 'list of groups') return days;
			if (events === 'flat') return (days as Days).flatMap((day) => day.events);
			return Object.fromEntries((days as Days).map(({ date, events }) => [date, events]));
		},
	},
	item: withRevision,
	member: {
		show(record, readings) {
			const { id, ...rest } = contact.show(record, readings) as Fields;
			if (readings.members === 'contacts') return { id, ...rest };
			const isNested = readings.members === 'nested contacts';
			return {
				id: `member-${String(id)}`,
				...(isNested ? { contact: { id, ...rest } } : { contact_id: id, ...rest }),
			};
		},
		read({ contact: nested, contact_id, ...rest }, readings) {
			const flat = contact_id === undefined ? rest : { ...rest, id: contact_id };
			return contact.read!(isObject(nested) ? nested : flat, readings);
		},
	},
	membership: {
		show(report, { membership }) {
			const { unknown_contact_ids: contacts, unknown_phone_numbers: numbers, ...result } = report;
			if (membership === 'lists') return report;
			if (membership === 'object') return { result, unknown: { contacts, numbers } };
			return { ...result, not_found: [contacts, numbers].flat().length };
		},
	},
	testCall: {
		show({ task_id }, { taskId }) {
			if (taskId === 'task') return { task: { id: task_id, state: 'queued' } };
			return { [taskId]: task_id };
		},
		read({ id, task, ...rest }) {
			const task_id = isObject(task) ? task.id : id;
			return task_id === undefined ? rest : { ...rest, task_id };
		},
	},
	tool: { show: (config, { toolConfig }) => (toolConfig === 'wrapped' ? { config } : config) },
	transaction: {
		show(record, { sign }) {
			const isNegative = sign === 'negative' && record.transaction_type === 'CONSUME';
			return isNegative ? { ...record, amount: -Number(record.amount) } : record;
		},
	},
	transcript: {
		show({ call_id, turns }, { transcript }) {
			if (transcript === 'turns' || turns === null) return turns && { call_id, turns };
			const all = turns as Turn[];
			if (transcript === 'text') return all.map(({ role, text }) => `${role}: ${text}`).join('\n');
			return all.map(({ role, text, at_seconds }) => {
				return { speaker: role, content: text, offset: at_seconds };
			});
		},
	},
} satisfies Record<string, Shape>;

const shapeOf = (kind: Kind) => (SHAPES as Readonly<Record<string, Shape>>)[kind];
