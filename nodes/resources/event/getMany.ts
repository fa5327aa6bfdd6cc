import { z } from 'zod';

import { calendarEventsIn, groupByDate } from '../../domain/eventGroups';
import { choices, optionalFields } from '../../table/fields';
import { nothing, operation } from '../../table/operation';
import { COMING_PERIODS, PERIOD_MEANINGS, PERIODS } from '../../table/period';
import {
	collection,
	flag,
	isoDate,
	list,
	nonBlank,
	oneOf,
	optional,
	recordField,
} from '../../table/schema';
import { boundsOf, endsTooEarly } from '../../table/within';
import { dayOf, filterEvents, type EventFilter } from './filter';

const { between: _between, ...PAST_PERIODS } = PERIODS;

const EVENT_PERIODS = { ...PAST_PERIODS, ...COMING_PERIODS };

/** Reference: GET /events, which has no filter. */
export const getManyEvents = operation({
	name: 'Get Many',
	action: 'Get many calendar events',
	description: 'Retrieve a list of calendar events, one item each or grouped by date',
	hint: 'For the bookings of a day or a week set filters.period, such as tomorrow or next7Days. filters.status takes the statuses of this account in their own words.',
	request: 'GET /events',
	many: true,
	records: calendarEventsIn,
	fields: [
		{
			displayName: 'Group by Date',
			name: 'group',
			type: 'boolean',
			default: false,
			description: 'Whether to return one item per date, with all its events',
		},
		optionalFields('Filters', 'filters', 'Add filter', [
			{
				displayName: 'From',
				name: 'from',
				type: 'dateTime',
				default: '',
				description:
					'Only events from this moment on. The node reads all events and filters them itself. An event that shows only its day is included if any part of that day matches.',
			},
			{
				displayName: 'Period',
				name: 'period',
				type: 'options',
				options: choices(EVENT_PERIODS, PERIOD_MEANINGS),
				default: 'tomorrow',
				description:
					"Only events in this period, in the workflow's time zone. The node reads all events and filters them itself.",
			},
			{
				displayName: 'Status',
				name: 'status',
				type: 'string',
				default: '',
				placeholder: 'e.g. pending, confirmed',
				description:
					'Only events with one of these statuses, as YK Voice names them, separated by commas. The node reads all events and filters them itself.',
			},
			{
				displayName: 'Until',
				name: 'until',
				type: 'dateTime',
				default: '',
				description:
					'Only events before this moment. The node reads all events and filters them itself.',
			},
		]),
		optionalFields('Options', 'options', 'Add option', [
			{
				displayName: 'Date Field',
				name: 'dateField',
				type: 'string',
				default: '',
				placeholder: 'e.g. date',
				description:
					'Advanced: name of the field that holds the date of an event. Leave empty to detect it.',
			},
			{
				displayName: 'Status Field',
				name: 'statusField',
				type: 'string',
				default: '',
				placeholder: 'e.g. status',
				description:
					'Advanced: name of the field that holds the status of an event. Leave empty to detect it.',
			},
		]),
	],
	input: () =>
		z
			.object({
				group: flag.default(false),
				filters: collection({
					from: optional(isoDate),
					period: oneOf(EVENT_PERIODS),
					status: list(nonBlank()),
					until: optional(isoDate),
				}),
				options: collection({ dateField: recordField, statusField: recordField }),
			})
			.superRefine(({ filters: { period, from, until } }, ctx) => {
				const refuse = (field: string, message: string) =>
					ctx.addIssue({ code: 'custom', path: ['filters', field], message });
				if (period !== undefined && (from ?? until) !== undefined) {
					refuse('period', 'has bounds of its own: remove it, or remove From and Until');
				}
				if (endsTooEarly(from, until)) refuse('until', 'must be later than From');
			}),
	payload: nothing,
	run: async ({ group, filters, options }, { list: read, now, tell }) => {
		const { status: statuses = [], ...within } = filters;
		const filter: EventFilter = { period: boundsOf(within, now), statuses, ...options };
		const isFiltered = statuses.length > 0 || Object.keys(filter.period).length > 0;
		// A limit counts the items, which may be dates, and are fewer than the events that are read.
		const events = await read(group || isFiltered ? Infinity : undefined);
		const wanted = isFiltered ? filterEvents(events, filter, now.zone, tell) : events;
		return group ? groupByDate(wanted, (event) => dayOf(event, options.dateField)) : wanted;
	},
});
