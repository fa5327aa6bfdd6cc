import { z } from 'zod';

import { picker } from '../../table/fields';
import { locatorValue } from '../../table/locator';
import { flag, id } from '../../table/schema';
import { StatesWatcher } from '../kinds/states';
import { triggerEvent } from './event';
import { arrivals, pollLimit, simplify } from './fields';

/** Reference: GET /contact-lists/{contact_list_id}/contacts, whose records and order are not shown. */
export const contactAddedToList = triggerEvent({
	name: 'Contact Added to List',
	description:
		'When a contact shows up in a contact list. Reads all contacts of the list with each poll, up to 5,000, at one request per 100.',
	fields: [
		picker({
			displayName: 'Contact List',
			name: 'contact_list_id',
			search: 'searchContactLists',
			description:
				'The contact list, chosen from the list or named by its ID. A change starts anew: what happened before it does not fire.',
		}),
		simplify,
	],
	options: [pollLimit],
	input: () =>
		z.object({
			contact_list_id: z.preprocess(locatorValue, id),
			simplify: flag.default(true),
		}),
	identity: ({ contact_list_id }) => contact_list_id,
	watch: ({ contact_list_id, simplify: isSimple }, watching) =>
		new StatesWatcher(
			{
				path: `/contact-lists/${encodeURIComponent(contact_list_id)}/contacts`,
				ids: ['id', 'contact_id', 'contact'],
				...arrivals(isSimple),
			},
			watching,
		),
});
