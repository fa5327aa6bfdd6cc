import { contactIdOf } from '../../api/members';
import { simplifyContact } from '../../domain/simplify';
import { filtersOf } from '../../table/common';
import { form } from '../../table/form';
import { simplify } from '../../table/handling';
import { picker, text } from '../../table/kinds';
import { id, nonBlank, optional } from '../../table/schema';
import { since } from '../../time';
import { ListWatcher } from '../../watching/listWatcher';
import { StatesWatcher, type Change } from '../../watching/statesWatcher';
import { triggerEvent } from '../event';
import { contentChanges } from './comparing';
import {
	contentEvent,
	contentForm,
	eventOptions,
	lookBack,
	pollLimit,
	startsAgain,
} from './eventFields';

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

/** Compares only whether a contact is there. */
const contactArrivals = (isSimple: boolean) => ({
	stateOf: () => '',
	itemOf: ({ record }: Change) => (isSimple ? simplifyContact(record) : record),
});

/** Reference: GET /contacts, with search, filter and sort. It takes no created_after, and shows no fields. */
export const newContact = triggerEvent({
	name: 'New Contact',
	description:
		"When a contact is created. Reads all contacts with each poll, up to 5,000, unless you set 'Date Field'.",
	hint: 'One item per contact. With more than 5,000 contacts set options.dateField.',
	request: 'GET /contacts',
	hints: {
		400: "The API refuses the filter. Correct or remove 'API Filter' and 'Date Field'.",
	},
	fields: () =>
		form({
			simplify,
			filters: contactFilters,
			options: eventOptions({
				dateField: text(
					{
						displayName: 'Date Field',
						placeholder: 'e.g. created_at',
						description: startsAgain(
							'Advanced: name of the field that holds the date of creation. If set, a poll only reads recent contacts, so there may be more than 5,000.',
						),
					},
					optional(nonBlank(200)),
				),
				lookBack,
				pollLimit,
			}),
		}).check((input, refuse) => {
			// The reference does not say whether & or | binds first.
			if (input.options.dateField && input.filters.filter?.includes('|')) {
				refuse("must not contain | if 'Date Field' is set", 'filters', 'filter');
			}
			return input;
		}),
	stateKey: ({ filters, options }) => [filters.filter, options.dateField],
	watch({ filters: { filter }, options: { dateField }, simplify: isSimple }, watching) {
		const path = '/contacts';
		const tooMany = "Set 'Date Field' in the options, or narrow the list with 'API Filter'.";
		if (dateField === undefined) {
			const whole = { path, query: { filter }, tooMany, ...contactArrivals(isSimple) };
			return new StatesWatcher(watching, whole);
		}
		return new ListWatcher(watching, {
			path,
			query: { sort: `-${dateField}` },
			dateFields: [dateField],
			queryFrom: (from) => ({
				filter: [filter, `${dateField}>=${since(from)}`].filter(Boolean).join('&'),
			}),
			judge: (contact) => ({ item: isSimple ? simplifyContact(contact) : contact }),
		});
	},
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
	watch: ({ filters: { filter }, options, simplify: isSimple }, watching) =>
		new StatesWatcher(watching, {
			path: '/contacts',
			query: { filter },
			tooMany: "Narrow the list with 'API Filter'.",
			...contentChanges(options.ignoreFields, isSimple ? simplifyContact : (contact) => contact),
		}),
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
	watch: ({ contact_list_id, simplify: isSimple }, watching) =>
		new StatesWatcher(watching, {
			path: `/contact-lists/${encodeURIComponent(contact_list_id)}/contacts`,
			idOf: contactIdOf,
			...contactArrivals(isSimple),
		}),
});
