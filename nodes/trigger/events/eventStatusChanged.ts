import { ASSUMED } from '../../domain/assumed';
import { calendarEventsIn } from '../../domain/eventGroups';
import { simplifyEvent } from '../../domain/simplify';
import { form } from '../../table/form';
import { simplify } from '../../table/handling';
import { triggerEvent } from '../event';
import { StatesWatcher } from '../../watching/statesWatcher';
import { statusChanges } from './comparing';
import { eventOptions, pollLimit } from './eventFields';

/** Reference: GET /events and "Event status". It shows neither the states nor their field. */
export const eventStatusChanged = triggerEvent({
	name: 'Calendar Event Status Changed',
	description:
		'When a calendar event is new or has another status than at the last poll. Reads all events with each poll, up to 5,000.',
	request: 'GET /events',
	fields: () => form({ simplify, options: eventOptions({ pollLimit }) }),
	watch: ({ simplify: isSimple }, watching) =>
		new StatesWatcher(watching, {
			path: '/events',
			records: calendarEventsIn,
			...statusChanges(ASSUMED.eventState, isSimple ? simplifyEvent : (event) => event),
		}),
});
