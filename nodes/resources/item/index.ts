import { sendInParts } from '../../api/batches';
import { ASSUMED } from '../../domain/assumed';
import { simplifyItem } from '../../domain/simplify';
import type { JsonObject } from '../../json';
import {
	filtersOf,
	optionsOf,
	perRequest,
	recordPicker,
	searchFilter,
	sortBy,
	sorted,
} from '../../table/common';
import { withCount, operation, rowsAbout, type RunContext } from '../../table/operation';
import { form } from '../../table/form';
import { picker, text } from '../../table/kinds';
import { isPaging, objectOfPairs, pairs, refuseNames } from '../../table/pairs';
import { recordForm } from '../../table/record';
import { replacingRow } from '../../table/updates';
import { idAsGiven, list, nonBlank, scalarText, trimmed } from '../../table/schema';
import { blankIsNothing, cataloguePicker, inCatalogue, upsertItem } from './upsert';

/** Reference: GET /catalogues/items (sort). */
const SORT = {
	name: 'Name: A to Z',
	'-name': 'Name: Z to A',
	'-created_at': 'Created: Newest First',
	created_at: 'Created: Oldest First',
	'-price': 'Price: Highest First',
	price: 'Price: Lowest First',
} as const;

const about = { item_id: recordPicker('Item', 'searchItems') };

const byId = rowsAbout(about);

const items = text(
	{
		displayName: 'Item IDs',
		required: true,
		placeholder: 'e.g. 3f2b8c1e-5d7a-4e90-9b1c-2a6d4f8e0b37, …',
		description: 'IDs of the items, separated by commas, or an array',
	},
	list(idAsGiven, 'must name at least one item'),
);

/** The flexible filters of the item list, whose names the reference does not show. */
const fieldFilters = pairs(
	{
		displayName: 'Field Filters',
		placeholder: 'Add field filter',
		description: 'More filters of the API, such as category',
	},
	{ name: 'filter', displayName: 'Filter', example: 'category' },
	trimmed(scalarText.pipe(nonBlank())),
);

/** Parameters for what a field filter must not do. */
const OWN_FILTERS: Readonly<Record<string, string>> = {
	limit: "use 'Limit' in its place",
	offset: "use 'Return All' to read on",
	search: "use only the filter 'Search'",
	sort: "use only 'Sort'",
};

const sizeOption = optionsOf({ perRequest: perRequest('Items') });

/** Items, and how many of them one request takes. */
interface Assigned extends JsonObject {
	items: Array<string | number>;
	options: { perRequest?: number };
}

/** Puts items into a catalogue, or into none, in as many requests as their number takes. */
async function assign(
	{ items: given, options }: Assigned,
	catalogueId: string | number | null,
	{ api, request }: RunContext,
): Promise<unknown[]> {
	const { method, path } = request();
	const each = new Map(given.map((item) => [String(item), item]));
	return await sendInParts({
		entries: [...each.values()],
		what: 'items',
		size: options.perRequest ?? ASSUMED.membersPerRequest,
		option: 'Items per Request',
		send: async (part) => {
			const body = { [ASSUMED.assignItems]: part, [ASSUMED.itemCatalogue]: catalogueId };
			return (await api.send({ method, path, body })).data;
		},
	});
}

/** Reference: /catalogues/items and the paths below it. */
export const item = withCount(
	{ of: 'getAll', what: 'items' },
	{
		name: 'Item',
		description: 'Items that agents can sell, with or without a catalogue',
		operations: {
			assign: operation({
				name: 'Assign to Catalogue',
				action: 'Assign items to catalogue',
				description: 'Put items into a catalogue',
				request: 'POST /catalogues/items/assign',
				fields: () =>
					form({
						items,
						catalogue_id: picker(
							{
								displayName: 'Catalogue',
								search: 'searchCatalogues',
								description: 'Catalogue to put the items into',
							},
							idAsGiven,
						),
						options: sizeOption,
					}),
				run: async ({ catalogue_id, ...given }, context) =>
					await assign(given, catalogue_id, context),
			}),
			create: {
				name: 'Create',
				description: 'Create an item, with or without a catalogue',
				request: 'POST /catalogues/items',
				fields: () =>
					form({
						catalogue_id: cataloguePicker(
							'Catalogue for the item. Leave empty to create a standalone item.',
						),
					})
						.and(recordForm('mapItem', { blankIsNothing }))
						.check(({ catalogue_id, record }, refuse) => inCatalogue(record, catalogue_id, refuse)),
				simplify: simplifyItem,
			},
			upsert: upsertItem,
			delete: byId({
				name: 'Delete',
				description: 'Delete an item permanently',
				request: 'DELETE /catalogues/items/{item_id}',
			}),
			get: byId({
				name: 'Get',
				description: 'Retrieve one item',
				request: 'GET /catalogues/items/{item_id}',
				simplify: simplifyItem,
			}),
			getAll: {
				name: 'Get Many',
				description: 'Retrieve a list of items',
				request: 'GET /catalogues/items',
				many: true,
				simplify: simplifyItem,
				fields: () =>
					form({
						filters: filtersOf({ fieldFilters, search: searchFilter('items') }),
						sort: sorted({ sort: sortBy(SORT) }),
					}).check(({ filters: { fieldFilters: others = [], ...filters }, sort }, refuse) => {
						const set: JsonObject = { ...filters, ...sort };
						const byNode = (name: string) =>
							isPaging(name) || Object.hasOwn(set, name) ? OWN_FILTERS[name] : undefined;
						refuseNames(others, byNode, refuse, 'filters', 'fieldFilters');
						return { ...objectOfPairs(others), ...set };
					}),
			},
			unassign: operation({
				name: 'Remove From Catalogue',
				action: 'Remove items from catalogue',
				description: 'Take items out of their catalogue without deleting them',
				request: 'POST /catalogues/items/assign',
				fields: () => form({ items, options: sizeOption }),
				run: async (given, context) => await assign(given, null, context),
			}),
			update: replacingRow(
				{
					description: 'Change an item',
					request: 'PUT /catalogues/items/{item_id}',
					simplify: simplifyItem,
				},
				about,
				'mapItem',
				{ blankIsNothing, clearable: 'getItemFields' },
			),
		},
	},
);
