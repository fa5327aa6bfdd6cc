import type { Assumed } from '../assumed.ts';
import { clockTime, date, isObject, nullable, readChanges, text, uuid } from '../checks.ts';
import type { Rules } from '../checks.ts';
import { invalid, notFound } from '../envelope.ts';
import { windowOf } from '../query.ts';
import type { CalendarEvent } from '../records.ts';
import { PAGE } from '../route.ts';
import type { Exchange, Route } from '../route.ts';

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
	{ from, to }: { from: readonly string[]; to: CalendarEvent['status'] },
): Route {
	return {
		method: 'POST',
		path,
		handle(exchange) {
			const event = eventOf(exchange);
			if (!from.includes(event.status))
				throw invalid(`an event that is ${event.status} cannot become ${to}`);
			return { data: exchange.store.events.change(event.id, { status: to }) };
		},
	};
}

/** Sections "Event status" and "Other endpoints", the lines of /events; the paths by id are assumed. */
export function eventRoutes(assumed: Assumed): Route[] {
	return [
		{
			method: 'GET',
			path: '/events',
			query: PAGE,
			// The page is cut from the flat list, so a day may go on in the next page.
			handle({ store, query }) {
				const { limit, offset } = windowOf(query);
				const { rows, total } = store.events.page({
					sort: 'schedule',
					descending: false,
					limit,
					offset,
				});
				return { data: byDate(rows), meta: { limit, offset, total_items: total } };
			},
		},
		{ method: 'GET', path: assumed.event, handle: (exchange) => ({ data: eventOf(exchange) }) },
		{
			method: 'PATCH',
			path: assumed.event,
			body: true,
			handle(exchange) {
				const event = eventOf(exchange);
				const changes = readChanges(exchange.body, RULES) as Partial<CalendarEvent>;
				const extras = { ...event.extras, ...changes.extras };
				const { start_time, end_time } = { ...event, ...changes };
				if (end_time < start_time) throw invalid('end_time must not be before start_time');
				return { data: exchange.store.events.change(event.id, { ...changes, extras }) };
			},
		},
		{
			method: 'DELETE',
			path: assumed.event,
			handle(exchange) {
				exchange.store.events.remove(eventOf(exchange).id);
				return { data: null };
			},
		},
		moveRoute(assumed.eventApprove, MOVES.approve),
		moveRoute(assumed.eventReject, MOVES.reject),
		moveRoute(assumed.eventConfirm, MOVES.confirm),
	];
}
