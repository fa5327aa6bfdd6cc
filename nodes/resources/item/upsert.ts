import { readAll } from '../../api/lists';
import { segmentOf } from '../../api/path';
import { readRecord } from '../../api/readRecord';
import type { Api } from '../../api/session';
import { ASSUMED } from '../../domain/assumed';
import { simplifyItem } from '../../domain/simplify';
import { textIn, type JsonObject } from '../../json';
import { runAlone, operation } from '../../table/operation';
import { fieldOption, optionsOf } from '../../table/common';
import { form, type Refuse } from '../../table/form';
import { picker, text } from '../../table/kinds';
import { agreeing, recordForm } from '../../table/record';
import { keepOthers, ONLY_READ, putBack } from '../../table/updates';
import { idAsGiven, nonBlank, optional, scalar, trimmed } from '../../table/schema';

/** Fields whose empty text is not sent. The API makes a SKU itself if there is none. */
export const blankIsNothing = /^(sku|price|quantity)$/;

/** The parameter for the catalogue of an item. */
export const cataloguePicker = (description: string) =>
	picker(
		{ displayName: 'Catalogue', search: 'searchCatalogues', description, required: false },
		optional(idAsGiven),
	);

/** An item's fields with its catalogue, if one was chosen. */
export function inCatalogue(
	record: JsonObject,
	catalogue: string | number | undefined,
	refuse: Refuse,
): JsonObject {
	if (catalogue === undefined) return record;
	agreeing(record, ASSUMED.itemCatalogue, catalogue, 'Catalogue', refuse);
	return { [ASSUMED.itemCatalogue]: catalogue, ...record };
}

const ITEMS = '/catalogues/items';

const ITEM_REFUSED =
	"The API refused the data. Correct what it names above. If the API has the SKU under another name, enter that name in 'SKU Field'.";

/** An item by its SKU. Reference: GET /catalogues/items (search), and POST and PUT of items. */
export const upsertItem = operation({
	name: 'Create or Update',
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	hint: 'Use this to sync items by SKU; no look-up is needed before it. Fields that are not named keep their values.',
	request: 'POST /catalogues/items',
	fields: () =>
		form({
			sku: text(
				{
					displayName: 'SKU',
					required: true,
					placeholder: 'e.g. PIZZA-01',
					description:
						'SKU of the item, exactly as it is written in YK Voice. The node finds the item by it.',
				},
				trimmed(scalar(nonBlank())),
			),
			catalogue_id: cataloguePicker(
				"Catalogue for the item. Leave empty to keep the catalogue of an existing item, if 'Keep Other Fields' is on.",
			),
		})
			.and(
				recordForm('mapItem', {
					blankIsNothing,
					exists: true,
					mayBeEmpty: true,
					clearable: 'getItemFields',
				}),
			)
			.and(
				form({
					keepUntouched: keepOthers,
					options: optionsOf({
						skuField: fieldOption({
							displayName: 'SKU Field',
							placeholder: 'e.g. sku',
							description: 'Advanced: name of the field that holds the SKU. Defaults to sku.',
						}),
					}),
				}),
			)
			.check(({ catalogue_id, record, options, ...rest }, refuse) => {
				const skuField = options.skuField ?? ASSUMED.itemSku;
				agreeing(record, skuField, rest.sku, 'SKU', refuse);
				return { ...rest, skuField, record: inCatalogue(record, catalogue_id, refuse) };
			}),
	payload: ({ sku, skuField, record }) => ({ [skuField]: sku, ...record }),
	// Creates the item, or updates it. Without fields, an existing item stays as it is.
	run: async ({ sku, skuField, record, keepUntouched: keeps }, context) =>
		await runAlone(context, sku, async () => {
			const { api, request } = context;
			const found = await itemWith(sku, skuField, api);
			const write = request();
			if (found === undefined) return (await api.send(write)).data;
			const path = `${ITEMS}/${segmentOf(found)}` as const;
			const hasChanges = Object.keys(record).length > 0;
			if (hasChanges && !keeps) return (await api.send({ ...write, method: 'PUT', path })).data;
			const present = await readRecord(api, { method: 'GET', path });
			return hasChanges
				? await putBack({ method: 'PUT', path }, present, record, context)
				: present;
		}),
	simplify: simplifyItem,
	hints: ({ keepUntouched: keeps }): Record<number, string> => ({
		400: keeps ? `${ITEM_REFUSED} ${ONLY_READ}` : ITEM_REFUSED,
	}),
});

/**
 * The item with exactly this SKU; undefined if there is none. The API's search also finds names,
 * descriptions and parts of a SKU.
 *
 * @throws Error if several items have it, or if the items that were found show no SKU
 */
async function itemWith(sku: string, field: string, api: Api): Promise<JsonObject | undefined> {
	const query = { search: sku };
	const similar = await readAll(api, { method: 'GET', path: ITEMS, query });
	if (similar.length > 0 && !similar.some((item) => Object.hasOwn(item, field))) {
		throw new Error(
			`The items show no SKU in "${field}", so an item could be created twice. Nothing was changed. Enter the name of the field in 'SKU Field'`,
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
