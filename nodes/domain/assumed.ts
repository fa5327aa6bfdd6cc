/**
 * Names that the reference says are "not shown", and that no credential has, because several are tried or
 * API Request takes their place. Those of an account are in api/names.ts.
 */
export const ASSUMED = {
	itemCatalogue: 'catalogue_id',
	assignItems: 'item_ids',
	testCallAgent: 'agent_id',
	testCallPhone: 'phone_number',
	/** The names under which a contact shows its custom fields; an event calls them its extras. */
	customFields: ['custom_fields', 'extras', 'customFields', 'attributes'],
	/** The names under which a call shows the caller's number. */
	callerNumber: ['from_number', 'caller_number', 'caller', 'from'],
	/** Where a call may show its direction, and how. */
	callDirection: ['direction', 'call_direction'],
	directions: { inbound: ['inbound', 'incoming'], outbound: ['outbound', 'outgoing'] },
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
	/** The names under which the usage may show when its billing period begins and ends. */
	periodBounds: [
		'period_start',
		'billing_period_start',
		'billing_period.start',
		'period_end',
		'billing_period_end',
		'billing_period.end',
	],
	/** The names under which a campaign shows its status, and the statuses in which it places no more calls. */
	campaignStatus: ['status', 'state'],
	campaignEnds: ['completed', 'finished', 'done', 'ended', 'stopped', 'cancelled', 'failed'],
	orderLines: ['line_items', 'items'],
	transactionDate: ['created_at', 'transaction_date', 'timestamp', 'date'],
	eventStatus: ['status', 'state'],
	/** Where a calendar event may have its date. */
	eventDate: [
		...['date', 'day', 'event_date', 'start_date', 'start_at', 'starts_at', 'start_time'],
		...['start', 'start.date', 'start.dateTime', 'scheduled_at'],
	],
	/** Where a calendar event may name the time zone of its moments. */
	eventZone: ['start.timeZone', 'timeZone', 'timezone', 'time_zone'],
	/** The condition `field in a,b`; how a list is written in the filter language. */
	filterIn: (field: string, values: string) => `${field} in ${values}`,
	/** How many contacts or items go into one request. */
	membersPerRequest: 100,
	lineAmountFields: ['total_price', 'line_total', 'total_amount', 'total', 'amount'],
	linePriceFields: ['unit_price', 'price'],
} as const;
