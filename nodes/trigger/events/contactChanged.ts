import { simplifyContact } from '../../domain/simplify';
import { form } from '../../table/form';
import { triggerEvent } from '../event';
import { StatesWatcher } from '../../watching/statesWatcher';
import { contentChanges } from './comparing';
import { contactFilters, contentEvent, contentForm } from './eventFields';

/** Reference: GET /contacts, with search, filter and sort. It shows no date of a change. */
export const contactChanged = triggerEvent({
	...contentEvent,
	name: 'New or Changed Contact',
	description:
		'When a contact is new or differs from the last poll. Reads all contacts with each poll, up to 5,000.',
	request: 'GET /contacts',
	fields: () => contentForm().and(form({ filters: contactFilters })),
	identity: (input) => [input.filters.filter, contentEvent.identity(input)],
	watch: ({ filters: { filter }, options, simplify: isSimple }, watching) =>
		new StatesWatcher(watching, {
			path: '/contacts',
			query: { filter },
			tooMany: "Narrow the list with 'Filter Expression'.",
			...contentChanges(options.ignoreFields, isSimple ? simplifyContact : (contact) => contact),
		}),
});
