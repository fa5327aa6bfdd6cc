import { ORDER_PARTS, type LineItemsWanted } from '../domain/order';
import type { SettingsOf } from '../table/form';
import { several, toggle } from '../table/kinds';

/** @param limit name of the limit that counts orders, not lines */
export const lineSettings = (limit: string) => ({
	include: several(ORDER_PARTS, {
		displayName: 'Include',
		meanings: {
			lineItems: 'Name, SKU, quantity and prices of each line',
			lineItemsText: 'For messages, in line_items_text, such as "2 × Margherita, 6.40"',
		},
		description: 'What to add to each order, at one more request per order',
	}),
	splitIntoLineItems: toggle({
		displayName: 'Split Into Line Items',
		default: true,
		description: `Whether to return one item per line. '${limit}' counts orders.`,
	}),
});

/** What these options ask for; undefined if orders stay as they are. */
export function lineItemsWanted({
	include = [],
	splitIntoLineItems: isSplit = false,
}: SettingsOf<ReturnType<typeof lineSettings>>): LineItemsWanted | undefined {
	const isText = include.includes('lineItemsText');
	const isTextOnly = !isSplit && !include.includes('lineItems');
	return isSplit || include.length > 0 ? { isSplit, isText, isTextOnly } : undefined;
}
