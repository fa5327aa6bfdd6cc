import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import type { JsonObject } from '../json';
import { ASSUMED } from '../table/assumed';
import { optionalFields, picker } from '../table/fields';
import type { Operation, Resource } from '../table/operation';
import { eventsOf, groupByDate } from '../table/eventGroups';
import { pathText } from '../api/path';
import { recordFields, recordOf, recordShape } from '../table/record';
import { collection, flag, id, oneOf } from '../table/schema';
import { plainFields } from '../table/simplify';

const METHODS = { DELETE: 'DELETE', PATCH: 'PATCH', POST: 'POST', PUT: 'PUT' } as const;

const eventPicker = picker({
	displayName: 'Event',
	name: 'event_id',
	search: 'searchEvents',
	description: 'The event, chosen from the list or named by its ID',
});

const pathOption = (assumed: string): INodeProperties => ({
	displayName: 'Path',
	name: 'path',
	type: 'string',
	default: assumed,
	description:
		'Where the API has this; its reference does not show the path. {event_id} stands for the event.',
});

const { eventStatusMethod } = ASSUMED;

const methodOption: INodeProperties = {
	displayName: 'Method',
	name: 'method',
	type: 'options',
	options: Object.keys(METHODS).map((value) => ({ name: value, value })),
	default: eventStatusMethod,
	description: "The HTTP method of this; the API's reference does not show it",
};

const options = (assumed: string, ...more: INodeProperties[]) =>
	optionalFields('Options', 'options', 'Add option', [pathOption(assumed), ...more]);

const eventPath = pathText.refine((path) => path.includes('{event_id}'), {
	message: 'must contain {event_id}',
});

interface Placed {
	event_id: string;
	options: { path?: string; method?: keyof typeof METHODS };
	/** The record that an update writes. */
	sent?: JsonObject;
}

/** Sends the row's request to the path and by the method that the user may have changed. */
const placed: NonNullable<Operation['run']> = async ({ use }, { api, request }) => {
	const { event_id, options: chosen, sent } = use as unknown as Placed;
	const assumed = request({ event_id, use: { sent } });
	const { data } = await api.send({
		...assumed,
		method: chosen.method ?? assumed.method,
		path: chosen.path?.replaceAll('{event_id}', encodeURIComponent(event_id)) ?? assumed.path,
	});
	return assumed.method === 'DELETE' && data === null ? { deleted: true } : data;
};

const placeShape = {
	event_id: id,
	options: collection({ path: eventPath, method: oneOf(METHODS) }),
};

const atPath = (
	row: Pick<Operation, 'name' | 'action' | 'description' | 'request' | 'simplify'>,
	...more: INodeProperties[]
): Operation => ({
	...row,
	fields: [eventPicker, options(row.request.slice(row.request.indexOf('/')), ...more)],
	input: () => z.object(placeShape).transform((use) => ({ use })),
	run: placed,
});

const statusMove = (name: string, move: keyof typeof ASSUMED.eventStatusPaths): Operation => ({
	...atPath(
		{
			name,
			action: `${name} an event`,
			description: `${name} an event, if its present status allows it`,
			request: `${eventStatusMethod} ${ASSUMED.eventStatusPaths[move]}`,
		},
		methodOption,
	),
	hints: {
		400: `The API refused it: the event's present status may not allow it. Get the event to see its status.`,
		404: `There is no such event, it belongs to another organization, or the API has this elsewhere: its reference does not show the path. Change it under Options.`,
	},
});

/** Reference: GET /events, "event by id" and "event status operations". */
export const event: Resource = {
	name: 'Event',
	description: 'Calendar items that agents book',
	operations: {
		approve: statusMove('Approve', 'approve'),
		confirm: statusMove('Confirm', 'confirm'),
		delete: atPath({
			name: 'Delete',
			action: 'Delete an event',
			description: 'Delete an event permanently',
			request: `DELETE ${ASSUMED.eventPath}`,
		}),
		get: atPath({
			name: 'Get',
			action: 'Get an event',
			description: 'Retrieve one event',
			request: `GET ${ASSUMED.eventPath}`,
			simplify: plainFields(),
		}),
		getAll: {
			name: 'Get Many',
			action: 'Get many events',
			description: 'Retrieve a list of events, one item each or grouped by date',
			hint: 'The API has no filter by date or status: read all and use a Filter node.',
			request: 'GET /events',
			many: true,
			records: eventsOf,
			fields: [
				{
					displayName: 'Group by Date',
					name: 'group',
					type: 'boolean',
					default: false,
					description:
						'Whether to return one item per date with its events, instead of one per event',
				},
			],
			input: () =>
				z.object({ group: flag.default(false) }).transform(({ group }) => ({ use: { group } })),
			run: async (input, { list }) =>
				// A limit counts the items, which are the dates here.
				(input.use as JsonObject).group ? groupByDate(await list({}, Infinity)) : await list({}),
		},
		reject: statusMove('Reject', 'reject'),
		update: {
			...atPath({
				name: 'Update',
				action: 'Update an event',
				description: 'Change some fields of an event, its extras (custom fields) too',
				request: `PATCH ${ASSUMED.eventPath}`,
			}),
			fields: [eventPicker, ...recordFields('mapEvent'), options(ASSUMED.eventPath)],
			input: () =>
				z
					.object({ ...placeShape, ...recordShape })
					.transform(({ event_id, options: chosen, ...given }, ctx): JsonObject => ({
						use: { event_id, options: chosen, sent: recordOf(given, ctx) },
					})),
			simplify: plainFields(),
		},
	},
};
