import { ASSUMED } from '../../domain/assumed';
import type { JsonObject } from '../../json';
import type { Refuse } from '../../table/form';
import { picker } from '../../table/kinds';
import { agreeing } from '../../table/record';
import { idAsGiven, optional } from '../../table/schema';

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
