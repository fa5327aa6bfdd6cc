import { ASSUMED } from '../domain/assumed';
import { fieldOption } from '../table/common';
import { form } from '../table/form';
import { choice, toggle } from '../table/kinds';
import { periodForm } from '../filters/within';

/**
 * An option for the name of a field that the reference does not show.
 * @param assumed the names that are tried if the user sets none
 */
export const assumedField = (displayName: string, what: string, assumed: readonly string[]) =>
	fieldOption({
		displayName,
		placeholder: `e.g. ${assumed[0]}`,
		description: `Advanced: name of the field that holds ${what}. Defaults to the first one found: ${assumed.join(', ')}.`,
	});

export const transactionDateField = assumedField(
	'Date Field',
	'the date of a transaction',
	ASSUMED.transactionDateFields,
);

export const currencyField = assumedField(
	'Currency Field',
	'the currency of an amount',
	ASSUMED.currencyFields,
);

/** The parameters of every statistic: the period, the grouping, and whether to compare. */
export const statisticsForm = <Groups extends Readonly<Record<string, string>>>(
	records: string,
	groups: Groups & { none: string },
	meanings: Partial<Record<keyof Groups & string, string>> = {},
) =>
	periodForm()
		.check((within) => ({ within }))
		.and(
			form({
				groupBy: choice<Groups>(groups, {
					displayName: 'Group By',
					meanings,
					description: `How to group the ${records}. The node returns one item per group.`,
				}),
				compare: toggle({
					displayName: 'Compare With Previous Period',
					description:
						'Whether to add each figure of the previous period, such as calls_before. A period that is still running is compared with the same part of the previous one.',
				}),
			}),
		);

/** Adds the change of each figure. */
export const differencesOption = toggle({
	displayName: 'Differences',
	default: true,
	description:
		'Whether to add the change of each figure since the previous period, such as calls_difference',
});
