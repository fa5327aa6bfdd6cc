import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import { ASSUMED } from '../../domain/assumed';
import { optionalFields, picker } from '../../table/fields';
import {
	nothing,
	operation,
	type RunContext,
	type Operation,
	type Resource,
} from '../../table/operation';
import { pathText } from '../../api/path';
import { readRecord } from '../../api/record';
import type { Request } from '../../api/session';
import { clearRecordFields, recordFields, recordInput } from '../../table/record';
import { keepInside, patchBody } from '../../table/replace';
import { collection, flag, id, oneOf } from '../../table/schema';
import { simplifyEvent } from '../../domain/simplify';
import { getManyEvents } from './getMany';

const METHODS = { DELETE: 'DELETE', PATCH: 'PATCH', POST: 'POST', PUT: 'PUT' } as const;

const eventPicker = picker({
	displayName: 'Calendar Event',
	name: 'event_id',
	search: 'searchEvents',
	description: 'Calendar event to work with',
});

const pathOption = (assumed: string): INodeProperties => ({
	displayName: 'Path',
	name: 'path',
	type: 'string',
	default: assumed,
	description: 'Advanced: path of this operation, with {event_id} for the ID of the calendar event',
});

const { eventStatusMethod } = ASSUMED;

const methodOption: INodeProperties = {
	displayName: 'Method',
	name: 'method',
	type: 'options',
	options: Object.keys(METHODS).map((value) => ({ name: value, value })),
	default: eventStatusMethod,
	description: 'Advanced: HTTP method of this operation',
};

const options = (assumed: string, ...more: INodeProperties[]) =>
	optionalFields('Options', 'options', 'Add option', [pathOption(assumed), ...more]);

const eventPath = pathText.refine((path) => path.includes('{event_id}'), {
	message: 'must contain {event_id}',
});

/** The event, and the path and method that the user may have changed. */
const eventShape = {
	event_id: id,
	options: collection({ path: eventPath, method: oneOf(METHODS) }),
};

type EventInput = z.infer<z.ZodObject<typeof eventShape>>;

/** The row's request, with the path and method that the user may have changed. */
function chosenRequest({ event_id, options: chosen }: EventInput, request: Request): Request {
	return {
		...request,
		method: chosen.method ?? request.method,
		path: chosen.path?.replaceAll('{event_id}', encodeURIComponent(event_id)) ?? request.path,
	};
}

async function sendChosen(input: EventInput, { api, request }: RunContext): Promise<unknown> {
	const chosen = chosenRequest(input, request());
	const { data } = await api.send(chosen);
	return request().method === 'DELETE' && data === null ? { deleted: true } : data;
}

const WRONG_PATH =
	"There is no such calendar event in this account, or the API has another path for this operation. Set the right one under 'Options', 'Path'.";

const WRONG_PATH_OR_METHOD = WRONG_PATH.replace(/\.$/, ", and the 'Method' beside it.");

const atPath = (
	row: Pick<Operation, 'name' | 'action' | 'description' | 'request' | 'simplify'>,
	...more: INodeProperties[]
): Operation =>
	operation({
		...row,
		fields: [eventPicker, options(row.request.slice(row.request.indexOf('/')), ...more)],
		input: () => z.object(eventShape),
		payload: nothing,
		run: sendChosen,
		hints: { 404: WRONG_PATH },
	});

const statusMove = (name: string, move: keyof typeof ASSUMED.eventStatusPaths): Operation => ({
	...atPath(
		{
			name,
			action: `${name} calendar event`,
			description: `${name} a calendar event, if its current status allows it`,
			request: `${eventStatusMethod} ${ASSUMED.eventStatusPaths[move]}`,
		},
		methodOption,
	),
	hints: {
		400: `The API refused it. The current status of the calendar event may not allow it. Get the calendar event to see its status.`,
		404: WRONG_PATH_OR_METHOD,
		405: WRONG_PATH_OR_METHOD,
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
			action: 'Delete calendar event',
			description: 'Delete a calendar event permanently',
			request: `DELETE ${ASSUMED.eventPath}`,
		}),
		get: atPath({
			name: 'Get',
			action: 'Get calendar event',
			description: 'Retrieve one calendar event',
			request: `GET ${ASSUMED.eventPath}`,
			simplify: simplifyEvent,
		}),
		getAll: getManyEvents,
		reject: statusMove('Reject', 'reject'),
		update: operation({
			name: 'Update',
			action: 'Update calendar event',
			description: 'Change fields of a calendar event, including its extras (custom fields)',
			request: `PATCH ${ASSUMED.eventPath}`,
			fields: [
				eventPicker,
				...recordFields('mapEvent'),
				clearRecordFields('getEventFields'),
				keepInside,
				options(ASSUMED.eventPath),
			],
			input: () =>
				z
					.object({ ...eventShape, keepUntouched: flag.default(true) })
					.and(recordInput({ exists: true })),
			payload: ({ record }) => record,
			async run(input, { api, request }) {
				const chosen = chosenRequest(input, request());
				const { path } = chosen;
				const read = async () => await readRecord(api, { method: 'GET', path });
				return (await api.send({ ...chosen, body: await patchBody(input, read) })).data;
			},
			simplify: simplifyEvent,
			hints: { 404: WRONG_PATH },
		}),
	},
};
