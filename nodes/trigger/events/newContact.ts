import { since } from '../../time';
import { simplifyContact } from '../../domain/simplify';
import { form } from '../../table/form';
import { simplify } from '../../table/handling';
import { text } from '../../table/kinds';
import { nonBlank, optional } from '../../table/schema';
import { triggerEvent } from '../event';
import { ListWatcher } from '../../watching/listWatcher';
import { StatesWatcher } from '../../watching/statesWatcher';
import { contactArrivals } from './comparing';
import { contactFilters, eventOptions, lookBack, pollLimit, startsAgain } from './eventFields';

/** Reference: GET /contacts, with search, filter and sort. It takes no created_after, and shows no fields. */
export const newContact = triggerEvent({
	name: 'New Contact',
	description:
		"When a contact shows up. Reads all contacts with each poll, up to 5,000, unless you set 'Date Field'.",
	request: 'GET /contacts',
	hints: {
		400: "The API refuses the filter. Correct or remove 'Filter Expression' and 'Date Field'.",
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
					optional(nonBlank()),
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
	identity: ({ filters, options }) => [filters.filter, options.dateField],
	watch({ filters: { filter }, options: { dateField }, simplify: isSimple }, watching) {
		const path = '/contacts';
		const tooMany = "Set 'Date Field' in the options, or narrow the list with 'Filter Expression'.";
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
