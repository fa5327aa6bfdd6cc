import { z } from 'zod';

import { simplifyContact } from '../../domain/simplify';
import { flag, list, nonBlank, optional } from '../../table/schema';
import { triggerEvent } from '../event';
import { StatesWatcher } from '../kinds/states';
import { contactFilter, contentChanges, ignoreFields, pollLimit, simplify } from './fields';

/** Reference: GET /contacts, with search, filter and sort. It shows no date of a change. */
export const contactChanged = triggerEvent({
	name: 'New or Changed Contact',
	description:
		'When a contact is new or differs from the last poll. Reads all contacts with each poll, up to 5,000.',
	request: 'GET /contacts',
	fields: [simplify],
	filters: [contactFilter],
	options: [ignoreFields, pollLimit],
	input: () =>
		z.object({
			simplify: flag.default(true),
			filters: z.object({ filter: optional(nonBlank()) }).default({}),
			options: z.object({ ignoreFields: list(nonBlank()).default([]) }).default({}),
		}),
	identity: ({ filters, options }) => [filters.filter, options.ignoreFields.toSorted()],
	watch: ({ filters: { filter }, options, simplify: isSimple }, watching) =>
		new StatesWatcher(watching, {
			path: '/contacts',
			query: { filter },
			tooMany: "Narrow the list with 'Filter Expression'.",
			...contentChanges(options.ignoreFields, isSimple ? simplifyContact : (contact) => contact),
		}),
});
