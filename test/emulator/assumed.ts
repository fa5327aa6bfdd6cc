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

export function assumedOf({ health, eventPaths, portalPaths }: Readings): Assumed {
	const isNested = eventPaths === 'nested';
	const event = isNested ? '/calendar/events/{event_id}' : '/events/{event_id}';
	const moveTo = (move: EventMove, state: string) =>
		isNested ? `${event}/status/${state}` : `${event}/${move}`;
	const portal = (name: string) => (portalPaths === 'upper case' ? name.toUpperCase() : name);
	return {
		health,
		event,
		eventMoves: {
			approve: moveTo('approve', 'approved'),
			reject: moveTo('reject', 'rejected'),
			confirm: moveTo('confirm', 'confirmed'),
		},
		portalTypes: {
			food: portal('food'),
			beauty: portal('beauty'),
			realEstate: portal('real_estate'),
		},
	};
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
