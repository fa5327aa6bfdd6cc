import type { INodeProperties } from 'n8n-workflow';

import { ORDER_PARTS, type LineItemsWanted } from '../domain/order';
import { fieldOption } from './common';
import { choices } from './fields';
import { several, toggle } from './kinds';
import { flag, list, oneOf, recordField } from './schema';

/**
 * Options by which orders are returned with their line items.
 * @param limit name of the limit that counts orders, not lines
 */
export const lineItemsOptions = (limit: string): INodeProperties[] => [
	{
		displayName: 'Include',
		name: 'include',
		type: 'multiOptions',
		options: choices(ORDER_PARTS, { lineItems: 'Name, SKU, quantity and prices of each line' }),
		default: [],
		description: 'What to add to each order. Each part costs one more request per order.',
	},
	{
		displayName: 'Line Items Field',
		name: 'lineItemsField',
		type: 'string',
		default: '',
		placeholder: 'e.g. line_items',
		description: 'Advanced: name of the field that holds the line items. Leave empty to detect it.',
	},
	{
		displayName: 'Split Into Line Items',
		name: 'splitIntoLineItems',
		type: 'boolean',
		default: false,
		description: `Whether to return one item per line, with the fields of its order. An order without lines stays one item. '${limit}' counts orders.`,
	},
];

/**
 * Options by which orders are returned with their line items.
 * @param limit name of the limit that counts orders, not lines
 */
export const lineSettings = (limit: string) => ({
	include: several(ORDER_PARTS, {
		displayName: 'Include',
		meanings: { lineItems: 'Name, SKU, quantity and prices of each line' },
		description: 'What to add to each order. Each part costs one more request per order.',
	}),
	lineItemsField: fieldOption({
		displayName: 'Line Items Field',
		placeholder: 'e.g. line_items',
		description: 'Advanced: name of the field that holds the line items. Leave empty to detect it.',
	}),
	splitIntoLineItems: toggle({
		displayName: 'Split Into Line Items',
		description: `Whether to return one item per line, with the fields of its order. An order without lines stays one item. '${limit}' counts orders.`,
	}),
});

/** The schema of these options, as members of a collection. */
export const lineItemsShape = {
	include: list(oneOf(ORDER_PARTS)),
	lineItemsField: recordField,
	splitIntoLineItems: flag,
};

/** What these options ask for; undefined if orders stay as they are. */
export function lineItemsWanted({
	include = [],
	lineItemsField: field,
	splitIntoLineItems: isSplit = false,
}: {
	include?: Array<keyof typeof ORDER_PARTS>;
	lineItemsField?: string;
	splitIntoLineItems?: boolean;
}): LineItemsWanted | undefined {
	return isSplit || include.includes('lineItems') ? { isSplit, field } : undefined;
}
