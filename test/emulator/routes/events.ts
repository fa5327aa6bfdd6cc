import { EVENT_MOVES } from '../assumed.ts';
import type { Assumed, EventMove } from '../assumed.ts';
import { clockTime, date, isObject, nullable, passing, text, uuid } from '../checks.ts';
import type { Rules } from '../checks.ts';
import { invalid } from '../envelope.ts';
import type { Answer } from '../envelope.ts';
import { patched, readUpdate } from '../crud.ts';
import { windowOf } from '../query.ts';
import type { Readings } from '../readings.ts';
import type { CalendarEvent } from '../records.ts';
import { found, get, list, move, patch, remove } from '../route.ts';
import type { Exchange, Route } from '../route.ts';

type EventStatus = CalendarEvent['status'];

const RULES: Rules = {
	title: text({ min: 1 }),
	description: nullable(text()),
	date,
	start_time: clockTime,
	end_time: clockTime,
	contact_id: nullable(uuid),
	extras: passing(isObject, 'an object'),
};

/** Section "Event status" shows the operations, but no states. */
const MOVES: Record<EventMove, { from: EventStatus[]; to: EventStatus }> = {
	approve: { from: ['pending'], to: 'approved' },
	reject: { from: ['pending', 'approved'], to: 'rejected' },
	confirm: { from: ['pending', 'approved'], to: 'confirmed' },
};

const eventOf = ({ store, params }: Exchange): CalendarEvent =>
	found(store.events.get(params['event_id']!), 'event');

const byDate = (events: CalendarEvent[]) =>
	[...new Set(events.map((event) => event.date))].map((day) => {
		return { date: day, events: events.filter((event) => event.date === day) };
	});

const IN_ORDER = { sort: 'schedule', descending: false };

/** A page is a part of the flat list, so a day may continue on the next page. */
function pageByDate(exchange: Exchange): Answer {
	const { limit, offset, metaOf } = windowOf(exchange);
	const { rows, total } = exchange.store.events.page({ ...IN_ORDER, limit, offset });
	return { data: { days: byDate(rows) }, meta: metaOf(total) };
}

/** Sections "Event status" and "Other endpoints", the lines of /events. The paths with an id are assumed. */
export const eventRoutes = ({ event, eventMoves }: Assumed, { eventMethod }: Readings): Route[] => [
	list('/events', 'eventDays', [], pageByDate),
	get(event, 'event', eventOf),
	patch(event, 'event', (exchange) => {
		const current = eventOf(exchange);
		const after = patched(exchange, current, readUpdate(exchange, RULES));
		if (after.end_time < after.start_time) throw invalid('end_time must not be before start_time');
		return exchange.store.events.change(current.id, after);
	}),
	remove(event, 'event', (exchange) => {
		const current = eventOf(exchange);
		exchange.store.events.remove(current.id);
		return current;
	}),
	...EVENT_MOVES.map((name) =>
		move(eventMethod, eventMoves[name], 'event', (exchange) => {
			const { id, status } = eventOf(exchange);
			const { from, to } = MOVES[name];
			if (!from.includes(status)) throw invalid(`an event that is ${status} cannot become ${to}`);
			return exchange.store.events.change(id, { status: to });
		}),
	),
];
