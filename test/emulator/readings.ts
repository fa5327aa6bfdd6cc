/**
 * What the reference leaves open: a trait for each question, with the answers (readings) that a server
 * may have. The emulator uses the first reading, unless a test says otherwise.
 */
export const TRAITS = {
	/** The ids of calls, orders, catalogues, items, contact lists, campaigns, events, transactions and tasks. */
	ids: ['uuid', 'encoded', 'whole number'],

	/** How a date-time ends. Without a zone it means UTC. */
	zone: ['Z', 'offset', 'none'],
	/** Digits of a second. With 6, the server also keeps microseconds. */
	fraction: ['3 digits', 'no digits', '6 digits'],
	/** Whether the answer includes a record whose time is exactly created_after. */
	bound: ['exclusive', 'inclusive'],
	/** To which unit times are cut before they are compared with created_after. */
	grain: ['finest', 'second'],

	money: ['number', 'text'],

	/** An estimate is a total rounded to tens: too high or too low. */
	meta: ['full', 'absent', 'estimate'],
	pageCap: ['none', 'some lists', 'every list'],
	/** The order of a list without `sort`, if the reference shows none. */
	order: ['newest first', 'oldest first', 'by id'],

	/** The status, and what the data is: the record, null, or no body at all. */
	created: ['201 record', '202 record', '200 null', '201 empty'],
	changed: ['200 record', '202 record', '200 null', '204 empty'],
	deleted: ['200 null', '200 record', '202 null', '204 empty'],
	/** What a PUT does with the fields that the body does not name. */
	put: ['replaces', 'merges'],
	/** Whether contacts, catalogues and items have a field that only the server sets. */
	ownFields: ['none', 'revision'],
	/** PATCH of events and tools: what happens to the fields of an object that the body does not name. */
	patchObjects: ['merges', 'replaces'],
	/** The form of a tool's configuration in a GET. A PATCH takes it without a wrapper. */
	toolConfig: ['bare', 'wrapped'],
	/** The real name and values behind the neutral word beta_backend. */
	betaBackend: ['neutral', 'own'],
	/** What happens to fields that cannot be written. An agent's are refused (section "Agent update", rule 5). */
	readOnly: ['refused', 'ignored'],

	/** Whether the server redirects to the path with, or without, a slash at its end. */
	slash: ['as listed', '301 adds', '308 takes'],

	/** The status of a rate limit, and how it says how long to wait. */
	limited: ['429 seconds', '429 date', '429 unsaid', '503 seconds'],
	refusal: ['envelope', 'html'],

	/** The names of fields that the reference describes without a name. */
	names: ['ours', 'others'],
	primaryPhone: ['phone_number', 'phone'],
	customFields: ['object', 'list'],
	callStatus: ['call_status', 'status'],
	callAgent: ['id', 'object', 'absent'],
	/** Whether a call names the task of its test call. */
	callTask: ['absent', 'task_id'],
	/** Whether the list shows calls that have not ended. */
	underWay: ['listed', 'hidden'],
	noSummary: ['404', 'null', 'blank', '409'],
	/** What only the detail of a call shows. */
	callDetail: ['transfer time', 'transfer time, providers'],
	transcript: ['turns', 'list', 'messages', 'text'],
	noTranscript: ['404', 'null', 'empty'],

	events: ['list of groups', 'object by date', 'flat'],
	eventPaths: ['event first', 'nested'],
	eventMethod: ['POST', 'PATCH'],

	/** What a contact list holds. */
	members: ['contacts', 'memberships', 'nested contacts'],
	membership: ['lists', 'counts', 'object'],
	campaignStates: ['lower case', 'upper case', 'other words'],
	campaignCounters: ['flat', 'nested'],
	/** The sign of a CONSUME's amount. */
	sign: ['positive', 'negative'],
	taskId: ['task_id', 'id', 'task'],
	health: ['/health', '/healthz', '/status/live'],
	portalPaths: ['lower case', 'upper case'],

	filterList: ['commas', 'brackets'],
} as const;

export type Trait = keyof typeof TRAITS;

export type Readings = { readonly [T in Trait]: (typeof TRAITS)[T][number] };

/** An imaginary server: where it differs from the emulator's usual readings. */
export interface Dialect {
	/** What kind of server this is, in one line. */
	about: string;
	readings: Partial<Readings>;
}

export const TRAIT_NAMES = Object.keys(TRAITS) as Trait[];

/** A reading for every trait: the given one, else the first. */
export function readingsOf(given: Partial<Readings> = {}): Readings {
	const usual = Object.fromEntries(TRAIT_NAMES.map((trait) => [trait, TRAITS[trait][0]]));
	return { ...usual, ...given } as Readings;
}
