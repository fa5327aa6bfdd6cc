import { calendarEventsIn } from '../../domain/eventGroups';
import { simplifyEvent } from '../../domain/simplify';
import { triggerEvent } from '../event';
import { StatesWatcher } from '../../watching/statesWatcher';
import { contentChanges } from './comparing';
import { contentEvent } from './eventFields';

/** Reference: GET /events. It shows no fields, and the list takes no date. */
export const eventChanged = triggerEvent({
	...contentEvent,
	name: 'New or Changed Calendar Event',
	description:
		'When a calendar event is new or differs from the last poll. Reads all events with each poll, up to 5,000.',
	request: 'GET /events',
	watch: ({ options, simplify: isSimple }, watching) =>
		new StatesWatcher(watching, {
			path: '/events',
			records: calendarEventsIn,
			...contentChanges(options.ignoreFields, isSimple ? simplifyEvent : (event) => event),
		}),
});
