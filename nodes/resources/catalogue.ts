import { z } from 'zod';

import { rowsFor } from '../table/byId';
import { optionalFields, picker, searchFilter, sortBy } from '../table/fields';
import { operation, type Resource } from '../table/operation';
import { recordFields, recordInput } from '../table/record';
import { keepUntouched, keepUntouchedHint, replacing } from '../table/replace';
import { collection, flag, id, oneOf, searchText } from '../table/schema';

/** Reference: GET /catalogues (sort). */
const SORT = {
	name: 'Name: A to Z',
	'-name': 'Name: Z to A',
	'-created_at': 'Created: Newest First',
	created_at: 'Created: Oldest First',
} as const;

const cataloguePicker = picker({
	displayName: 'Catalogue',
	name: 'catalogue_id',
	search: 'searchCatalogues',
	description: 'Catalogue to work with',
});

const byId = rowsFor(cataloguePicker, id);

/** Reference: /catalogues and /catalogues/{catalogue_id}. */
export const catalogue: Resource = {
	name: 'Catalogue',
	description: 'Catalogues of items that agents can sell',
	operations: {
		create: operation({
			name: 'Create',
			action: 'Create catalogue',
			description: 'Create a new catalogue',
			request: 'POST /catalogues',
			fields: recordFields('mapCatalogue'),
			input: () => recordInput(),
			payload: ({ record }) => record,
		}),
		delete: byId({
			name: 'Delete',
			action: 'Delete catalogue',
			description: 'Delete a catalogue permanently',
			request: 'DELETE /catalogues/{catalogue_id}',
		}),
		get: byId({
			name: 'Get',
			action: 'Get catalogue',
			description: 'Retrieve one catalogue',
			request: 'GET /catalogues/{catalogue_id}',
		}),
		getAll: {
			name: 'Get Many',
			action: 'Get many catalogues',
			description: 'Retrieve a list of catalogues',
			request: 'GET /catalogues',
			many: true,
			fields: [
				optionalFields('Filters', 'filters', 'Add filter', [searchFilter('catalogues')]),
				optionalFields('Options', 'options', 'Add option', [sortBy(SORT)]),
			],
			input: () =>
				z
					.object({
						filters: collection({ search: searchText }),
						options: collection({ sort: oneOf(SORT) }),
					})
					.transform(({ filters, options }) => ({ ...filters, ...options })),
		},
		update: operation({
			name: 'Update',
			action: 'Update catalogue',
			description: 'Change a catalogue',
			hint: keepUntouchedHint,
			request: 'PUT /catalogues/{catalogue_id}',
			fields: [cataloguePicker, ...recordFields('mapCatalogue'), keepUntouched],
			input: () =>
				z
					.object({ catalogue_id: id, keepUntouched: flag.default(true) })
					.and(recordInput({ exists: true })),
			...replacing,
		}),
	},
};
