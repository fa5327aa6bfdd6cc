import { titled } from '../words';

/** The seven values of the call_status filter. Reference: "Call status (filter values)". */
export const CALL_STATUS = {
	...titled('Busy', 'Completed', 'Ended In Queue', 'Failed', 'Not Answered', 'Rejected'),
	...titled('Voicemail'),
};

/** Reference: "Order", states. */
export const ORDER_STATUS = titled('cancelled', 'completed', 'confirmed', 'pending', 'refused');

/** "Not Answered" and "not_answered" both become "notanswered". No status is longer than what is compared. */
const plainStatus = (status: unknown) =>
	String(status)
		.slice(0, 100)
		.toLowerCase()
		.replace(/[^\p{L}\d]/gu, '');

export const isSameStatus = (one: string, other: unknown): boolean =>
	plainStatus(one) === plainStatus(other);

/** Reference: "Wallet transaction". */
export const TRANSACTION_TYPE = { ADD: 'Add', CONSUME: 'Consume' } as const;

/** A status as one of these names, if it is one of them in any spelling; otherwise as it came. */
export const nameOfStatus = (names: readonly string[], status: string): string =>
	names.find((name) => isSameStatus(name, status)) ?? status;

/** Whether a state is one of these, in any spelling: `Ended In Queue`, `ended_in_queue`. */
export const isState = (names: readonly string[], state: string | undefined): boolean =>
	state !== undefined && names.some((name) => isSameStatus(name, state));

/** Whether a record passes a filter by status. Undefined if there is one, and the record shows no status. */
export const passesStatus = (
	wanted: readonly string[],
	status: string | undefined,
): boolean | undefined =>
	wanted.length === 0 || (status === undefined ? undefined : isState(wanted, status));
