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
	/** Whether a page of records has fewer of them than asked for. */
	pageCap: ['none', '5 records'],
	/** The order of a list without `sort`, if the reference shows none. */
	order: ['newest first', 'oldest first', 'by id'],

	/** What a change answers: the record (a deletion: null), or always the record, null or nothing. */
	changes: ['as usual', '202 record', '200 null', '204 empty'],
	/** What a PUT does with the fields that the body does not name. */
	put: ['replaces', 'merges'],
	/** PATCH of events and tools: what happens to the fields of an object that the body does not name. */
	patchObjects: ['merges', 'replaces'],
	/** What happens to fields that only the server sets, of which `revision` is one that nobody knows. */
	readOnly: ['refused', 'refused, revision', 'ignored'],
	/** The form of a tool's configuration in a GET. A PATCH takes it without a wrapper. */
	toolConfig: ['bare', 'wrapped'],
	/** The real name and values behind the neutral word beta_backend. */
	betaBackend: ['neutral', 'own'],

	/** Whether the server redirects to the path with, or without, a slash at its end. */
	slash: ['as listed', '301 adds', '308 takes'],

	/** The status of a rate limit, and how it says how long to wait. */
	limited: ['429 seconds', '429 date', '429 unsaid', '503 seconds'],
	refusal: ['envelope', 'html'],

	/** The names of fields that the reference describes without a name. */
	names: ['ours', 'others'],
	customFields: ['object', 'list'],
	callAgent: ['id', 'object', 'absent'],
	/** Whether a call names the task of its test call. */
	callTask: ['absent', 'task_id'],
	/** Whether the list shows calls that have not ended. */
	underWay: ['listed', 'hidden'],
	/** What only the detail of a call shows. */
	callDetail: ['transfer time', 'transfer time, providers'],
	transcript: ['turns', 'list', 'text'],
	/** What a call answers that has no summary or transcript. */
	noPart: ['404', 'null', 'blank', '409'],

	events: ['list of groups', 'object by date', 'flat'],
	eventMoves: [
		'POST /events/{event_id}/{verb}',
		'PATCH /events/{event_id}/{verb}',
		'POST /calendar/events/{event_id}/status/{state}',
	],

	/** What a contact list holds. */
	members: ['contacts', 'memberships', 'nested contacts'],
	membership: ['lists', 'counts', 'object'],
	campaignStates: ['lower case', 'upper case', 'other words'],
	campaignCounters: ['flat', 'nested'],
	/** The sign of a CONSUME's amount. */
	sign: ['positive', 'negative'],
	taskId: ['task_id', 'id', 'task'],
	health: ['/health', '/status/live'],
	portals: ['lower case', 'upper case'],

	/** How a filter of contacts writes a list. */
	filterList: ['commas', 'brackets'],
} as const;

export type Trait = keyof typeof TRAITS;

export type Readings = { readonly [T in Trait]: (typeof TRAITS)[T][number] };

export const TRAIT_NAMES = Object.keys(TRAITS) as Trait[];

/** A reading for every trait: the given one, else the first. */
export function readingsOf(given: Partial<Readings> = {}): Readings {
	const usual = Object.fromEntries(TRAIT_NAMES.map((trait) => [trait, TRAITS[trait][0]]));
	return { ...usual, ...given } as Readings;
}

/** The paths, and values in paths, that section "Other endpoints" marks as "not shown". */
export function pathsOf({ health, eventMoves, portals }: Readings) {
	const move = (verb: string, state: string) =>
		eventMoves.replace('{verb}', verb).replace('{state}', state);
	const portal = (name: string) => (portals === 'upper case' ? name.toUpperCase() : name);
	return {
		health,
		event: /\/.*\{event_id\}/.exec(eventMoves)![0],
		approve: move('approve', 'approved'),
		reject: move('reject', 'rejected'),
		confirm: move('confirm', 'confirmed'),
		food: portal('food'),
		beauty: portal('beauty'),
		realEstate: portal('real_estate'),
	};
}
