import { form, when } from './form';
import { choice, text, toggle, wholeNumber } from './kinds';
import { fieldNames } from './schema';

// The parameters that every operation has in the same way: how many records, and which of their fields.

/** Which kind of credential to use, in both nodes. */
export const authentication = choice(
	{ apiKey: 'API Key', oAuth2: 'OAuth2' },
	{ displayName: 'Authentication', noDataExpression: true },
);

/** For a list. */
export const paging = form({
	returnAll: toggle({
		displayName: 'Return All',
		description: 'Whether to return all results or only up to a given limit',
	}),
	...when(
		{ show: { returnAll: [false] } },
		{
			limit: wholeNumber({
				displayName: 'Limit',
				min: 1,
				default: 50,
				description: 'Max number of results to return',
			}),
		},
	),
});

export const simplify = toggle({
	displayName: 'Simplify',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

/** How much of a record an AI model reads. n8n's guidelines ask for these three choices. */
const OUTPUT = { raw: 'Raw', selected: 'Selected Fields', simplified: 'Simplified' } as const;

/** For records that can be simplified. An AI model gets Output in place of Simplify. */
export const shaping = form({
	...when({ hide: { '@tool': [true] } }, { simplify }),
	...when(
		{ show: { '@tool': [true] } },
		{
			output: choice(OUTPUT, {
				displayName: 'Output',
				meanings: {
					raw: 'Every field the API returns',
					selected: 'The ID and the fields named below',
					simplified: 'The fields that matter most',
				},
				default: 'simplified',
				description: 'How much of each record the model gets to read',
			}),
		},
	),
	...when(
		{ show: { '@tool': [true], output: ['selected'] } },
		{
			selectedFields: text(
				{
					displayName: 'Fields',
					placeholder: 'e.g. name, created_at',
					description:
						'Names of the fields to return, separated by commas. A dot leads into a field, as in "custom_fields.tier".',
				},
				fieldNames,
			),
		},
	),
});
