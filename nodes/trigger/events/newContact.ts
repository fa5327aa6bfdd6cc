import { z } from 'zod';

import { flag, nonBlank, optional } from '../../table/schema';
import { StatesWatcher } from '../kinds/states';
import { triggerEvent } from './event';
import { arrivals, pollLimit, simplify } from './fields';

/** Reference: GET /contacts, which takes no date, and of which no order is shown. */
export const newContact = triggerEvent({
	name: 'New Contact',
	description:
		'When a contact shows up that was not there at the poll before. Reads all contacts with each poll, up to 5,000, at one request per 100.',
	fields: [simplify],
	filters: [
		{
			displayName: 'Filter Expression',
			name: 'filter',
			type: 'string',
			default: '',
			placeholder: 'e.g. loyalty_tier==gold',
			description:
				"Only contacts that match, in the API's own filter language; also one that comes to match later. A change starts anew: what happened before it does not fire.",
		},
	],
	options: [pollLimit],
	input: () =>
		z.object({
			simplify: flag.default(true),
			filters: z.object({ filter: optional(nonBlank()) }).default({}),
		}),
	identity: ({ filters }) => filters.filter,
	watch: ({ filters: { filter }, simplify: isSimple }, watching) =>
		new StatesWatcher({ path: '/contacts', query: { filter }, ...arrivals(isSimple) }, watching),
});
