import { ASSUMED } from '../../nodes/domain/assumed.ts';

/** Something that the reference does not show: a row of docs/assumptions.md, and a check of `npm run conformance`. */
export interface NotShown {
	what: string;
	/** What this package sends or expects. */
	assumed: string;
	/** What a server may do instead, without any setting. */
	works: string;
	/** What to set in the node, if there is something. */
	change?: string;
	/** The probes that check it on a real account, if there is something to set. */
	subjects?: readonly string[];
	/** By subject: what the probe must find. If it finds anything else, the user has to change the setting. */
	needs?: Readonly<Record<string, string>>;
}

const inWords = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

export const NOT_SHOWN: readonly NotShown[] = [
	{
		what: 'IDs of calls, orders, catalogues, items, contact lists, campaigns, events, transactions',
		assumed: 'any',
		works: 'UUIDs, other text, whole numbers of up to 15 digits',
	},
	{
		what: 'Date-times',
		assumed: 'ISO 8601; UTC if there is no zone, except where a calendar event names its own',
		works: 'any zone, any digits of a second',
	},
	{
		what: '`created_after`',
		assumed:
			'nothing: the trigger, periods, and Created After together with Created Before ask from a little earlier and drop the rest. Created After alone goes out as it is, so the API decides about that moment',
		works: 'with or without the moment itself, to the second or finer',
	},
	{
		what: 'Money and minutes',
		assumed: 'as they come',
		works: 'numbers, decimal text',
	},
	{
		what: "A list's `meta`",
		assumed: '`total_items`, if there is one',
		works: 'absent, null, numbers as text, an estimate that stays the same while the list is read',
	},
	{
		what: 'Records in a page',
		assumed: 'up to the limit asked for',
		works:
			'a smaller cap, from two records on: a list ends where a page brings nothing new, or where `meta` says that a short first page is all',
	},
	{
		what: 'Order of a list, and what it can be sorted by',
		assumed: 'any order',
		works: 'any; records with the same date may change places while a list is read',
		change: 'Sort → Sort By',
	},
	{
		what: 'Success of a change',
		assumed: 'any status from 200 to 299',
		works: 'with the record, with null, without a body',
	},
	{
		what: "A slash at a path's end",
		assumed: 'as it is documented',
		works: 'a redirect to the same place with or without it (a change: by 301, 307 or 308)',
		change: 'API Request',
	},
	{
		what: 'Bodies of errors',
		assumed: '`error` of the envelope',
		works: '`detail`, `errors`, problem details, a page',
	},
	{
		what: 'A record that does not exist',
		assumed: 'status 404, with JSON or without a body',
		works: '`data: null` with a success; a page is an error, because it may be that of a proxy',
	},
	{
		what: 'What statistics add up: the length of a call, the currency of an order, amounts and dates of transactions, prices of line items',
		assumed:
			'`duration_seconds` and others that name their unit; `currency`; `amount`, `created_at`; `total_price`, or `unit_price` × `quantity`',
		works:
			'those names and a few more; records that have none of them are counted, and you are told',
		change: 'Get Statistics → Options → Duration, Currency, Amount, Date Field',
	},
	{
		what: "A call's status, agent and phone numbers, which filters look at",
		assumed: `\`call_status\` or \`status\`; \`agent_id\` or \`agent\`; ${inWords([...ASSUMED.callNumber, ...ASSUMED.callerNumber])}`,
		works: 'any of them; if they are missing, a message says so',
		change: 'Filters: leave them out',
		subjects: ['callStatus', 'callAgent'],
	},
	{
		what: 'Where a call shows when it was handed over',
		assumed: '`transfer_time` of its detail',
		works: 'the list, too, which saves a request for each call that was',
	},
	{
		what: 'Where a call shows its AI provider, and whether a fallback served it',
		assumed: 'the list',
		works: 'its detail, at one more request per call',
		change: 'Get Statistics → Options → Transfers and Fallbacks',
		subjects: ['providers'],
	},
	{
		what: 'How the node finds a test call in the call history',
		assumed: `the agent's ID in ${inWords(ASSUMED.callAgent)}, the number in ${inWords(ASSUMED.callNumber)}, the task in ${inWords(ASSUMED.callTask)}`,
		works:
			'those names in the list; the task alone, or the number with or without the agent, if that leaves one call',
		change: 'Make Test Call → Options → Agent Fields, Number Fields, Task Fields, Status Fields',
		subjects: ['callNumber'],
		needs: { callNumber: 'list' },
	},
	{
		what: 'A call without a summary or transcript',
		assumed: '404',
		works: '409, null, blank, an empty list',
	},
	{
		what: 'A transcript',
		assumed: `turns with a speaker (${inWords(ASSUMED.turnSpeaker)}) and a text (${inWords(ASSUMED.turnText)}); the speaker is ${inWords(ASSUMED.agentSpeakers)}, or ${inWords(ASSUMED.callerSpeakers)}`,
		works:
			'a list of turns, an object that holds one, text; anything else is shown as JSON. for a check, what it assigns to nobody counts for both',
	},
	{
		what: "Field of a contact's number",
		assumed: '`phone_number`',
		works: 'that name; any name if you write it as JSON',
		change: 'Contact → Specify Fields → Using JSON',
		subjects: ['primaryPhone'],
		needs: { primaryPhone: 'phone_number' },
	},
	{
		what: 'Fields of contacts, catalogues, items, events and tools',
		assumed: 'the documented ones, and those found in your own records',
		works: 'any; custom fields as an object, as a list, or beside the others',
		change: 'Specify Fields → Using JSON',
		subjects: ['customFields'],
	},
	{
		what: 'Fields that a PUT must not send back',
		assumed: '`id`, `organization_id`, `created_at`, `updated_at`, `item_count`, `contact_count`',
		works:
			'a PUT that replaces or merges; fields that are `null` or that the API sets itself (`revision`, `version`, `last_…_at`, `…call_count`, `…order_count`) are left out if `details` of the refusal are their names alone, and you are told',
		change: 'Keep Other Fields off',
	},
	{
		what: 'What a PATCH does with an object in a record, such as the extras of an event',
		assumed: 'nothing: the object is read and sent whole',
		works: 'an object that is replaced or merged',
		change: 'Keep Other Fields off',
	},
	{
		what: "A tool's configuration as it is read",
		assumed: 'its fields',
		works: 'the same in a wrapper: `{ "config": { … } }`',
	},
	{
		what: "Name of an agent's Beta Backend",
		assumed: `\`${ASSUMED.backendField}\``,
		works: 'any name, once it is entered',
		change: 'Agent → Options → Beta Backend Field',
		subjects: ['betaBackend'],
		needs: { betaBackend: ASSUMED.backendField },
	},
	{
		what: 'The list of events',
		assumed: 'groups by date',
		works: 'a list of groups, an object by date, a flat list',
	},
	{
		what: 'Field that holds the date of a calendar event',
		assumed: inWords(ASSUMED.eventDate),
		works: `those names, with a day or a moment; midnight is a day in \`date\`, \`day\` and \`start.date\`, and a moment elsewhere; a moment without a zone may have that of its event, in ${inWords(ASSUMED.eventZone)}; if no event shows a date, a message says so`,
		change: 'Calendar Event: Get Many → Options → Date Field, Status Field',
	},
	{
		what: 'Path of one event',
		assumed: `\`${ASSUMED.eventPath}\``,
		works: 'that path',
		change: 'Calendar Event → Options → Path',
		subjects: ['eventPath'],
		needs: { eventPath: ASSUMED.eventPath },
	},
	{
		what: "A calendar event's status, which the trigger follows",
		assumed: '`status` or `state`',
		works: 'either; if it is missing, a message says so',
		change: 'Trigger On → New or Changed Calendar Event',
		subjects: ['eventState'],
		needs: { eventState: 'status or state' },
	},
	{
		what: 'Approve, reject, confirm an event',
		assumed: `\`${ASSUMED.eventStatusMethod} ${ASSUMED.eventStatusPaths.approve}\` …`,
		works: 'that path and method',
		change: 'Calendar Event → Options → Path, Method',
	},
	{
		what: "Names of a transaction's fields",
		assumed: '`type` or `transaction_type`, `amount`, `created_at`',
		works: 'a CONSUME with or without a minus sign: the sign of most of them counts as spending',
		change: 'Instead of the trigger, a schedule with Wallet → Get Many Transactions',
		subjects: ['transactionDate', 'amount'],
		needs: { transactionDate: 'created_at', amount: 'amount' },
	},
	{
		what: 'When the billing period of the usage begins or ends',
		assumed: inWords(ASSUMED.periodBounds),
		works: 'any of them; without one, Low Minutes starts again only after the minutes have risen',
	},
	{
		what: 'Campaign states and counters',
		assumed: 'any; the trigger looks for `status` or `state`',
		works: 'any',
		change: "Campaign → Filters → Status: in the API's own words",
	},
	{
		what: 'What the contacts of a contact list are',
		assumed: 'contacts',
		works: 'memberships with a `contact_id`, or with the contact in `contact`',
	},
	{
		what: 'What a contact list reports',
		assumed: 'anything',
		works: 'any; it is handed on',
	},
	{
		what: 'How many contacts or items one request may name',
		assumed: String(ASSUMED.membersPerRequest),
		works: 'more; if fewer, a message names the option',
		change: 'Options → Contacts per Request, Items per Request',
	},
	{
		what: 'Fields to assign items',
		assumed: `\`${ASSUMED.assignItems}\`, \`${ASSUMED.itemCatalogue}\` (null removes)`,
		works: 'those names',
		change: 'API Request',
	},
	{
		what: 'Fields of a test call',
		assumed: `\`${ASSUMED.testCallAgent}\`, \`${ASSUMED.testCallPhone}\``,
		works: 'those names; any name of the task ID',
		change: 'Playground → Specify Fields → Using JSON',
	},
	{
		what: 'Path of the health check',
		assumed: `\`${ASSUMED.healthPath}\``,
		works: 'that path',
		change: 'Health → Options → Path',
		subjects: ['health'],
		needs: { health: ASSUMED.healthPath },
	},
	{
		what: 'Portal types in the path, and how long a decision holds',
		assumed: Object.values(ASSUMED.portalTypes)
			.map((value) => `\`${value}\``)
			.join(', '),
		works: 'those values; any `valid_until`',
		change: 'Portal Access → Options → Path Value',
		subjects: ['portalPaths'],
		needs: { portalPaths: 'lower case' },
	},
	{
		what: 'How the contact filter is written',
		assumed: `\`${ASSUMED.filterIn('field', 'a,b')}\`, values without quotes`,
		works: 'that; conditions are joined by one sign only, so either may bind first',
		change: 'Contact → Filter → API Filter',
		subjects: ['filterValues', 'filterList'],
		needs: { filterValues: 'bare', filterList: 'commas' },
	},
	{
		what: 'The rate limit',
		assumed: '429; 503 for what can be repeated',
		works: 'Retry-After in seconds, as a date, or none; any body',
		change: 'Request Options → Max Wait',
	},
	{
		what: 'Field that holds the line items of an order',
		assumed: inWords(ASSUMED.lineItemsFields),
		works: 'those names, in the list or in the detail; if no order shows them, a message says so',
		change: 'Order → Options → Line Items Field',
	},
	{
		what: 'Field that holds the SKU of an item',
		assumed: `\`${ASSUMED.itemSku}\``,
		works: 'that name; if no item shows it, a message says so',
		change: 'Item: Create or Update → Options → SKU Field',
	},
	{
		what: 'Filters of the item list',
		assumed: 'none',
		works: 'any',
		change: 'Item → Filters → Field Filters',
	},
];
