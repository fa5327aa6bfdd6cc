import { filtersOf, recordPicker, searchFilter, sortBy, sorted } from '../table/common';
import { form } from '../table/form';
import { deleteRow, getRow } from '../table/handling';
import { lists, operation, sends, type Resource } from '../table/operation';
import { recordForm } from '../table/record';
import { replacingRow } from '../table/updates';

/** Reference: GET /catalogues (sort). */
const SORT = {
	name: 'Name: A to Z',
	'-name': 'Name: Z to A',
	'-created_at': 'Created: Newest First',
	created_at: 'Created: Oldest First',
} as const;

const CATALOGUE = '/catalogues/{catalogue_id}';

const about = { catalogue_id: recordPicker('Catalogue', 'searchCatalogues') };

/** Reference: /catalogues and /catalogues/{catalogue_id}. */
export const catalogue: Resource = {
	name: 'Catalogue',
	description: 'Catalogues of items',
	operations: {
		create: operation({
			name: 'Create',
			description: 'Create a new catalogue',
			...sends('POST /catalogues'),
			fields: () => recordForm('mapCatalogue').check(({ record }) => record),
		}),
		delete: deleteRow('Delete a catalogue permanently', CATALOGUE, about),
		get: getRow('Retrieve one catalogue', CATALOGUE, about),
		getAll: {
			name: 'Get Many',
			description: 'Retrieve a list of catalogues',
			...lists('/catalogues'),
			fields: () =>
				form({
					filters: filtersOf({ search: searchFilter('catalogues') }),
					sort: sorted({ sort: sortBy(SORT) }),
				}).check(({ filters, sort }) => ({ ...filters, ...sort })),
		},
		update: replacingRow('Change a catalogue', CATALOGUE, about, 'mapCatalogue'),
	},
};
