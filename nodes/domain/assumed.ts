/**
 * Paths, methods and field names that the reference says are "not shown". What is sent is a default
 * that the user can change in the node, or with API Request. What is read goes by these names.
 * docs/assumptions.md says what works, and what to set.
 */
export const ASSUMED = {
	healthPath: '/health',
	eventPath: '/events/{event_id}',
	eventStatusPaths: {
		approve: '/events/{event_id}/approve',
		confirm: '/events/{event_id}/confirm',
		reject: '/events/{event_id}/reject',
	},
	eventStatusMethod: 'POST',
	portalTypes: { food: 'food', beauty: 'beauty', realEstate: 'real_estate' },
	/** An agent's backend of the beta provider: its name is a neutral word in the reference. */
	backendField: 'beta_backend',
	/** Field names in bodies. */
	contactPhone: 'phone_number',
	itemCatalogue: 'catalogue_id',
	itemSku: 'sku',
	assignItems: 'item_ids',
	testCallAgent: 'agent_id',
	testCallPhone: 'phone_number',
	/** The names under which a contact shows its custom fields; an event calls them its extras. */
	customFields: ['custom_fields', 'extras', 'customFields', 'attributes'],
	/** The names under which a call shows its agent, the number called, the caller's, its task and its status. */
	callAgent: ['agent_id', 'agent'],
	callNumber: ['phone_number', 'to_number', 'called_number', 'to'],
	callerNumber: ['from_number', 'caller_number', 'caller', 'from'],
	callTask: ['task_id', 'task'],
	callStatus: ['call_status', 'status'],
	/** The names under which a transcript may hold its turns or its text. */
	transcriptFields: ['turns', 'messages', 'segments', 'transcript', 'text', 'content'],
	/** Fields of a turn. The role tells who is the agent, whatever name stands beside it. */
	turnSpeaker: ['role', 'speaker', 'participant', 'from', 'name'],
	/** How a turn may name its speaker, in any case. */
	agentSpeakers: ['agent', 'ai', 'ai agent', 'assistant', 'bot', 'model', 'voice agent'],
	otherSpeakers: ['function', 'function call', 'system', 'tool', 'tool call', 'tool result'],
	callerSpeakers: ['callee', 'caller', 'client', 'contact', 'customer', 'human', 'person', 'user'],
	turnText: ['text', 'content', 'message', 'utterance', 'transcript'],
	/** `_seconds` or `_ms` may follow the name. */
	turnTime: ['start', 'at', 'time', 'timestamp', 'offset', 'start_time', 'created_at'],
	/** The names under which a campaign shows its state, and the states that it does not leave. */
	campaignState: ['status', 'state'],
	campaignEnds: ['completed', 'finished', 'done', 'ended', 'stopped', 'cancelled', 'failed'],
	/** The names under which the usage may show when its billing period begins and ends. */
	periodBounds: [
		'period_start',
		'billing_period_start',
		'billing_period.start',
		'period_end',
		'billing_period_end',
		'billing_period.end',
	],
	/** The names under which a calendar event may show its day, or when it begins. */
	eventDate: [
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
	],
	/** The names under which a calendar event shows its status. */
	eventState: ['status', 'state'],
	/** The condition `field in a,b`; how a list is written in the filter language. */
	filterIn: (field: string, values: string) => `${field} in ${values}`,
	/** How many contacts or items go into one request. */
	membersPerRequest: 100,
	/** Fields of answers, tried in this order; each statistic has an option that names the field. */
	durationFields: {
		duration_seconds: 'seconds',
		call_duration_seconds: 'seconds',
		duration_in_seconds: 'seconds',
		duration_minutes: 'minutes',
		duration_ms: 'milliseconds',
	},
	currencyFields: ['currency', 'currency_code'],
	transactionAmountFields: ['amount', 'value', 'total_amount'],
	transactionDateFields: ['created_at', 'transaction_date', 'timestamp', 'date'],
	lineItemsFields: ['line_items', 'items'],
	lineAmountFields: ['total_price', 'line_total', 'total_amount', 'total', 'amount'],
	linePriceFields: ['unit_price', 'price'],
} as const;
