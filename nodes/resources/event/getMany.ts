import { calendarEventsIn } from '../../domain/eventGroups';
import { fieldOption, filtersOf, optionsOf } from '../../table/common';
import { form } from '../../table/form';
import { choice, moment, text, toggle } from '../../table/kinds';
import { operation } from '../../table/operation';
import { EVENT_PERIODS, PERIOD_MEANINGS } from '../../filters/period';
import { list, nonBlank } from '../../table/schema';
import { boundsOf, endsTooEarly } from '../../filters/within';
import { filterEvents, groupByDay, type EventFilter } from './eventFilter';

const filters = filtersOf({
	from: moment({
		displayName: 'From',
		description:
			'Only events from this moment on. The node reads all events and filters them itself. An event that shows only its day is included if any part of that day matches.',
	}),
	period: choice(EVENT_PERIODS, {
		displayName: 'Period',
		meanings: PERIOD_MEANINGS,
		default: 'tomorrow',
		description:
			"Only events in this period, in the workflow's time zone. The node reads all events and filters them itself.",
	}),
	status: text(
		{
			displayName: 'Status',
			placeholder: 'e.g. pending, confirmed',
			description:
				'Only events with one of these statuses, as YK Voice names them, separated by commas. The node reads all events and filters them itself.',
		},
		list(nonBlank()),
	),
	until: moment({
		displayName: 'Until',
		description:
			'Only events before this moment. The node reads all events and filters them itself.',
	}),
});

const options = optionsOf({
	dateField: fieldOption({
		displayName: 'Date Field',
		placeholder: 'e.g. date',
		description:
			'Advanced: name of the field that holds the date of an event. Leave empty to detect it.',
	}),
	statusField: fieldOption({
		displayName: 'Status Field',
		placeholder: 'e.g. status',
		description:
			'Advanced: name of the field that holds the status of an event. Leave empty to detect it.',
	}),
});

/** Reference: GET /events, which has no filter. */
export const getManyEvents = operation({
	name: 'Get Many',
	description: 'Retrieve a list of calendar events, one item each or grouped by date',
	hint: 'For the bookings of a day or a week set filters.period, such as tomorrow or next7Days. filters.status takes the statuses of this account in their own words.',
	request: 'GET /events',
	many: true,
	fields: () =>
		form({
			group: toggle({
				displayName: 'Group by Date',
				description: 'Whether to return one item per date, with all its events',
			}),
			filters,
			options,
		}).check((given, refuse) => {
			const { period, from, until } = given.filters;
			if (period !== undefined && (from ?? until) !== undefined) {
				refuse('has bounds of its own: remove it, or remove From and Until', 'filters', 'period');
			}
			if (endsTooEarly(from, until)) refuse("must be later than 'From'", 'filters', 'until');
			return given;
		}),
	run: async ({ group, filters: chosen, options: names }, { list, wanted, now, tell }) => {
		const { status: statuses = [], ...within } = chosen;
		const filter: EventFilter = { period: boundsOf(within, now), statuses, ...names };
		const isFiltered = statuses.length > 0 || Object.keys(filter.period).length > 0;
		// A limit counts the items, which may be dates, and are fewer than the events that are read.
		const isPart = group || isFiltered;
		const events = await list({
			records: calendarEventsIn,
			...(isPart && { wanted: Infinity }),
		});
		const found = isFiltered ? filterEvents(events, filter, now.zone, tell) : events;
		return (group ? groupByDay(found, now.zone, names.dateField) : found).slice(0, wanted);
	},
});
