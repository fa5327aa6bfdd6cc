import { clockTime, date, isObject, nullable, text, uuid } from '../checks.ts';
import type { Rules } from '../checks.ts';
import { invalid, notFound } from '../envelope.ts';
import type { Answer } from '../envelope.ts';
import { patched, readUpdate } from '../put.ts';
import { metaOf, windowOf } from '../query.ts';
import type { Readings } from '../readings.ts';
import type { CalendarEvent } from '../records.ts';
import { PAGE } from '../route.ts';
import type { Behaviour, Exchange, Route } from '../route.ts';

const RULES: Rules = {
	title: text({ min: 1 }),
	description: nullable(text()),
	date,
	start_time: clockTime,
	end_time: clockTime,
	contact_id: nullable(uuid),
	extras(value, name) {
		if (!isObject(value)) throw invalid(`${name} must be an object`);
		return value;
	},
};

/** Section "Event status" shows the operations and none of the states they lead from or to. */
const MOVES = {
	approve: { from: ['pending'], to: 'approved' },
	reject: { from: ['pending', 'approved'], to: 'rejected' },
	confirm: { from: ['pending', 'approved'], to: 'confirmed' },
} as const;

function eventOf({ store, params }: Exchange): CalendarEvent {
	const event = store.events.get(params['event_id']!);
	if (!event) throw notFound('event');
	return event;
}

function byDate(events: CalendarEvent[]): Array<{ date: string; events: CalendarEvent[] }> {
	const days = new Map<string, CalendarEvent[]>();
	for (const event of events) days.set(event.date, [...(days.get(event.date) ?? []), event]);
	return [...days].map(([day, ofDay]) => ({ date: day, events: ofDay }));
}

function moveRoute(
	path: string,
	method: Readings['eventMethod'],
	{ from, to }: { from: readonly string[]; to: CalendarEvent['status'] },
): Route {
	return {
		method,
		path,
		kind: 'event',
		outcome: 'changed',
		handle(exchange) {
			const event = eventOf(exchange);
			if (!from.includes(event.status))
				throw invalid(`an event that is ${event.status} cannot become ${to}`);
			return { data: exchange.store.events.change(event.id, { status: to }) };
		},
	};
}

const IN_ORDER = { sort: 'schedule', descending: false };

const PAGES: Record<Readings['eventsLimit'], (exchange: Exchange) => Answer> = {
	// The page is cut from the flat list, so a day may go on in the next page.
	events(exchange) {
		const window = windowOf(exchange);
		const { rows, total } = exchange.store.events.page({ ...IN_ORDER, ...window });
		return { data: byDate(rows), meta: metaOf(exchange, window, total) };
	},
	groups(exchange) {
		const window = windowOf(exchange);
		const all = exchange.store.events.page({ ...IN_ORDER, limit: Infinity, offset: 0 });
		const days = byDate(all.rows);
		const { limit, offset } = window;
		const meta = metaOf(exchange, window, days.length);
		return { data: days.slice(offset, offset + limit), meta };
	},
};

/** Sections "Event status" and "Other endpoints", the lines of /events; the paths by id are assumed. */
export function eventRoutes({ assumed, readings }: Behaviour): Route[] {
	const { eventMethod } = readings;
	return [
		{
			method: 'GET',
			path: '/events',
			kind: 'eventDays',
			query: PAGE,
			// Where nothing shows groups, a limit counts none.
			handle: PAGES[readings.events === 'flat' ? 'events' : readings.eventsLimit],
		},
		{
			method: 'GET',
			path: assumed.event,
			kind: 'event',
			handle: (exchange) => ({ data: eventOf(exchange) }),
		},
		{
			method: 'PATCH',
			path: assumed.event,
			kind: 'event',
			outcome: 'changed',
			body: true,
			handle(exchange) {
				const event = eventOf(exchange);
				const after = patched(exchange, event, readUpdate(exchange, RULES));
				if (after.end_time < after.start_time)
					throw invalid('end_time must not be before start_time');
				return { data: exchange.store.events.change(event.id, after) };
			},
		},
		{
			method: 'DELETE',
			path: assumed.event,
			kind: 'event',
			outcome: 'deleted',
			handle(exchange) {
				const event = eventOf(exchange);
				exchange.store.events.remove(event.id);
				return { data: event };
			},
		},
		moveRoute(assumed.eventApprove, eventMethod, MOVES.approve),
		moveRoute(assumed.eventReject, eventMethod, MOVES.reject),
		moveRoute(assumed.eventConfirm, eventMethod, MOVES.confirm),
	];
}
