// Paths and names of fields that the reference says are "not shown". They belong to an account: its
// credential says where they differ from the usual ones. docs/assumptions.md and `npm run conformance` are
// made from this file, which imports nothing.

export const RULES = {
	fields: 'names of fields, separated by commas (a dot leads into a field)',
	field: 'the name of one field, without a dot',
	unit: 'seconds, minutes or milliseconds',
	portals: 'the names in the path for Beauty, Food and Real Estate, separated by commas',
	path: "a path below the 'Base URL', such as /health",
	eventPath: "a path below the 'Base URL' with {event_id}",
	eventRequest:
		"a method (DELETE, PATCH, POST or PUT) and a path below the 'Base URL' with {event_id}",
} as const;

export type NameKind = keyof typeof RULES;

interface Named {
	/** What it is, as the credential shows it: first what has it. */
	label: string;
	kind: NameKind;
	/** What counts if the credential says nothing. */
	usual: string | readonly string[];
}

const several = (label: string, ...usual: string[]) =>
	({ label, kind: 'fields', usual: usual as readonly string[] }) as const;

const single = (label: string, usual: string, kind: NameKind = 'field') => ({ label, kind, usual });

export const NAMES = {
	agentBackend: single('Agent: Beta Backend', 'beta_backend'),
	callAgent: several('Call: Agent', 'agent_id', 'agent'),
	callLength: several(
		'Call: Length',
		'duration_seconds',
		'call_duration_seconds',
		'duration_in_seconds',
		'duration_minutes',
		'duration_ms',
	),
	/** Blank: by the name of the field, or else seconds. */
	callUnit: single('Call: Unit of Length', '', 'unit'),
	callNumber: several('Call: Number Called', 'phone_number', 'to_number', 'called_number', 'to'),
	callStatus: several('Call: Status', 'call_status', 'status'),
	callTask: several('Call: Task', 'task_id', 'task'),
	contactPhone: single('Contact: Phone Number', 'phone_number'),
	currency: several('Order or Transaction: Currency', 'currency', 'currency_code'),
	eventApprove: single(
		'Calendar Event: Approve',
		'POST /events/{event_id}/approve',
		'eventRequest',
	),
	eventConfirm: single(
		'Calendar Event: Confirm',
		'POST /events/{event_id}/confirm',
		'eventRequest',
	),
	eventPath: single('Calendar Event: Path', '/events/{event_id}', 'eventPath'),
	eventReject: single('Calendar Event: Reject', 'POST /events/{event_id}/reject', 'eventRequest'),
	healthPath: single('Health: Path', '/health', 'path'),
	itemSku: single('Item: SKU', 'sku'),
	portals: {
		label: 'Portals: Names in the Path',
		kind: 'portals',
		usual: ['beauty', 'food', 'real_estate'] as readonly string[],
	},
	transactionAmount: several('Transaction: Amount', 'amount', 'value', 'total_amount'),
} satisfies Record<string, Named>;

export type NameKey = keyof typeof NAMES;

export type Names = { readonly [Key in NameKey]: (typeof NAMES)[Key]['usual'] };

export const USUAL_NAMES = Object.fromEntries(
	Object.entries(NAMES).map(([key, { usual }]) => [key, usual]),
) as unknown as Names;

export const NAMES_LABEL = 'Names in This API';

/** Where a user enters a name, for a message. */
export const enterAs = (...keys: NameKey[]) =>
	`enter its name in the credential, under '${NAMES_LABEL}', as ${keys.map((key) => `'${NAMES[key].label}'`).join(' or ')}`;
