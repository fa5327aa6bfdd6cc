import { z } from 'zod';

import { contactIdOf } from '../../domain/contact';
import { picker, simplifyField } from '../../table/fields';
import { locatorValue } from '../../table/locator';
import { flag, id } from '../../table/schema';
import { triggerEvent } from '../event';
import { StatesWatcher } from '../../watching/statesWatcher';
import { arrivals, pollLimit, startsAgain } from './eventFields';

/** Reference: GET /contact-lists/{contact_list_id}/contacts. It shows neither records nor their order. */
export const contactAddedToList = triggerEvent({
	name: 'Contact Added to List',
	description:
		'When a contact shows up in a contact list. Reads the whole list with each poll, up to 5,000 contacts.',
	request: 'GET /contact-lists/{contact_list_id}/contacts',
	fields: [
		picker({
			displayName: 'Contact List',
			name: 'contact_list_id',
			search: 'searchContactLists',
			description: startsAgain('The contact list to watch.'),
		}),
		simplifyField,
	],
	options: [pollLimit],
	input: () =>
		z.object({
			contact_list_id: z.preprocess(locatorValue, id),
			simplify: flag.default(true),
		}),
	identity: ({ contact_list_id }) => contact_list_id,
	watch: ({ contact_list_id, simplify: isSimple }, watching) =>
		new StatesWatcher(watching, {
			path: `/contact-lists/${encodeURIComponent(contact_list_id)}/contacts`,
			idOf: contactIdOf,
			...arrivals(isSimple),
		}),
});
