import type { Readings } from './readings.ts';

export const EVENT_MOVES = ['approve', 'reject', 'confirm'] as const;
export type EventMove = (typeof EVENT_MOVES)[number];

/** Paths and path values that section "Other endpoints" marks as "not shown". */
export interface Assumed {
	health: string;
	event: string;
	eventMoves: Record<EventMove, string>;
	/** The path values of the portal types Food, Beauty and Real Estate. */
	portalTypes: { food: string; beauty: string; realEstate: string };
}

const EVENT = '/events/{event_id}';

const EVENT_PATHS: Record<Readings['eventPaths'], Pick<Assumed, 'event' | 'eventMoves'>> = {
	'event first': {
		event: EVENT,
		eventMoves: {
			approve: `${EVENT}/approve`,
			reject: `${EVENT}/reject`,
			confirm: `${EVENT}/confirm`,
		},
	},
	nested: {
		event: `/calendar${EVENT}`,
		eventMoves: {
			approve: `/calendar${EVENT}/status/approved`,
			reject: `/calendar${EVENT}/status/rejected`,
			confirm: `/calendar${EVENT}/status/confirmed`,
		},
	},
};

const PORTAL_TYPES: Record<Readings['portalPaths'], Assumed['portalTypes']> = {
	'lower case': { food: 'food', beauty: 'beauty', realEstate: 'real_estate' },
	'upper case': { food: 'FOOD', beauty: 'BEAUTY', realEstate: 'REAL_ESTATE' },
};

export function assumedOf({ health, eventPaths, portalPaths }: Readings): Assumed {
	return { health, ...EVENT_PATHS[eventPaths], portalTypes: PORTAL_TYPES[portalPaths] };
}

/** The reference names no states of campaigns, so these are assumed. */
export const CAMPAIGN_STATES = [
	'draft',
	'scheduled',
	'running',
	'paused',
	'stopped',
	'completed',
] as const;

/** "One of five lowercase provider identifiers", which are not shown. */
export const SERVING_PROVIDERS = ['alpha', 'bravo', 'castor', 'delta', 'echo'] as const;

/** The fields to sort by, if the reference names a sort but not its fields. */
export const CONTACT_SORTS = [
	'created_at',
	'updated_at',
	'first_name',
	'last_name',
	'email',
] as const;
export const CALL_SORTS = ['created_at', 'duration_seconds'] as const;
