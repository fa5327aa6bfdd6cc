import { z } from 'zod';

import { calendarEventsIn } from '../../domain/eventGroups';
import { flag, list, nonBlank } from '../../table/schema';
import { inFront, simplifyEvent } from '../../domain/simplify';
import { fingerprintOf } from '../kinds/fingerprint';
import { StatesWatcher } from '../kinds/states';
import { triggerEvent } from './event';
import { pollLimit, simplify } from './fields';

/** Reference: GET /events, whose fields are not shown, and which takes no date. */
export const eventChanged = triggerEvent({
	name: 'New or Changed Event',
	description:
		'When a calendar event is new, or shows anything else than at the poll before. Reads all events with each poll, up to 5,000, at one request per 100.',
	fields: [simplify],
	options: [
		pollLimit,
		{
			displayName: 'Ignore Fields',
			name: 'ignoreFields',
			type: 'string',
			default: '',
			placeholder: 'e.g. synced_at, view_count',
			description:
				'Fields that are no change of the event, such as those that the API writes by itself, separated by commas. A change starts anew: what happened before it does not fire.',
		},
	],
	input: () =>
		z.object({
			simplify: flag.default(true),
			options: z.object({ ignoreFields: list(nonBlank()).default([]) }).default({}),
		}),
	identity: ({ options }) => options.ignoreFields.toSorted(),
	watch: ({ options, simplify: isSimple }, watching) =>
		new StatesWatcher(
			{
				path: '/events',
				records: calendarEventsIn,
				stateOf: (event) => fingerprintOf(event, options.ignoreFields),
				isOfShape: true,
				itemOf: (event, _state, before) =>
					inFront(
						'id',
						'change',
					)({
						...(isSimple ? simplifyEvent(event) : event),
						change: before === undefined ? 'new' : 'changed',
					}),
			},
			watching,
		),
});
