import { filtersOf, recordPicker, searchFilter, sortBy, sorted } from '../table/common';
import { form } from '../table/form';
import { getForm } from '../table/handling';
import { lists, operation, rowsAbout, sends, type Resource } from '../table/operation';
import { recordForm } from '../table/record';
import { replacingRow } from '../table/updates';

/** Reference: GET /catalogues (sort). */
const SORT = {
	name: 'Name: A to Z',
	'-name': 'Name: Z to A',
	'-created_at': 'Created: Newest First',
	created_at: 'Created: Oldest First',
} as const;

const about = { catalogue_id: recordPicker('Catalogue', 'searchCatalogues') };

const byId = rowsAbout(about);

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
		delete: byId({
			name: 'Delete',
			description: 'Delete a catalogue permanently',
			...sends('DELETE /catalogues/{catalogue_id}'),
		}),
		get: {
			name: 'Get',
			description: 'Retrieve one catalogue',
			...sends('GET /catalogues/{catalogue_id}'),
			fields: () => getForm(about),
		},
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
		update: replacingRow('Change a catalogue', '/catalogues/{catalogue_id}', about, 'mapCatalogue'),
	},
};
