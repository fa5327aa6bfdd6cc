import type { INodeProperties } from 'n8n-workflow';

import { byText, isObject, tidy, type JsonObject } from '../json';
import { isPath } from './baseUrl';

// Paths and names of fields that the reference says are "not shown". They belong to an account: its
// credential says where they differ from the usual ones. docs/assumptions.md is made from this file.

/** Something that an account may name in its own way. */
interface Named<T> {
	/** What it is, as the credential shows it. */
	label: string;
	/** What counts if the credential says nothing. */
	usual: T;
	/** Undefined if the text cannot be such a name. */
	read(text: string): T | undefined;
	/** What a name must be, for an error. */
	rule: string;
}

/** Some texts, separated by commas. */
const several = (
	label: string,
	usual: readonly string[],
	rule = 'names of fields, separated by commas',
): Named<readonly string[]> => ({
	label,
	usual,
	read(text) {
		const names = text.split(',').map(tidy).filter(Boolean);
		return names.length > 0 && names.every((name) => name.length <= 200) ? names : undefined;
	},
	rule,
});

const single = (
	label: string,
	usual: string,
	rule = 'the name of one field',
	fits = /^[^,\p{Cc}]{1,200}$/u,
): Named<string> => ({
	label,
	usual,
	read: (text) => (fits.test(text) ? text : undefined),
	rule,
});

/** One part of a path. */
const SEGMENT = /^(?!\.{1,2}$)[\w.~-]{1,200}$/;

/** A path, or a method and a path. @param id what the path must contain */
const place = (label: string, usual: string, id = ''): Named<string> => {
	const [, method] = /^([A-Z]+) /.exec(usual) ?? [];
	return {
		label,
		usual,
		read(text) {
			const [, own = method, path] = /^(?:(DELETE|PATCH|POST|PUT) +)?(.*)$/i.exec(text) ?? [];
			const isRight = path?.includes(id) && isPath(path) && !/[{}]/.test(path.replace(id, ''));
			if (!isRight || (own !== undefined && method === undefined)) return undefined;
			return method === undefined ? path : `${own?.toUpperCase()} ${path}`;
		},
		rule: `${method === undefined ? 'a path' : 'a method and a path'} below the 'Base URL'${id && ` with ${id}`}, such as ${usual}`,
	};
};

const EVENT = '{event_id}';

/** All that an account may name. The label says first what has it. */
export const NAMES = {
	agentBackend: single('Agent: Beta Backend', 'beta_backend'),
	callAgent: several('Call: Agent', ['agent_id', 'agent']),
	callLength: several('Call: Length', [
		'duration_seconds',
		'call_duration_seconds',
		'duration_in_seconds',
		'duration_minutes',
		'duration_ms',
	]),
	/** Blank: by the name of the field, or else seconds. */
	callUnit: single(
		'Call: Unit of Its Length',
		'',
		'seconds, minutes or milliseconds',
		/^(seconds|minutes|milliseconds)$/,
	),
	callNumber: several('Call: Number Called', ['phone_number', 'to_number', 'called_number', 'to']),
	callStatus: several('Call: Status', ['call_status', 'status']),
	callTask: several('Call: Task', ['task_id', 'task']),
	campaignEnds: several(
		'Campaign: Final Statuses',
		['completed', 'finished', 'done', 'ended', 'stopped', 'cancelled', 'failed'],
		'statuses, separated by commas',
	),
	campaignState: several('Campaign: Status', ['status', 'state']),
	contactPhone: single('Contact: Phone Number', 'phone_number'),
	currency: several('Order or Transaction: Currency', ['currency', 'currency_code']),
	eventApprove: place('Calendar Event: Approve', `POST /events/${EVENT}/approve`, EVENT),
	eventConfirm: place('Calendar Event: Confirm', `POST /events/${EVENT}/confirm`, EVENT),
	eventDate: several('Calendar Event: Date', [
		'date',
		'day',
		'event_date',
		'start_date',
		'start_at',
		'starts_at',
		'start_time',
		'start',
		'start.date',
		'start.dateTime',
		'scheduled_at',
	]),
	eventPath: place('Calendar Event: Path', `/events/${EVENT}`, EVENT),
	eventReject: place('Calendar Event: Reject', `POST /events/${EVENT}/reject`, EVENT),
	eventState: several('Calendar Event: Status', ['status', 'state']),
	healthPath: place('Health: Path', '/health'),
	itemSku: single('Item: SKU', 'sku'),
	orderLines: several('Order: Line Items', ['line_items', 'items']),
	portalBeauty: single('Portal: Beauty', 'beauty', 'one part of a path', SEGMENT),
	portalFood: single('Portal: Food', 'food', 'one part of a path', SEGMENT),
	portalRealEstate: single('Portal: Real Estate', 'real_estate', 'one part of a path', SEGMENT),
	transactionAmount: several('Transaction: Amount', ['amount', 'value', 'total_amount']),
	transactionDate: several('Transaction: Date', [
		'created_at',
		'transaction_date',
		'timestamp',
		'date',
	]),
} satisfies Record<string, Named<unknown>>;

export type NameKey = keyof typeof NAMES;

/** What one account calls things. */
export type Names = { readonly [Key in NameKey]: (typeof NAMES)[Key]['usual'] };

const ENTRIES = Object.entries(NAMES) as Array<[NameKey, Named<string | readonly string[]>]>;

/** The names of an account whose credential says nothing. */
export const USUAL_NAMES = Object.fromEntries(
	ENTRIES.map(([key, { usual }]) => [key, usual]),
) as unknown as Names;

const LABEL = 'Names in This API';

/** Where a user enters a name, for a message. */
export const enterAs = (...keys: NameKey[]) =>
	`enter its name in the credential, under '${LABEL}', as ${keys.map((key) => `'${NAMES[key].label}'`).join(' or ')}`;

/**
 * The names of an account: the usual ones, and those that its credential has.
 *
 * @param given the credential's value of `namesProperty`
 * @throws Error that says which entry is wrong, and what it must be
 */
export function namesIn(given: unknown): Names {
	const names: JsonObject = { ...USUAL_NAMES };
	const seen = new Set<string>();
	for (const entry of entriesIn(given)) {
		const { what, name = '' } = isObject(entry) ? entry : {};
		const text = typeof name === 'string' ? tidy(name) : undefined;
		if (text === '') continue;
		const [key, named] = ENTRIES.find(([known]) => known === what) ?? [];
		if (key === undefined || named === undefined)
			throw wrong('an entry that this version does not know', 'Choose it again, or remove it.');
		if (seen.has(key))
			throw wrong(`'${named.label}' twice`, 'Write several names into one entry, with commas.');
		seen.add(key);
		const read = text === undefined ? undefined : named.read(text);
		if (read === undefined) throw wrong(`a wrong '${named.label}'`, `It must be ${named.rule}.`);
		names[key] = read;
	}
	return names as unknown as Names;
}

const wrong = (what: string, advice: string) =>
	new Error(`The credential has ${what} under '${LABEL}'. ${advice}`);

function entriesIn(given: unknown): unknown[] {
	const list = isObject(given) ? (given.name ?? []) : (given ?? '');
	if (list === '') return [];
	if (!Array.isArray(list)) throw wrong('a value that is no list', 'Enter the names one by one.');
	return list;
}

const byLabel = byText<{ name: string }>(({ name }) => name);

const inWords = (usual: string | readonly string[]) => [usual].flat().join(', ');

/** The names of an account, in its credential. No secret is among them. */
export const namesProperty: INodeProperties = {
	displayName: LABEL,
	name: 'names',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Name',
	default: {},
	description:
		'What your API calls things, if it differs from the usual names. Most accounts need none.',
	options: [
		{
			displayName: 'Name',
			name: 'name',
			values: [
				{
					displayName: 'What',
					name: 'what',
					type: 'options',
					options: ENTRIES.map(([value, { label, usual, rule }]) => ({
						name: label,
						value,
						description: `Usually ${inWords(usual) || rule}`,
					})).sort(byLabel),
					default: 'callLength',
					description: 'What has another name in your API',
				},
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					placeholder: 'e.g. talk_time',
					description: 'Its name in your API. Leave empty for the usual one.',
				},
			],
		},
	],
};
