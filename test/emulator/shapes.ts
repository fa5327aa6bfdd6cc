import { isObject } from './checks.ts';
import type { Fields } from './checks.ts';
import type { Readings } from './readings.ts';
import type { CalendarEvent, Contact, Turn } from './records.ts';
import type { Kind } from './wire.ts';

/** Another server's names for the two backends of the beta provider. */
const BACKENDS: Fields = { backend_primary: 'regional', backend_studio: 'studio-2' };

const agent: Shape = (record, inner, { betaBackend }) => {
	const backend = BACKENDS[String(record.beta_backend)];
	const isShown = betaBackend === 'own' && backend !== undefined;
	return inner('agent')(isShown ? { ...record, beta_backend: backend } : record);
};

function withoutBackendName(record: Fields, { betaBackend }: Readings): Fields {
	const { beta_backend: sent } = record;
	if (betaBackend !== 'own' || typeof sent !== 'string') return record;
	const [known] = Object.entries(BACKENDS).find(([, own]) => own === sent) ?? [];
	return { ...record, beta_backend: known ?? `${sent} (which is no backend)` };
}

/** Adds a field that only the server may set. A body that holds it is refused. */
const withOwnFields: Shape = (record, _inner, { ownFields }) =>
	ownFields === 'revision' ? { ...record, revision: 7 } : record;

/** Gives the fields of a record the names and values of the server. */
type Inner = (kind: Kind) => (record: Fields) => Fields;

type Shape = (data: Fields, inner: Inner, readings: Readings) => unknown;

function withCustomFields(contact: Fields, { customFields }: Readings): Fields {
	const { custom_fields, ...rest } = contact as Fields & Pick<Contact, 'custom_fields'>;
	if (custom_fields === undefined || customFields === 'object') return contact;
	const entries = Object.entries(custom_fields);
	return { ...rest, custom_fields: entries.map(([name, value]) => ({ name, value })) };
}

function withoutShape(contact: Fields, { customFields }: Readings): Fields {
	const { custom_fields: sent, ...rest } = contact;
	if (customFields === 'object' || sent === undefined) return contact;
	const pairs = (Array.isArray(sent) ? sent : []).filter(isObject);
	const isList = Array.isArray(sent) && pairs.length === sent.length;
	const fields = Object.fromEntries(pairs.map(({ name, value }) => [String(name), value]));
	return { ...rest, custom_fields: isList ? fields : sent };
}

const call: Shape = (record, inner, { callAgent }) => {
	const { agent_id, agent_name, ...rest } = record;
	if (callAgent === 'absent') return inner('call')(rest);
	if (callAgent === 'id' || agent_id === undefined) return inner('call')(record);
	return { ...inner('call')(rest), agent: { id: agent_id, name: agent_name } };
};

const TRANSCRIPTS: Record<Readings['transcript'], (id: unknown, turns: Turn[]) => unknown> = {
	turns: (call_id, turns) => ({ call_id, turns }),
	list: (_id, turns) => turns,
	messages: (call_id, turns) => ({
		call_id,
		language: 'en',
		messages: turns.map(({ role, text, at_seconds }) => ({
			speaker: role,
			content: text,
			offset: at_seconds,
		})),
	}),
	text: (_id, turns) => turns.map(({ role, text }) => `${role}: ${text}`).join('\n'),
};

const transcript: Shape = (record, inner, readings) => {
	const { call_id } = inner('transcript')(record);
	if (record.turns === null) return null;
	return TRANSCRIPTS[readings.transcript](call_id, record.turns as Turn[]);
};

const STATES: Record<Readings['campaignStates'], (state: string) => string> = {
	'lower case': (state) => state,
	'upper case': (state) => state.toUpperCase(),
	'other words': (state) => `is_${state}`,
};

const BACK: Record<Readings['campaignStates'], (state: string) => string> = {
	'lower case': (state) => state,
	'upper case': (state) => (state === state.toUpperCase() ? state.toLowerCase() : `not ${state}`),
	'other words': (state) => (state.startsWith('is_') ? state.slice(3) : `not ${state}`),
};

export const campaignState = {
	shown: (state: string, { campaignStates }: Readings) => STATES[campaignStates](state),
	understood: (state: string, { campaignStates }: Readings) => BACK[campaignStates](state),
};

const campaign: Shape = (record, inner, readings) => {
	const { total_contacts, contacted, completed, failed, ...rest } = record;
	const status = campaignState.shown(String(rest.status), readings);
	const counters = { total_contacts, contacted, completed, failed };
	if (readings.campaignCounters === 'flat')
		return inner('campaign')({ ...rest, status, ...counters });
	return { ...inner('campaign')({ ...rest, status }), progress: inner('campaign')(counters) };
};

const contact: Shape = (record, inner, readings) =>
	withOwnFields(inner('contact')(withCustomFields(record, readings)), inner, readings);

const MEMBERS: Record<Readings['members'], (contact: Fields) => Fields> = {
	contacts: (contact) => contact,
	memberships: ({ id, ...rest }) => ({ id: `member-${String(id)}`, contact_id: id, ...rest }),
	'nested contacts': (contact) => ({ id: `member-${String(contact.id)}`, contact }),
};

/** The contact behind a member of a contact list. */
export function contactOf({ contact, contact_id, ...rest }: Fields): Fields {
	if (isObject(contact)) return contact;
	return contact_id === undefined ? rest : { ...rest, id: contact_id };
}

const MEMBERSHIPS: Record<Readings['membership'], (report: Fields) => Fields> = {
	lists: (report) => report,
	counts: ({ unknown_contact_ids, unknown_phone_numbers, ...rest }) => ({
		...rest,
		not_found: [unknown_contact_ids, unknown_phone_numbers].flat().length,
	}),
	object: ({ unknown_contact_ids, unknown_phone_numbers, ...result }) => ({
		result,
		unknown: { contacts: unknown_contact_ids, numbers: unknown_phone_numbers },
	}),
};

const TASKS: Record<Readings['taskId'], (task: Fields) => Fields> = {
	task_id: (task) => task,
	id: ({ task_id }) => ({ id: task_id }),
	task: ({ task_id }) => ({ task: { id: task_id, state: 'queued' } }),
};

const transaction: Shape = (record, inner, { sign }) => {
	const isNegative = sign === 'negative' && record.transaction_type === 'CONSUME';
	return inner('transaction')(isNegative ? { ...record, amount: -Number(record.amount) } : record);
};

type Day = { date: string; events: CalendarEvent[] };

const DAYS: Record<Readings['events'], (days: Day[], inner: Inner, readings: Readings) => unknown> =
	{
		'list of groups': (days, inner, { names }) =>
			days.map(({ date, events }) => {
				const rows = events.map((event) => inner('event')({ ...event }));
				return names === 'others' ? { day: date, items: rows } : { date, events: rows };
			}),
		'object by date': (days, inner) =>
			Object.fromEntries(
				days.map(({ date, events }) => [date, events.map((event) => inner('event')({ ...event }))]),
			),
		flat: (days, inner) =>
			days.flatMap(({ events }) => events.map((event) => inner('event')({ ...event }))),
	};

const SHAPES: Partial<Record<Kind, Shape>> = {
	agent,
	call,
	campaign,
	catalogue: (record, inner, readings) =>
		withOwnFields(inner('catalogue')(record), inner, readings),
	contact,
	item: (record, inner, readings) => withOwnFields(inner('item')(record), inner, readings),
	member: (record, inner, readings) =>
		MEMBERS[readings.members](contact(record, inner, readings) as Fields),
	membership: (report, inner, { membership }) =>
		inner('membership')(MEMBERSHIPS[membership](report)),
	tool(config, inner, { toolConfig }) {
		const fields = inner('tool')(config);
		return toolConfig === 'wrapped' ? { config: fields } : fields;
	},
	testCall: (task, inner, { taskId }) => TASKS[taskId](inner('testCall')(task)),
	transaction,
	transcript,
};

/** A record in the server's shape. */
export function reshaped(kind: Kind, data: unknown, inner: Inner, readings: Readings): unknown {
	if (kind === 'eventDays') return DAYS[readings.events](data as Day[], inner, readings);
	const shape = SHAPES[kind];
	return shape ? shape(data as Fields, inner, readings) : inner(kind)(data as Fields);
}

/** The inverse of a shape, for a record that has the store's field names again. */
type Unshape = (record: Fields, readings: Readings) => Fields;

const UNSHAPES: Partial<Record<Kind, Unshape>> = {
	agent: withoutBackendName,
	call({ agent, ...rest }) {
		return isObject(agent) ? { ...rest, agent_id: agent.id, agent_name: agent.name } : rest;
	},
	campaign({ progress, ...rest }, readings) {
		const status = campaignState.understood(String(rest.status), readings);
		return { ...rest, ...(isObject(progress) ? progress : {}), status };
	},
	contact: withoutShape,
	testCall({ id, task, ...rest }) {
		const task_id = isObject(task) ? task.id : id;
		return task_id === undefined ? rest : { ...rest, task_id };
	},
	transaction(record, { sign }) {
		const isNegative = sign === 'negative' && record.transaction_type === 'CONSUME';
		return isNegative ? { ...record, amount: -Number(record.amount) } : record;
	},
};

export function unshaped(kind: Kind, record: Fields, readings: Readings): Fields {
	return UNSHAPES[kind]?.(record, readings) ?? record;
}
