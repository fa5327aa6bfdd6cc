import { sendInParts } from '../../table/batches';
import { pathTo } from '../../api/path';
import { enterAs } from '../../api/names';
import { ASSUMED } from '../../domain/assumed';
import { simplifyItem } from '../../domain/simplify';
import { textIn, without, type JsonObject } from '../../json';
import { filtersOf, recordPicker, searchFilter, sortBy, sorted } from '../../table/common';
import { counting, counts, lists, operation, sends } from '../../table/operation';
import type { Operation, Resource } from '../../table/operation';
import type { RowApi } from '../../table/rowApi';
import { form, type Parameter, type Refuse } from '../../table/form';
import { deleteRow, getRow } from '../../table/handling';
import { picker, text } from '../../table/kinds';
import { objectOfPairs, pairs } from '../../table/pairs';
import { agreeing, recordForm } from '../../table/record';
import { keepOthers, ONLY_READ, putBack, replacingRow } from '../../table/updates';
import {
	idAsGiven,
	list,
	nonBlank,
	optional,
	scalar,
	scalarText,
	trimmed,
} from '../../table/schema';

const ITEMS = '/catalogues/items';

const ITEM = '/catalogues/items/{item_id}';

const cataloguePicker = (description: string) =>
	picker(
		{ displayName: 'Catalogue', search: 'searchCatalogues', description, required: false },
		optional(idAsGiven),
	);

function inCatalogue(
	record: JsonObject,
	catalogue: string | number | undefined,
	refuse: Refuse,
): JsonObject {
	if (catalogue === undefined) return record;
	agreeing(record, ASSUMED.itemCatalogue, catalogue, 'Catalogue', refuse);
	return { [ASSUMED.itemCatalogue]: catalogue, ...record };
}

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

const items = text(
	{
		displayName: 'Item IDs',
		required: true,
		placeholder: 'e.g. 3f2b8c1e-5d7a-4e90-9b1c-2a6d4f8e0b37, …',
		description: 'IDs of the items, separated by commas',
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

const filterForm = () =>
	form({ filters: filtersOf({ fieldFilters, search: searchFilter('items') }) }).check(
		({ filters: { fieldFilters: others = [], ...filters } }) => ({
			...objectOfPairs(others),
			...filters,
		}),
	);

/** A row that puts items into a catalogue, or into none, in as many requests as their number takes. */
const assigning = (
	texts: Pick<Operation, 'name' | 'action' | 'description'>,
	catalogue: { catalogue_id?: Parameter<string | number> } = {},
): Operation =>
	operation({
		...texts,
		request: 'POST /catalogues/items/assign',
		does: 'change',
		fields: () => form({ items, ...catalogue }),
		run: async ({ items: ids, catalogue_id = null }, api) => {
			const each = new Map(ids.map((item) => [String(item), item]));
			return await sendInParts([...each.values()], 'items', async (part) => {
				const body = { [ASSUMED.assignItems]: part, [ASSUMED.itemCatalogue]: catalogue_id };
				return await api.change('POST', `${ITEMS}/assign`, body);
			});
		},
	});

const ITEM_REFUSED = `The API refused the data. Correct what it names above. If the API has the SKU under another name, ${enterAs('itemSku')}.`;

/** An item by its SKU. Reference: GET /catalogues/items (search), and POST and PUT of items. */
const upsertItem = operation({
	name: 'Create or Update',
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	hint: 'Use this to sync items by SKU; no look-up is needed before it. Fields that are not named keep their values.',
	request: 'POST /catalogues/items',
	does: 'change',
	fields: () =>
		form({
			sku: text(
				{
					displayName: 'SKU',
					required: true,
					placeholder: 'e.g. PIZZA-01',
					description: 'SKU of the item, exactly as in YK Voice',
				},
				trimmed(scalar(nonBlank())),
			),
			catalogue_id: cataloguePicker('Catalogue for the item. Leave empty to keep it.'),
		})
			.and(recordForm('mapItem', { exists: true, mayBeEmpty: true, clearable: 'getItemFields' }))
			.and(form({ keepUntouched: keepOthers }))
			.check(({ catalogue_id, record, ...rest }, refuse, { itemSku }) => {
				agreeing(record, itemSku, rest.sku, 'SKU', refuse);
				const placed = inCatalogue(record, catalogue_id, refuse);
				return { ...rest, record: { [itemSku]: rest.sku, ...placed } };
			}),
	// Creates the item, or updates it. Without fields, an existing item stays as it is.
	run: async ({ sku, record, keepUntouched: keeps }, api) =>
		await api.alone(sku, async () => {
			const found = await itemWith(sku, api);
			if (found === undefined) return await api.change('POST', ITEMS, record);
			const path = pathTo(`${ITEMS}/{id}`, found);
			const changes = without(record, api.names.itemSku);
			const hasChanges = Object.keys(changes).length > 0;
			if (hasChanges && !keeps) return await api.change('PUT', path, record);
			const present = await api.get(path);
			return hasChanges ? await putBack(path, present, changes, api) : present;
		}),
	hints: ({ keepUntouched: keeps }): Record<number, string> => ({
		400: keeps ? `${ITEM_REFUSED} ${ONLY_READ}` : ITEM_REFUSED,
	}),
});

/**
 * The item with exactly this SKU, if there is one. The API's search also finds names and parts of a SKU.
 * @throws Error if several items have it, or if the items that were found show no SKU
 */
async function itemWith(sku: string, api: RowApi): Promise<JsonObject | undefined> {
	const { itemSku: field } = api.names;
	const similar = await api.list(ITEMS, { search: sku });
	if (similar.length > 0 && !similar.some((item) => Object.hasOwn(item, field))) {
		throw new Error(
			`The items show no SKU in "${field}", so an item could be created twice. Nothing was changed. If they have it in another field, ${enterAs('itemSku')}`,
		);
	}
	const same = similar.filter((item) => textIn(item[field]) === sku);
	if (same.length > 1) {
		const items = same.map(({ id, name }) => [textIn(name), `ID ${textIn(id)}`].filter(Boolean));
		throw new Error(
			`${same.length} items have the SKU ${sku}: ${items.map((item) => item.join(', ')).join('; ')}. Nothing was changed. Update one of them by its ID, or give them different SKUs`,
		);
	}
	return same[0];
}

/** Reference: /catalogues/items and the paths below it. */
export const item: Resource = {
	name: 'Item',
	description: 'Items that agents can sell',
	operations: {
		assign: assigning(
			{
				name: 'Assign to Catalogue',
				action: 'Assign items to catalogue',
				description: 'Put items into a catalogue',
			},
			{
				catalogue_id: picker(
					{
						displayName: 'Catalogue',
						search: 'searchCatalogues',
						description: 'Catalogue to put the items into',
					},
					idAsGiven,
				),
			},
		),
		create: {
			name: 'Create',
			description: 'Create an item, with or without a catalogue',
			...sends('POST /catalogues/items'),
			fields: () =>
				form({ catalogue_id: cataloguePicker('Catalogue for the item, if it has one') })
					.and(recordForm('mapItem'))
					.check(({ catalogue_id, record }, refuse) => inCatalogue(record, catalogue_id, refuse)),
		},
		upsert: upsertItem,
		delete: deleteRow('Delete an item permanently', ITEM, about),
		get: getRow('Retrieve one item', ITEM, about, { simplify: simplifyItem }),
		getAll: {
			name: 'Get Many',
			description: 'Retrieve a list of items',
			...lists(ITEMS),
			simplify: simplifyItem,
			fields: () =>
				filterForm().and(form({ sort: sorted({ sort: sortBy(SORT) }) }).check(({ sort }) => sort)),
		},
		unassign: assigning({
			name: 'Remove From Catalogue',
			action: 'Remove items from catalogue',
			description: 'Take items out of their catalogue without deleting them',
		}),
		update: replacingRow('Change an item', ITEM, about, 'mapItem', {
			clearable: 'getItemFields',
		}),
		count: { ...counting('items'), ...counts(ITEMS), fields: filterForm },
	},
};
