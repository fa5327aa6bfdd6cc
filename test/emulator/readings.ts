/**
 * What the reference leaves open, one trait for each silence, with the readings that a server may have.
 * The first reading of each is what the emulator speaks unless told otherwise.
 */
export const TRAITS = {
	/** Of calls, orders, catalogues, items, contact lists, campaigns, events, transactions and tasks. */
	ids: ['uuid', 'prefixed', 'encoded', 'whole number'],

	/** How a date-time ends. Without a zone it is meant as UTC. */
	zone: ['Z', 'offset', 'none'],
	/** Digits of a second; with 6 the server keeps microseconds, too. */
	fraction: ['3 digits', 'no digits', '6 digits'],
	/** Whether a record of the very moment of created_after belongs to the answer. */
	bound: ['exclusive', 'inclusive'],
	/** What two moments are cut to before created_after compares them. */
	grain: ['finest', 'millisecond', 'second'],

	money: ['number', 'text'],
	minutes: ['number', 'text'],

	/** An estimate is a total rounded to tens: too high or too low. */
	meta: ['full', 'absent', 'null', 'text', 'estimate'],
	/** What meta.limit says where the server used a smaller one than was asked for. */
	metaLimit: ['asked', 'used'],
	pageCap: ['none', 'some lists', 'every list'],
	/** Of a list without sort, where the reference shows none. */
	order: ['newest first', 'oldest first', 'by id'],
	/** sort=created_at, where the reference shows -created_at as the polling pattern. */
	ascending: ['served', 'refused', 'ignored'],
	/** The reference names no sort of /wallet/transactions. */
	transactionSort: ['known', 'unknown'],
	unknownQuery: ['refused', 'ignored'],

	/** The status, and what stands in data: the record, null, or no body at all. */
	created: ['201 record', '200 record', '202 record', '200 null', '201 empty'],
	changed: ['200 record', '202 record', '200 null', '200 empty', '204 empty'],
	deleted: ['200 null', '200 record', '200 empty', '202 null', '204 empty'],
	/** PUT: what becomes of the fields that the body does not name. */
	put: ['replaces', 'merges'],
	/** A read of one record that does not exist: refused, or a success without data. */
	missing: ['404', '200 null'],
	/** Whether contacts, catalogues and items show fields of the server's own that the reference does not name. */
	ownFields: ['none', 'revision'],
	/** PATCH of events and tools: what becomes of an object's fields that the body does not name. */
	patchObjects: ['merges', 'replaces'],
	/** GET of a tool's configuration; the PATCH takes it without a wrapper. */
	toolConfig: ['bare', 'wrapped'],
	/** What the neutral word beta_backend and its two values stand for. */
	betaBackend: ['neutral', 'own'],
	/** Fields of a body that cannot be written; an agent's are refused (section "Agent update", rule 5). */
	readOnly: ['refused', 'ignored'],

	/** A redirect to the same place with, or without, a slash at its end. */
	slash: ['as listed', '301 adds', '302 takes', '307 adds', '308 takes'],
	location: ['relative', 'absolute'],

	limited: ['429 seconds', '429 date', '429 reset', '429 unsaid', '503 seconds', '503 unsaid'],
	limitedBody: ['envelope', 'text', 'none'],
	refusal: ['envelope', 'detail', 'errors', 'problem', 'html'],

	/** The names of fields that the reference describes and does not spell, of every kind of record. */
	names: ['ours', 'others'],
	primaryPhone: ['phone_number', 'phone'],
	customFields: ['object', 'list', 'flat'],
	callStatus: ['call_status', 'status'],
	callAgent: ['id', 'object', 'absent'],
	/** Calls that have not ended. */
	underWay: ['listed', 'hidden'],
	noSummary: ['404', 'null', 'blank', '409'],
	/** What of a call the list leaves to its detail; the parties are its agent and the number called. */
	callDetail: ['transfer time', 'nothing', 'transfer time, parties', 'transfer time, providers'],
	transcript: ['turns', 'list', 'messages', 'text'],
	noTranscript: ['404', 'null', 'empty'],

	events: ['list of groups', 'object by date', 'flat'],
	eventsLimit: ['events', 'groups'],
	eventPaths: ['event first', 'verb first', 'nested'],
	eventMethod: ['POST', 'PATCH', 'PUT'],

	/** How many contacts or items one request may name. */
	batch: ['any number', 'up to 50, by 400', 'up to 20, by 413'],
	/** What a contact list holds. */
	members: ['contacts', 'memberships', 'nested contacts'],
	membership: ['lists', 'counts', 'object'],
	campaignStates: ['lower case', 'upper case', 'other words'],
	campaignCounters: ['flat', 'nested'],
	/** Of the amount of a CONSUME. */
	sign: ['positive', 'negative'],
	taskId: ['task_id', 'id', 'task'],
	health: ['/health', '/healthz', '/status/live'],
	portalPaths: ['lower case', 'upper case', 'kebab case', 'words'],
	validUntil: ['a minute', 'past', 'far ahead'],

	/** What answers a path that does not exist; 501 shows a test that it went where the reference has nothing. */
	noRoute: ['501', '404'],

	/** Which of & and | binds first in a filter. */
	filterOrder: ['and first', 'left to right'],
	filterValues: ['bare', 'quoted'],
	filterList: ['commas', 'brackets'],
	/** Whether a contact's dates can be compared in a filter. */
	filterDates: ['compared', 'refused'],
} as const;

export type Trait = keyof typeof TRAITS;

export type Readings = { readonly [T in Trait]: (typeof TRAITS)[T][number] };

/** An imaginary server: what it reads differently from the emulator's own reading. */
export interface Dialect {
	/** The kind of server that would speak so, in a line. */
	about: string;
	readings: Partial<Readings>;
}

export const TRAIT_NAMES = Object.keys(TRAITS) as Trait[];

/** Every trait's reading: those given, else the first. */
export function readingsOf(given: Partial<Readings> = {}): Readings {
	const usual = Object.fromEntries(TRAIT_NAMES.map((trait) => [trait, TRAITS[trait][0]]));
	return { ...usual, ...given } as Readings;
}
