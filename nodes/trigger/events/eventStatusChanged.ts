import { z } from 'zod';

import { ASSUMED } from '../../domain/assumed';
import { calendarEventsIn } from '../../domain/eventGroups';
import { flag } from '../../table/schema';
import { simplifyEvent } from '../../domain/simplify';
import { StatesWatcher } from '../kinds/states';
import { triggerEvent } from './event';
import { pollLimit, simplify, statusChanges } from './fields';

/** Reference: GET /events and "Event status", whose states and their field are not shown. */
export const eventStatusChanged = triggerEvent({
	name: 'Event Status Changed',
	description:
		'When a calendar event shows another status than at the poll before, or is new. Reads all events with each poll, up to 5,000, at one request per 100.',
	fields: [simplify],
	options: [pollLimit],
	input: () => z.object({ simplify: flag.default(true) }),
	watch: ({ simplify: isSimple }, watching) =>
		new StatesWatcher(
			{
				path: '/events',
				records: calendarEventsIn,
				...statusChanges(ASSUMED.eventState, (event) => (isSimple ? simplifyEvent(event) : event)),
			},
			watching,
		),
});
