import { clockTime, date, isObject, nullable, passing, text, uuid } from '../checks.ts';
import { invalid } from '../envelope.ts';
import { list } from '../list.ts';
import { pathsOf, type Readings } from '../readings.ts';
import type { CalendarEvent } from '../records.ts';
import { found, get, patch, patched, post, remove, type Exchange, type Route } from '../route.ts';

const BODY = {
	title: text({ min: 1 }),
	description: nullable(text()),
	date,
	start_time: clockTime,
	end_time: clockTime,
	contact_id: nullable(uuid),
	extras: passing(isObject, 'an object'),
};

type Status = CalendarEvent['status'];

/** Section "Event status" shows the operations, but no states. */
const MOVES: Record<'approve' | 'reject' | 'confirm', { from: Status[]; to: Status }> = {
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

/** Sections "Event status" and "Other endpoints", the lines of /events. The paths with an id are assumed. */
export function eventRoutes(readings: Readings): Route[] {
	const { event, ...moves } = pathsOf(readings);
	const moveRoutes = Object.entries(MOVES).map(([name, { from, to }]) => {
		const [method, path = ''] = moves[name as keyof typeof MOVES].split(' ');
		return (method === 'POST' ? post : patch)(path, 'event', (exchange) => {
			const { id, status } = eventOf(exchange);
			if (!from.includes(status)) throw invalid(`an event that is ${status} cannot become ${to}`);
			return exchange.store.events.change(id, { status: to });
		});
	});
	return [
		// A page is a part of the flat list, so a day may continue on the next page.
		list<CalendarEvent>('/events', 'eventDays', {
			rows: ({ store }) => store.events,
			order: ['date', false],
			group: (rows) => ({ days: byDate(rows) }),
		}),
		get(event, 'event', eventOf),
		patch(
			event,
			'event',
			(exchange) => {
				const event = eventOf(exchange);
				return exchange.store.events.change(event.id, patched(event, exchange));
			},
			{ body: BODY },
		),
		remove(event, 'event', (exchange) => {
			const current = eventOf(exchange);
			exchange.store.events.remove(current.id);
			return current;
		}),
		...moveRoutes,
	];
}
