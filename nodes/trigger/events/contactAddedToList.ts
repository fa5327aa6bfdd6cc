import { contactIdOf } from '../../domain/contact';
import { form } from '../../table/form';
import { simplify } from '../../table/handling';
import { picker } from '../../table/kinds';
import { id } from '../../table/schema';
import { triggerEvent } from '../event';
import { StatesWatcher } from '../../watching/statesWatcher';
import { contactArrivals } from './comparing';
import { eventOptions, pollLimit, startsAgain } from './eventFields';

/** Reference: GET /contact-lists/{contact_list_id}/contacts. It shows neither records nor their order. */
export const contactAddedToList = triggerEvent({
	name: 'Contact Added to List',
	description:
		'When a contact shows up in a contact list. Reads the whole list with each poll, up to 5,000 contacts.',
	request: 'GET /contact-lists/{contact_list_id}/contacts',
	fields: () =>
		form({
			contact_list_id: picker(
				{
					displayName: 'Contact List',
					search: 'searchContactLists',
					description: startsAgain('The contact list to watch.'),
				},
				id,
			),
			simplify,
			options: eventOptions({ pollLimit }),
		}),
	identity: ({ contact_list_id }) => contact_list_id,
	watch: ({ contact_list_id, simplify: isSimple }, watching) =>
		new StatesWatcher(watching, {
			path: `/contact-lists/${encodeURIComponent(contact_list_id)}/contacts`,
			idOf: contactIdOf,
			...contactArrivals(isSimple),
		}),
});
