import { pathText } from '../../api/path';
import { readRecord } from '../../api/readRecord';
import type { Request } from '../../api/session';
import { ASSUMED } from '../../domain/assumed';
import { calendarEventsIn } from '../../domain/eventGroups';
import { simplifyEvent } from '../../domain/simplify';
import { EVENT_PERIODS, PERIOD_MEANINGS } from '../../filters/period';
import { boundsOf, endsTooEarly, firstDayOption } from '../../filters/within';
import type { JsonObject } from '../../json';
import { fieldOption, filtersOf, optionsOf, recordPicker } from '../../table/common';
import { form, type Parameters } from '../../table/form';
import { choice, moment, text, toggle } from '../../table/kinds';
import {
	operation,
	type Operation,
	type Resource,
	type RunContext,
	runAlone,
	sendAlone,
} from '../../table/operation';
import { recordForm } from '../../table/record';
import { list, nonBlank } from '../../table/schema';
import { keepInner, patchBody } from '../../table/updates';
import { filterEvents, groupByDay, type EventFilter } from './eventFilter';

const METHODS = { DELETE: 'DELETE', PATCH: 'PATCH', POST: 'POST', PUT: 'PUT' } as const;

const about = { event_id: recordPicker('Calendar Event', 'searchEvents') };

const pathOption = (assumed: string) =>
	text(
		{
			displayName: 'Path',
			default: assumed,
			description:
				'Advanced: path of this operation, with {event_id} for the ID of the calendar event',
		},
		pathText.refine((path) => path.includes('{event_id}'), { message: 'must contain {event_id}' }),
	);

const { eventStatusMethod } = ASSUMED;

const method = choice(METHODS, {
	displayName: 'Method',
	default: eventStatusMethod,
	description: 'Advanced: HTTP method of this operation',
});

/** The event, and the path and method that the user may have changed. */
interface EventInput extends JsonObject {
	event_id: string;
	options: { path?: string; method?: keyof typeof METHODS };
}

/** The row's request, with the path and method that the user may have changed. */
function chosenRequest({ event_id, options: chosen }: EventInput, request: Request): Request {
	return {
		...request,
		method: chosen.method ?? request.method,
		path: chosen.path?.replaceAll('{event_id}', encodeURIComponent(event_id)) ?? request.path,
	};
}

async function sendChosen(input: EventInput, context: RunContext): Promise<unknown> {
	const { request } = context;
	const chosen = chosenRequest(input, request());
	if (chosen.method === 'GET') return await readRecord(context.api, chosen);
	const { data } = await sendAlone(context, chosen);
	return request().method === 'DELETE' ? { deleted: true } : data;
}

const WRONG_PATH =
	"There is no such calendar event in this account, or the API has another path for this operation. Set the right path under 'Options', 'Path'.";

const WRONG_PATH_OR_METHOD = WRONG_PATH.replace(/\.$/, ", and the 'Method' beside it.");

/** The options of a row, with the path of its request. */
const optionsFor = (request: string, more: Parameters = {}) =>
	optionsOf({ path: pathOption(request.slice(request.indexOf('/'))), ...more });

const atPath = (
	row: Pick<Operation, 'name' | 'action' | 'description' | 'request' | 'simplify'>,
	more: Parameters = {},
): Operation =>
	operation({
		...row,
		fields: () => form({ ...about, options: optionsFor(row.request, more) }),
		run: sendChosen,
		hints: () => ({ 404: WRONG_PATH }),
	});

const statusMove = (name: string, move: keyof typeof ASSUMED.eventStatusPaths): Operation => ({
	...atPath(
		{
			name,
			description: `${name} a calendar event, if its current status allows it`,
			request: `${eventStatusMethod} ${ASSUMED.eventStatusPaths[move]}`,
		},
		{ method },
	),
	hints: () => ({
		400: 'The current status of the calendar event may not allow this. Get the calendar event to see its status.',
		404: WRONG_PATH_OR_METHOD,
		405: WRONG_PATH_OR_METHOD,
	}),
});

const filters = filtersOf({
	firstDay: firstDayOption,
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

const fieldNames = optionsOf({
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
const getManyEvents = operation({
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
			options: fieldNames,
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
		const { start, end } = filter.period;
		const isFiltered = statuses.length > 0 || (start ?? end) !== undefined;
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

/** Reference: GET /events, "event by id" and "event status operations". */
export const event: Resource = {
	name: 'Calendar Event',
	description: 'Bookings and other events in the calendar of your agents',
	operations: {
		approve: statusMove('Approve', 'approve'),
		confirm: statusMove('Confirm', 'confirm'),
		delete: atPath({
			name: 'Delete',
			description: 'Delete a calendar event permanently',
			request: `DELETE ${ASSUMED.eventPath}`,
		}),
		get: atPath({
			name: 'Get',
			description: 'Retrieve one calendar event',
			request: `GET ${ASSUMED.eventPath}`,
			simplify: simplifyEvent,
		}),
		getAll: getManyEvents,
		reject: statusMove('Reject', 'reject'),
		update: operation({
			name: 'Update',
			description: 'Change fields of a calendar event, including its extras (custom fields)',
			request: `PATCH ${ASSUMED.eventPath}`,
			fields: () =>
				form(about)
					.and(recordForm('mapEvent', { exists: true, clearable: 'getEventFields' }))
					.and(
						form({
							keepUntouched: keepInner,
							options: optionsOf({ path: pathOption(ASSUMED.eventPath) }),
						}),
					),
			async run(input, context) {
				const { api } = context;
				const chosen = chosenRequest(input, context.request());
				const { path } = chosen;
				const read = async () => await readRecord(api, { method: 'GET', path });
				return await runAlone(context, path, async () => {
					return (await api.send({ ...chosen, body: await patchBody(input, read) })).data;
				});
			},
			simplify: simplifyEvent,
			hints: () => ({ 404: WRONG_PATH }),
		}),
	},
};
