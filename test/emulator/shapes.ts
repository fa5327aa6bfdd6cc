import { isObject, type Fields } from './checks.ts';
import type { Readings } from './readings.ts';
import type { CalendarEvent, Turn } from './records.ts';
import type { Kind } from './wire.ts';

/** How a server shows a record in a form of its own, and understands it. Both have the store's names. */
interface Shape {
	show(record: Fields, readings: Readings): unknown;
	/** The inverse. Absent: nobody sends it. */
	read?(record: Fields, readings: Readings): Fields;
}

/** Another server's names for the two backends of the beta provider. */
const BACKENDS: Fields = { backend_primary: 'regional', backend_studio: 'studio-2' };

const agent: Shape = {
	show(record, { betaBackend }) {
		const backend = BACKENDS[String(record.beta_backend)];
		return betaBackend === 'own' && backend ? { ...record, beta_backend: backend } : record;
	},
	read(record, { betaBackend }) {
		const { beta_backend: sent } = record;
		if (betaBackend !== 'own' || typeof sent !== 'string') return record;
		const [known] = Object.entries(BACKENDS).find(([, own]) => own === sent) ?? [];
		return { ...record, beta_backend: known ?? `${sent} (which is no backend)` };
	},
};

/** A record with a field that only the server may set. A body that holds it is refused. */
const withOwnFields: Shape = {
	show: (record, { ownFields }) => (ownFields === 'revision' ? { ...record, revision: 7 } : record),
};

const contact: Shape = {
	show(record, readings) {
		const { custom_fields: fields } = record;
		if (readings.customFields === 'object' || !isObject(fields))
			return withOwnFields.show(record, readings);
		const list = Object.entries(fields).map(([name, value]) => ({ name, value }));
		return withOwnFields.show({ ...record, custom_fields: list }, readings);
	},
	read(record, { customFields }) {
		const { custom_fields: list } = record;
		if (customFields === 'object' || !Array.isArray(list) || !list.every(isObject)) return record;
		const pairs = list.map(({ name, value }) => [name, value]);
		return { ...record, custom_fields: Object.fromEntries(pairs) };
	},
};

const call: Shape = {
	show(record, { callAgent }) {
		const { agent_id, agent_name, ...rest } = record;
		if (callAgent === 'absent') return rest;
		if (callAgent === 'id' || agent_id === undefined) return record;
		return { ...rest, agent: { id: agent_id, name: agent_name } };
	},
	read({ agent: { id, name } = {}, ...rest }: Fields & { agent?: Fields }) {
		return id === undefined ? rest : { ...rest, agent_id: id, agent_name: name };
	},
};

const TRANSCRIPTS: Record<Readings['transcript'], (id: unknown, turns: Turn[]) => unknown> = {
	turns: (call_id, turns) => ({ call_id, turns }),
	list: (_id, turns) => turns,
	messages(call_id, turns) {
		const messages = turns.map(({ role, text, at_seconds }) => {
			return { speaker: role, content: text, offset: at_seconds };
		});
		return { call_id, language: 'en', messages };
	},
	text: (_id, turns) => turns.map(({ role, text }) => `${role}: ${text}`).join('\n'),
};

/** The reference names no states of campaigns. */
export const campaignState = {
	shown: (state: string, { campaignStates }: Readings) =>
		({
			'lower case': state,
			'upper case': state.toUpperCase(),
			'other words': `is_${state}`,
		})[campaignStates],
	understood: (state: string, readings: Readings) => {
		const known = state.toLowerCase().replace(/^is_/, '');
		return campaignState.shown(known, readings) === state ? known : `not ${state}`;
	},
};

const campaign: Shape = {
	show(record, readings) {
		const { total_contacts, contacted, completed, failed, ...rest } = record;
		const counters = { total_contacts, contacted, completed, failed };
		const status = campaignState.shown(String(rest.status), readings);
		const isFlat = readings.campaignCounters === 'flat';
		return { ...rest, status, ...(isFlat ? counters : { progress: counters }) };
	},
	read({ progress, ...rest }, readings) {
		const status = campaignState.understood(String(rest.status), readings);
		return { ...rest, ...(isObject(progress) && progress), status };
	},
};

const MEMBERS: Record<Readings['members'], (contact: Fields) => Fields> = {
	contacts: (contact) => contact,
	memberships: ({ id, ...rest }) => ({ id: `member-${String(id)}`, contact_id: id, ...rest }),
	'nested contacts': (contact) => ({ id: `member-${String(contact.id)}`, contact }),
};

const member: Shape = {
	show: (record, readings) => MEMBERS[readings.members](contact.show(record, readings) as Fields),
	read({ contact: nested, contact_id, ...rest }, readings) {
		const flat = contact_id === undefined ? rest : { ...rest, id: contact_id };
		return contact.read!(isObject(nested) ? nested : flat, readings);
	},
};

const MEMBERSHIPS: Record<Readings['membership'], (report: Fields) => Fields> = {
	lists: (report) => report,
	counts: ({ unknown_contact_ids, unknown_phone_numbers, ...rest }) => ({
		...rest,
		not_found: [unknown_contact_ids, unknown_phone_numbers].flat().length,
	}),
	object: ({ unknown_contact_ids: contacts, unknown_phone_numbers: numbers, ...result }) => ({
		result,
		unknown: { contacts, numbers },
	}),
};

const TASKS: Record<Readings['taskId'], (task: Fields) => Fields> = {
	task_id: (task) => task,
	id: ({ task_id }) => ({ id: task_id }),
	task: ({ task_id }) => ({ task: { id: task_id, state: 'queued' } }),
};

const signed = (record: Fields, { sign }: Readings): Fields => {
	const isNegative = sign === 'negative' && record.transaction_type === 'CONSUME';
	return isNegative ? { ...record, amount: -Number(record.amount) } : record;
};

type Days = Array<{ date: string; events: CalendarEvent[] }>;

const DAYS: Record<Readings['events'], (days: Days) => unknown> = {
	'list of groups': (days) => days,
	'object by date': (days) => Object.fromEntries(days.map(({ date, events }) => [date, events])),
	flat: (days) => days.flatMap(({ events }) => events),
};

export const SHAPES: Partial<Record<Kind, Shape>> = {
	agent,
	call,
	campaign,
	catalogue: withOwnFields,
	contact,
	eventDays: { show: ({ days }, { events }) => DAYS[events](days as Days) },
	item: withOwnFields,
	member,
	membership: { show: (report, { membership }) => MEMBERSHIPS[membership](report) },
	testCall: {
		show: (task, { taskId }) => TASKS[taskId](task),
		read({ id, task, ...rest }) {
			const task_id = isObject(task) ? task.id : id;
			return task_id === undefined ? rest : { ...rest, task_id };
		},
	},
	tool: {
		show: (config, { toolConfig }) => (toolConfig === 'wrapped' ? { config } : config),
	},
	transaction: { show: signed, read: signed },
	transcript: {
		show: ({ call_id, turns }, { transcript }) =>
			turns === null ? null : TRANSCRIPTS[transcript](call_id, turns as Turn[]),
	},
};
