/** The seven values of the call_status filter. Reference: "Call status (filter values)". */
export const CALL_STATUS = {
	Busy: 'Busy',
	Completed: 'Completed',
	'Ended In Queue': 'Ended In Queue',
	Failed: 'Failed',
	'Not Answered': 'Not Answered',
	Rejected: 'Rejected',
	Voicemail: 'Voicemail',
} as const;

/** Reference: "Order", states. */
export const ORDER_STATUS = {
	cancelled: 'Cancelled',
	completed: 'Completed',
	confirmed: 'Confirmed',
	pending: 'Pending',
	refused: 'Refused',
} as const;

/** A status in one spelling, for comparing: "Not Answered" and "not_answered" both become "notanswered". */
export const plainStatus = (status: unknown): string =>
	String(status)
		.toLowerCase()
		.replace(/[^\p{L}\d]/gu, '');

export const isSameStatus = (one: string, other: unknown): boolean =>
	plainStatus(one) === plainStatus(other);

/** Reference: "Wallet transaction". */
export const TRANSACTION_TYPE = { ADD: 'Add', CONSUME: 'Consume' } as const;

/** Whether a state is one of these, in any spelling: `Ended In Queue`, `ended_in_queue`. */
export const isState = (names: readonly string[], state: string | undefined): boolean =>
	state !== undefined && names.some((name) => isSameStatus(name, state));
