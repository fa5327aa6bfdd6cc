import type { Readings } from './readings.ts';

/**
 * Everything here is an assumption: section "What the reference does not show" stands behind each line as "not shown".
 * Paths and path values can be set, so that a test can move them and prove that the node's own setting follows.
 * The assumed field names of records stand in records.ts, below the line that says so.
 */
export interface Assumed {
	health: string;
	event: string;
	eventApprove: string;
	eventReject: string;
	eventConfirm: string;
	/** The path values of the portal types Food, Beauty and Real Estate. */
	portalTypes: { food: string; beauty: string; realEstate: string };
}

type EventPaths = Pick<Assumed, 'event' | 'eventApprove' | 'eventReject' | 'eventConfirm'>;

const EVENT_PATHS: Record<Readings['eventPaths'], EventPaths> = {
	'event first': {
		event: '/events/{event_id}',
		eventApprove: '/events/{event_id}/approve',
		eventReject: '/events/{event_id}/reject',
		eventConfirm: '/events/{event_id}/confirm',
	},
	'verb first': {
		event: '/events/{event_id}',
		eventApprove: '/events/approve/{event_id}',
		eventReject: '/events/reject/{event_id}',
		eventConfirm: '/events/confirm/{event_id}',
	},
	nested: {
		event: '/calendar/events/{event_id}',
		eventApprove: '/calendar/events/{event_id}/status/approved',
		eventReject: '/calendar/events/{event_id}/status/rejected',
		eventConfirm: '/calendar/events/{event_id}/status/confirmed',
	},
};

const PORTAL_TYPES: Record<Readings['portalPaths'], Assumed['portalTypes']> = {
	'lower case': { food: 'food', beauty: 'beauty', realEstate: 'real_estate' },
	'upper case': { food: 'FOOD', beauty: 'BEAUTY', realEstate: 'REAL_ESTATE' },
	words: { food: 'Food', beauty: 'Beauty', realEstate: 'Real Estate' },
	'kebab case': { food: 'food', beauty: 'beauty', realEstate: 'real-estate' },
};

export function assumedOf({ health, eventPaths, portalPaths }: Readings): Assumed {
	return { health, ...EVENT_PATHS[eventPaths], portalTypes: PORTAL_TYPES[portalPaths] };
}

/** The reference names states of calls and orders only; the campaign's are the emulator's own. */
export const CAMPAIGN_STATES = [
	'draft',
	'scheduled',
	'running',
	'paused',
	'stopped',
	'completed',
] as const;

/** "One of five lowercase provider identifiers": the identifiers are not shown. */
export const SERVING_PROVIDERS = ['alpha', 'bravo', 'castor', 'delta', 'echo'] as const;

/** The fields a list may be sorted by where the reference names a sort but not its fields. */
export const CONTACT_SORTS = [
	'created_at',
	'updated_at',
	'first_name',
	'last_name',
	'email',
] as const;
export const CALL_SORTS = ['created_at', 'duration_seconds'] as const;
