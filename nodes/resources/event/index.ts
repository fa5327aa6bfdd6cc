import { enterAs, USUAL_NAMES, type NameKey } from '../../api/names';
import { pathTo } from '../../api/path';
import { calendarEventsIn } from '../../domain/eventGroups';
import { simplifyEvent } from '../../domain/simplify';
import { EVENT_PERIODS, PERIOD_MEANINGS } from '../../filters/period';
import { boundsOf, endsTooEarly, firstDayOption } from '../../filters/within';
import { filtersOf, recordPicker } from '../../table/common';
import { form } from '../../table/form';
import { deleteRow, getRow } from '../../table/handling';
import { choice, moment, text, toggle } from '../../table/kinds';
import { operation, sends, type Operation, type Resource } from '../../table/operation';
import { recordForm } from '../../table/record';
import { list, nonBlank } from '../../table/schema';
import { keepInner, patchBody } from '../../table/updates';
import { filterEvents, groupByDay } from './eventFilter';

const about = { event_id: recordPicker('Calendar Event', 'searchEvents') };

const EVENT = '/events/{event_id}';

const wrongPath = (key: NameKey) =>
	`There is no such calendar event in this account. If the API has another path for this operation, ${enterAs(key)}.`;

const noEvent = () => ({ 404: wrongPath('eventPath') });

const sendsAt = (method: 'DELETE' | 'GET') => ({
	...sends(`${method} ${EVENT}`, ({ eventPath }) => `${method} ${eventPath}`),
	hints: noEvent,
});

const statusMove = (
	name: string,
	key: 'eventApprove' | 'eventConfirm' | 'eventReject',
): Operation => ({
	name,
	description: `${name} a calendar event, if its current status allows it`,
	...sends(USUAL_NAMES[key] as `POST /${string}`, (names) => names[key]),
	fields: () => form(about),
	hints: () => ({
		400: 'The current status of the calendar event may not allow this. Get the calendar event to see its status.',
		404: wrongPath(key),
		405: `The API has another method for this operation: ${enterAs(key)}.`,
	}),
});

const filters = filtersOf({
	firstDay: firstDayOption,
	from: moment({ displayName: 'From', description: 'Only events from this moment on' }),
	period: choice(EVENT_PERIODS, {
		displayName: 'Period',
		meanings: PERIOD_MEANINGS,
		default: 'tomorrow',
		description: "Only events in this period, in the workflow's time zone",
	}),
	status: text(
		{
			displayName: 'Status',
			placeholder: 'e.g. pending, confirmed',
			description: 'Only events with one of these statuses, separated by commas',
		},
		list(nonBlank()),
	),
	until: moment({ displayName: 'Until', description: 'Only events before this moment' }),
});

/** Reference: GET /events, which has no filter. */
const getManyEvents = operation({
	name: 'Get Many',
	description: 'Retrieve a list of calendar events, one item each or grouped by date',
	hint: 'For the bookings of a day or a week set filters.period, such as tomorrow or next7Days. filters.status takes the statuses of this account in their own words.',
	request: 'GET /events',
	does: 'list',
	simplify: simplifyEvent,
	fields: () =>
		form({
			group: toggle({
				displayName: 'Group by Date',
				description: 'Whether to return one item per date, with all its events',
			}),
			filters,
		}).check((given, refuse) => {
			const { period, from, until } = given.filters;
			if (period !== undefined && (from ?? until) !== undefined) {
				refuse('has bounds of its own: remove it, or remove From and Until', 'filters', 'period');
			}
			if (endsTooEarly(from, until)) refuse("must be later than 'From'", 'filters', 'until');
			return given;
		}),
	run: async ({ group, filters: { status: statuses = [], ...within } }, api) => {
		const { zone } = api.now;
		const period = boundsOf(within, api.now);
		const isFiltered = statuses.length > 0 || (period.start ?? period.end) !== undefined;
		// A limit counts the items, which may be dates, and are fewer than the events that are read.
		const wanted = group || isFiltered ? Infinity : api.wanted;
		const events = await api.list('/events', {}, { records: calendarEventsIn, wanted });
		const found = filterEvents(events, { period, statuses }, zone, api.tell);
		return (group ? groupByDay(found, zone) : found).slice(0, api.wanted);
	},
});

/** Reference: GET /events, "event by id" and "event status operations". */
export const event: Resource = {
	name: 'Calendar Event',
	description: 'Bookings and other events',
	operations: {
		approve: statusMove('Approve', 'eventApprove'),
		confirm: statusMove('Confirm', 'eventConfirm'),
		delete: deleteRow('Delete a calendar event permanently', EVENT, about, sendsAt('DELETE')),
		get: getRow('Retrieve one calendar event', EVENT, about, {
			...sendsAt('GET'),
			simplify: simplifyEvent,
		}),
		getAll: getManyEvents,
		reject: statusMove('Reject', 'eventReject'),
		update: operation({
			name: 'Update',
			description: 'Change fields of a calendar event, including its extras (custom fields)',
			request: 'PATCH /events/{event_id}',
			does: 'change',
			hints: noEvent,
			fields: () =>
				form(about)
					.and(recordForm('mapEvent', { exists: true, clearable: 'getEventFields' }))
					.and(form({ keepUntouched: keepInner })),
			async run({ event_id, ...changes }, api) {
				const path = pathTo(api.names.eventPath, { event_id });
				return await api.alone(path, async () => {
					const body = await patchBody(changes, async () => await api.get(path));
					return await api.change('PATCH', path, body);
				});
			},
		}),
	},
};
