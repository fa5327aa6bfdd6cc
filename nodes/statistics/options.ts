import type { INodeProperties } from 'n8n-workflow';

import { ASSUMED } from '../domain/assumed';
import { choices } from '../table/fields';
import { periodParameters } from '../table/within';

/**
 * An option for the name of a field that the reference does not show.
 * @param assumed the names that are tried if the user sets none
 */
export const fieldOption = (
	displayName: string,
	name: string,
	what: string,
	assumed: readonly string[],
): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	default: '',
	placeholder: `e.g. ${assumed[0]}`,
	description: `Advanced: name of the field that holds ${what}. Leave empty to use the first of these that is there: ${assumed.join(', ')}.`,
});

export const transactionDateField = fieldOption(
	'Date Field',
	'dateField',
	'the date of a transaction',
	ASSUMED.transactionDateFields,
);

export const currencyField = fieldOption(
	'Currency Field',
	'currencyField',
	'the currency of an amount',
	ASSUMED.currencyFields,
);

/** The parameters of every statistic: the period, the grouping, and whether to compare. */
export const statisticsParameters = (
	records: string,
	groups: Readonly<Record<string, string>>,
	meanings: Readonly<Record<string, string>> = {},
): INodeProperties[] => [
	...periodParameters(records),
	{
		displayName: 'Group By',
		name: 'groupBy',
		type: 'options',
		options: choices(groups, meanings),
		default: 'none',
		description: `How to group the ${records}. The node returns one item per group.`,
	},
	{
		displayName: 'Compare With Previous Period',
		name: 'compare',
		type: 'boolean',
		default: true,
		description:
			'Whether to add the previous period and the change. A period that is still running is compared with the same part of the previous one.',
	},
];
