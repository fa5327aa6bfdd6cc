import type { INodeProperties } from 'n8n-workflow';

import { ASSUMED } from '../../table/assumed';

/**
 * An option that names a field of the records, because the reference does not.
 * @param assumed the names that are tried without it
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
	description: `The field that holds ${what}; the API's reference does not name it. Left blank, it is the first of these that a record has: ${assumed.join(', ')}.`,
});

export const transactionDateField = fieldOption(
	'Date Field',
	'dateField',
	'the date of a transaction',
	ASSUMED.transactionDateFields,
);
