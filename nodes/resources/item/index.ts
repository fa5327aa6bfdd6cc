import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import type { JsonObject } from '../../json';
import { ASSUMED } from '../../domain/assumed';
import { rowsFor } from '../../table/byId';
import { optionalFields, perRequest, picker, searchFilter, sortBy } from '../../table/fields';
import { operation, type RunContext, type Resource } from '../../table/operation';
import { clearRecordFields, recordFields, recordInput } from '../../table/record';
import { keepUntouched, keepUntouchedHint, replacing } from '../../table/replace';
import {
	collection,
	nonBlank,
	flag,
	id,
	idAsGiven,
	integer,
	objectOfPairs,
	list,
	oneOf,
	optional,
	refusing,
	scalarText,
	trimmed,
	searchText,
} from '../../table/schema';
import { plainFields } from '../../domain/simplify';
import { BatchLimit, sendInParts } from '../../api/batches';
import { blankIsNothing, cataloguePicker, inCatalogue } from './fields';
import { upsertItem } from './upsert';

/** Reference: GET /catalogues/items (sort). */
const SORT = {
	name: 'Name: A to Z',
	'-name': 'Name: Z to A',
	'-created_at': 'Created: Newest First',
	created_at: 'Created: Oldest First',
	'-price': 'Price: Highest First',
	price: 'Price: Lowest First',
} as const;

const itemPicker = picker({
	displayName: 'Item',
	name: 'item_id',
	search: 'searchItems',
	description: 'Item to work with',
});

const itemIds: INodeProperties = {
	displayName: 'Item IDs',
	name: 'items',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 3f2b8c1e-5d7a-4e90-9b1c-2a6d4f8e0b37, …',
	description: 'IDs of the items, separated by commas, or an array',
};

const byId = rowsFor(itemPicker, id);

const itemList = list(idAsGiven).refine((ids) => ids.length > 0, {
	message: 'must name at least one item',
});

/** The flexible filters of the item list, whose names the reference does not show. */
const moreFilters: INodeProperties = {
	displayName: 'Field Filters',
	name: 'fieldFilters',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add field filter',
	default: {},
	description: 'More filters of the API, such as category',
	options: [
		{
			displayName: 'Filter',
			name: 'filter',
			values: [
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					placeholder: 'e.g. category',
					description: 'The name of the query parameter',
				},
				{
					displayName: 'Value',
					name: 'value',
					type: 'string',
					default: '',
					description: 'The value of the query parameter',
				},
			],
		},
	],
};

const sizeOption = optionalFields('Options', 'options', 'Add option', [perRequest('Items')]);

const assignShape = { items: itemList, options: collection({ perRequest: integer(1) }) };

/** Puts items into a catalogue, or into none, in as many requests as their number takes. */
async function assign(
	{ items, options }: z.infer<z.ZodObject<typeof assignShape>>,
	catalogueId: string | number | null,
	{ api, request, share, tell }: RunContext,
): Promise<unknown[]> {
	const { method, path } = request();
	const each = new Map(items.map((item) => [String(item), item]));
	return await sendInParts({
		entries: [...each.values()],
		what: 'items',
		size: options.perRequest ?? ASSUMED.membersPerRequest,
		option: 'Items per Request',
		limit: share(() => new BatchLimit()),
		nameOf: String,
		send: async (part) => {
			const body = { [ASSUMED.assignItems]: part, [ASSUMED.itemCatalogue]: catalogueId };
			return (await api.send({ method, path, body })).data;
		},
		tell,
	});
}

/** Reference: /catalogues/items and the paths below it. */
export const item: Resource = {
	name: 'Item',
	description: 'Items that agents can sell, with or without a catalogue',
	operations: {
		assign: operation({
			name: 'Assign to Catalogue',
			action: 'Assign items to catalogue',
			description: 'Put items into a catalogue',
			request: 'POST /catalogues/items/assign',
			fields: [
				itemIds,
				picker({
					displayName: 'Catalogue',
					name: 'catalogue_id',
					search: 'searchCatalogues',
					description: 'Catalogue to put the items into',
				}),
				sizeOption,
			],
			input: () => z.object({ ...assignShape, catalogue_id: idAsGiven }),
			run: async ({ catalogue_id, ...given }, context) =>
				await assign(given, catalogue_id, context),
		}),
		create: {
			name: 'Create',
			action: 'Create item',
			description: 'Create an item, with or without a catalogue',
			request: 'POST /catalogues/items',
			fields: [
				cataloguePicker('Catalogue for the item. Leave empty to create a standalone item.'),
				...recordFields('mapItem'),
			],
			input: () =>
				z
					.object({ catalogue_id: optional(idAsGiven) })
					.and(recordInput({ blankIsNothing }))
					.transform(({ catalogue_id, record }, ctx) =>
						inCatalogue(record, catalogue_id, refusing(ctx)),
					),
			simplify: plainFields(),
		},
		upsert: upsertItem,
		delete: byId({
			name: 'Delete',
			action: 'Delete item',
			description: 'Delete an item permanently',
			request: 'DELETE /catalogues/items/{item_id}',
		}),
		get: byId({
			name: 'Get',
			action: 'Get item',
			description: 'Retrieve one item',
			request: 'GET /catalogues/items/{item_id}',
			simplify: plainFields(),
		}),
		getAll: {
			name: 'Get Many',
			action: 'Get many items',
			description: 'Retrieve a list of items',
			request: 'GET /catalogues/items',
			many: true,
			simplify: plainFields(),
			fields: [
				optionalFields('Filters', 'filters', 'Add filter', [searchFilter('items'), moreFilters]),
				optionalFields('Options', 'options', 'Add option', [sortBy(SORT)]),
			],
			input: () =>
				z
					.object({
						filters: collection({
							search: searchText,
							fieldFilters: z.object({
								filter: z
									.array(z.object({ name: trimmed(nonBlank()), value: trimmed(scalarText) }))
									.default([]),
							}),
						}),
						options: collection({ sort: oneOf(SORT) }),
					})
					.transform(({ filters: { fieldFilters, ...filters }, options }): JsonObject => ({
						...objectOfPairs(fieldFilters?.filter ?? []),
						...filters,
						...options,
					})),
		},
		unassign: operation({
			name: 'Remove From Catalogue',
			action: 'Remove items from catalogue',
			description: 'Take items out of their catalogue without deleting them',
			request: 'POST /catalogues/items/assign',
			fields: [itemIds, sizeOption],
			input: () => z.object(assignShape),
			run: async (given, context) => await assign(given, null, context),
		}),
		update: operation({
			name: 'Update',
			action: 'Update item',
			description: 'Change an item',
			hint: keepUntouchedHint,
			request: 'PUT /catalogues/items/{item_id}',
			fields: [
				itemPicker,
				...recordFields('mapItem'),
				clearRecordFields('getItemFields'),
				keepUntouched,
			],
			input: () =>
				z
					.object({ item_id: id, keepUntouched: flag.default(true) })
					.and(recordInput({ blankIsNothing, exists: true })),
			...replacing,
			simplify: plainFields(),
		}),
	},
};
