import { z } from 'zod';

import { calendarEventsIn } from '../../domain/eventGroups';
import { fingerprintOf } from '../../domain/keys';
import { inFront, simplifyEvent } from '../../domain/simplify';
import { flag, list, nonBlank } from '../../table/schema';
import { triggerEvent } from '../event';
import { StatesWatcher } from '../kinds/states';
import { pollLimit, simplify, startsAgain } from './fields';

const changeInFront = inFront('id', 'change');

/** Reference: GET /events. It shows no fields, and the list takes no date. */
export const eventChanged = triggerEvent({
	name: 'New or Changed Event',
	description:
		'When a calendar event is new or differs from the last poll. Reads all events with each poll, up to 5,000.',
	request: 'GET /events',
	fields: [simplify],
	options: [
		pollLimit,
		{
			displayName: 'Ignore Fields',
			name: 'ignoreFields',
			type: 'string',
			default: '',
			placeholder: 'e.g. synced_at, view_count',
			description: startsAgain(
				'Fields that change by themselves, separated by commas. A change of them does not start the workflow.',
			),
		},
	],
	input: () =>
		z.object({
			simplify: flag.default(true),
			options: z.object({ ignoreFields: list(nonBlank()).default([]) }).default({}),
		}),
	identity: ({ options }) => options.ignoreFields.toSorted(),
	watch: ({ options, simplify: isSimple }, watching) =>
		new StatesWatcher(watching, {
			path: '/events',
			records: calendarEventsIn,
			stateOf: (event) => fingerprintOf(event, options.ignoreFields),
			isOfShape: true,
			itemOf: (event, _state, before) =>
				changeInFront({
					...(isSimple ? simplifyEvent(event) : event),
					change: before === undefined ? 'new' : 'changed',
				}),
		}),
});
