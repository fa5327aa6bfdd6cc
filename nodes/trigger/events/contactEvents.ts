import { contactIdOf } from '../../api/members';
import { simplifyContact } from '../../domain/simplify';
import { filtersOf } from '../../table/common';
import { form } from '../../table/form';
import { simplify } from '../../table/handling';
import { picker, text } from '../../table/kinds';
import { id, nonBlank } from '../../table/schema';
import { statesWatcher } from '../../watching/statesWatcher';
import { triggerEvent } from '../event';
import { contentChanges } from './comparing';
import { contentEvent, contentForm, eventOptions, pollLimit, startsAgain } from './eventFields';

const contactFilters = filtersOf({
	filter: text(
		{
			displayName: 'API Filter',
			placeholder: 'e.g. loyalty_tier==gold',
			description: startsAgain('Only contacts that match, in the filter language of the API.'),
		},
		nonBlank(),
	),
});

const FILTER_HINTS = { 400: "The API refuses the filter. Correct or remove 'API Filter'." };

const contactList = (filter: string | undefined) => ({
	path: '/contacts',
	query: { filter },
	tooMany: "Narrow the list with 'API Filter'.",
});

/** Reference: GET /contacts, with search, filter and sort. It takes no created_after, and shows no fields. */
export const newContact = triggerEvent({
	name: 'New Contact',
	description: 'When a contact is created. Reads all contacts with each poll, up to 5,000.',
	hint: 'One item per contact. With more than 5,000 contacts set filters.filter.',
	request: 'GET /contacts',
	hints: FILTER_HINTS,
	fields: () => form({ simplify, filters: contactFilters, options: eventOptions({ pollLimit }) }),
	stateKey: ({ filters }) => filters.filter,
	simplify: simplifyContact,
	// Only whether a contact is there is compared.
	watch: ({ filters: { filter } }, watching) =>
		statesWatcher(watching, { ...contactList(filter), stateOf: () => '' }),
});

/** Reference: GET /contacts, with search, filter and sort. It shows no date of a change. */
export const contactChanged = triggerEvent({
	...contentEvent,
	name: 'New or Changed Contact',
	description:
		'When a contact is new or differs from the last poll. Reads all contacts with each poll, up to 5,000.',
	hint: 'Writing contacts in this workflow starts it again: compare the values before writing.',
	request: 'GET /contacts',
	fields: () => contentForm().and(form({ filters: contactFilters })),
	stateKey: (input) => [input.filters.filter, contentEvent.stateKey(input)],
	simplify: simplifyContact,
	watch: ({ filters: { filter }, options }, watching) =>
		statesWatcher(watching, { ...contactList(filter), ...contentChanges(options.ignoreFields) }),
});

/** Reference: GET /contact-lists/{contact_list_id}/contacts. It shows neither records nor their order. */
export const contactAddedToList = triggerEvent({
	name: 'Contact Added to List',
	description:
		'When a contact is added to a contact list. Reads the whole list with each poll, up to 5,000 contacts.',
	hint: 'One item per contact that joins the list, also if the contact itself is old.',
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
	stateKey: ({ contact_list_id }) => contact_list_id,
	ofOneAccount: 'contact list',
	simplify: simplifyContact,
	watch: ({ contact_list_id }, watching) =>
		statesWatcher(watching, {
			path: `/contact-lists/${encodeURIComponent(contact_list_id)}/contacts`,
			idOf: contactIdOf,
			stateOf: () => '',
		}),
});
