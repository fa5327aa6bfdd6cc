/**
 * Four servers that a team could have written. Together they read all that the reference leaves open. The
 * last three are the dialects.
 */
export const SERVERS = {
	usual: 'The usual readings, which the emulator has unless a test says otherwise.',
	framework:
		'An application as its framework generates it: rows numbered, decimals as text, no meta, nothing sent back after a change.',
	gateway:
		'A service behind a gateway, which words what it refuses as pages and takes slashes away.',
	otherWords: 'A server that names what the reference only describes in words of its own.',
};

/** What the reference leaves open: a trait for each question, and how each of the servers reads it. */
export const TRAITS = {
	/** The ids of calls, orders, catalogues, items, contact lists, campaigns, events, transactions and tasks. */
	ids: ['uuid', 'whole number', 'encoded', 'uuid'],

	/** How a date-time ends. Without a zone it means UTC. */
	zone: ['Z', 'none', 'offset', 'Z'],
	/** Digits of a second. With 6, the server also keeps microseconds. */
	fraction: ['3 digits', '6 digits', 'no digits', '3 digits'],
	/** Whether the answer includes a record whose time is exactly created_after. */
	bound: ['exclusive', 'inclusive', 'exclusive', 'exclusive'],
	/** To which unit times are cut before they are compared with created_after. */
	grain: ['finest', 'finest', 'second', 'finest'],

	money: ['number', 'text', 'number', 'number'],

	/** An estimate is a total rounded to tens: too high or too low. */
	meta: ['full', 'absent', 'estimate', 'full'],
	/** Whether a page of records has fewer of them than asked for. */
	pageCap: ['none', '5 records', 'none', 'none'],
	/** The order of a list without `sort`, if the reference shows none. */
	order: ['newest first', 'by id', 'oldest first', 'newest first'],

	/** What a change answers: the record (a deletion: null), or always the record, null or nothing. */
	changes: ['as usual', '204 empty', '200 null', '202 record'],
	/** What a PUT does with the fields that the body does not name. */
	put: ['replaces', 'merges', 'replaces', 'replaces'],
	/** PATCH of events and tools: what happens to the fields of an object that the body does not name. */
	patchObjects: ['merges', 'replaces', 'merges', 'merges'],
	/** What happens to fields that only the server sets, of which `revision` is one that nobody knows. */
	readOnly: ['refused', 'ignored', 'refused, revision', 'refused'],
	/** The form of a tool's configuration in a GET. A PATCH takes it without a wrapper. */
	toolConfig: ['bare', 'bare', 'wrapped', 'bare'],
	/** The real name behind the neutral word beta_backend. */
	betaBackend: ['neutral', 'neutral', 'own', 'neutral'],

	/** Whether the server redirects to the path with, or without, a slash at its end. */
	slash: ['as listed', '301 adds', '308 takes', 'as listed'],

	/** The status of a rate limit, and how it says how long to wait. */
	limited: ['429 seconds', '429 unsaid', '503 seconds', '429 date'],
	refusal: ['envelope', 'envelope', 'html', 'envelope'],

	/** The names of fields that the reference describes without a name. */
	names: ['ours', 'ours', 'ours', 'others'],
	customFields: ['object', 'object', 'object', 'list'],
	callAgent: ['id', 'id', 'absent', 'object'],
	/** Whether a call names the task of its test call. */
	callTask: ['absent', 'absent', 'task_id', 'absent'],
	/** Whether the list shows calls that have not ended. */
	underWay: ['listed', 'listed', 'hidden', 'listed'],
	/** What only the detail of a call shows. */
	callDetail: ['transfer time', 'transfer time', 'transfer time', 'transfer time, providers'],
	transcript: ['turns', 'turns', 'text', 'list'],
	/** What a call answers that has no summary or transcript. */
	noPart: ['404', 'null', '409', 'blank'],

	events: ['list of groups', 'flat', 'list of groups', 'object by date'],
	eventMoves: [
		'POST /events/{event_id}/{verb}',
		'PATCH /events/{event_id}/{verb}',
		'POST /events/{event_id}/{verb}',
		'POST /calendar/events/{event_id}/status/{state}',
	],

	/** What a contact list holds. */
	members: ['contacts', 'contacts', 'memberships', 'nested contacts'],
	membership: ['lists', 'counts', 'lists', 'object'],
	campaignStates: ['lower case', 'lower case', 'upper case', 'other words'],
	campaignCounters: ['flat', 'flat', 'flat', 'nested'],
	/** The sign of a CONSUME's amount. */
	sign: ['positive', 'positive', 'positive', 'negative'],
	taskId: ['task_id', 'id', 'task_id', 'task'],
	health: ['/health', '/health', '/health', '/status/live'],
	portals: ['lower case', 'lower case', 'upper case', 'lower case'],

	/** How a filter of contacts writes a list. */
	filterList: ['commas', 'commas', 'commas', 'brackets'],
} as const;

export type Readings = { readonly [Trait in keyof typeof TRAITS]: (typeof TRAITS)[Trait][number] };

/** The readings of a server. */
export function readingsOf(server: string): Readings {
	const at = Object.keys(SERVERS).indexOf(server);
	const entries = Object.entries(TRAITS).map(([trait, readings]) => [trait, readings[at]]);
	return Object.fromEntries(entries) as Readings;
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
