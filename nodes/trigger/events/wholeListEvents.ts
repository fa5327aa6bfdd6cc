import { ASSUMED } from '../../domain/assumed';
import { calendarEventsIn } from '../../domain/eventGroups';
import { simplifyEvent, simplifyItem } from '../../domain/simplify';
import { form } from '../../table/form';
import { simplify } from '../../table/handling';
import { statesWatcher } from '../../watching/statesWatcher';
import { triggerEvent } from '../event';
import { contentChanges, statusChanges } from './comparing';
import { contentEvent, eventOptions, pollLimit } from './eventFields';

/** Reference: GET /events. It shows no fields, and the list takes no date. */
export const eventChanged = triggerEvent({
	...contentEvent,
	name: 'New or Changed Calendar Event',
	description:
		'When a calendar event is new or differs from the last poll. Reads all events with each poll, up to 5,000.',
	hint: 'Any change of a booking. For approvals use eventStatusChanged.',
	request: 'GET /events',
	simplify: simplifyEvent,
	watch: ({ options }, watching) =>
		statesWatcher(watching, {
			path: '/events',
			records: calendarEventsIn,
			...contentChanges(options.ignoreFields),
		}),
});

/** Reference: GET /events and "Event status". It shows neither the states nor their field. */
export const eventStatusChanged = triggerEvent({
	name: 'Calendar Event Status Changed',
	description:
		'When a calendar event is new or has another status than at the last poll. Reads all events with each poll, up to 5,000.',
	hint: 'For bookings that wait for approval, were approved or rejected. Approving in this workflow starts it again: branch on new_status.',
	request: 'GET /events',
	fields: () => form({ simplify, options: eventOptions({ pollLimit }) }),
	simplify: simplifyEvent,
	watch: (_input, watching) =>
		statesWatcher(watching, {
			path: '/events',
			records: calendarEventsIn,
			...statusChanges(ASSUMED.eventStatus),
		}),
});

/** Reference: GET /catalogues/items. It shows no date of a change. */
export const itemChanged = triggerEvent({
	...contentEvent,
	name: 'New or Changed Item',
	description:
		'When an item of a catalogue, or a standalone one, is new or differs from the last poll. Reads all items with each poll, up to 5,000.',
	hint: 'Writing items in this workflow starts it again: compare the values before writing.',
	request: 'GET /catalogues/items',
	simplify: simplifyItem,
	watch: ({ options }, watching) =>
		statesWatcher(watching, {
			path: '/catalogues/items',
			...contentChanges(options.ignoreFields),
		}),
});

/** Reference: GET /campaigns. It shows no states, and the list takes no date. */
export const campaignStatusChanged = triggerEvent({
	name: 'Campaign Status Changed',
	description:
		'When a campaign is new or has another status than at the last poll. Reads all campaigns with each poll, up to 5,000.',
	hint: 'For the end of a campaign, branch on new_status. It also starts when a campaign is new.',
	request: 'GET /campaigns',
	fields: () => form({ options: eventOptions({ pollLimit }) }),
	watch: (_input, watching) =>
		statesWatcher(watching, {
			path: '/campaigns',
			...statusChanges(ASSUMED.campaignStatus),
		}),
});
