import type { INodePropertyModeValidation } from 'n8n-workflow';

import { FIRST_PARALLEL, MOST_PARALLEL } from '../api/limiter';
import { DEFAULT_REQUEST_SETTINGS } from '../api/session';
import { always, form, settings, when, type Parameter } from './form';
import { choice, collection, number, text, toggle, wholeNumber } from './kinds';
import { valueOfLocator } from './place';
import { fieldNames } from './schema';

// The parameters that operations have in the same way: how many records, which of their fields, what else
// goes out, and how requests are sent.

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

/** Before a run, n8n's editor asks for an option that was added and left empty. */
const CHOSEN: INodePropertyModeValidation = {
	type: 'regex',
	properties: { regex: String.raw`[^]*\S[^]*`, errorMessage: 'Choose an account' },
};

/**
 * Which account of the credential to use. It is read for each item before the other parameters, because it
 * decides which key is sent: see action/accountNames.ts. OAuth2 refuses it instead of hiding it: n8n drops a
 * hidden option without a word, and all items would go to one account.
 */
const account: Parameter<unknown> = {
	shown: {
		displayName: 'Account',
		type: 'resourceLocator',
		default: { __rl: true, mode: 'list', value: '' },
		description:
			"Name of the account to use, if the credential has several under 'Accounts'. If the items belong to several clients, use an expression that gives the name of the client.",
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod: 'searchAccounts', searchable: true },
				validation: [CHOSEN],
			},
			{
				displayName: 'By Name',
				name: 'name',
				type: 'string',
				placeholder: 'e.g. North & Sons',
				validation: [CHOSEN],
			},
		],
	},
	read: valueOfLocator,
};

/** How requests are sent, for every operation. Without Parallel Requests, the node finds out. */
export const requestOptions = collection(
	{ displayName: 'Request Options', placeholder: 'Add option' },
	settings({
		account,
		concurrency: wholeNumber({
			displayName: 'Parallel Requests',
			min: 1,
			max: MOST_PARALLEL,
			default: FIRST_PARALLEL,
			description:
				'How many requests to send at the same time per account at most. Defaults to automatic: the node starts with 10, goes up to 50, and sends fewer if the API refuses some.',
		}),
		maxWait: always(
			number({
				displayName: 'Max Wait (Seconds)',
				min: 0,
				max: 24 * 3600,
				default: DEFAULT_REQUEST_SETTINGS.maxWait / 1000,
				description:
					'How long one request may wait in total for the rate limit of the API. Defaults to 120. If the API is unavailable, a request that may be repeated is tried four times.',
			}),
		),
		timeout: always(
			number({
				displayName: 'Timeout (Seconds)',
				min: 1,
				max: 3600,
				default: DEFAULT_REQUEST_SETTINGS.timeout / 1000,
				description: 'How long one request may take, to the end of its answer. Defaults to 60.',
			}),
		),
		writes: always(
			wholeNumber({
				displayName: 'Parallel Writes',
				min: 1,
				max: MOST_PARALLEL,
				default: 1,
				description:
					'How many items to write at the same time per account. Defaults to 1: one after another, in the order of the items. Accounts do not wait for each other.',
			}),
		),
	}),
);

/** Which fields of the input items go out with each record. */
const INPUT_FIELDS = { all: 'All', none: 'None', selected: 'Selected' } as const;

/** What else goes out, for every operation. An AI model has its own way to choose fields. */
export const outputOptions = when(
	{ hide: { '@tool': [true] } },
	{
		outputOptions: collection(
			{ displayName: 'Output Options', placeholder: 'Add option' },
			settings({
				includeInputFields: choice(INPUT_FIELDS, {
					displayName: 'Include Input Fields',
					meanings: {
						all: 'Every field of the input item',
						none: 'Only what the API returns',
						selected: "Only the fields named in 'Input Fields'",
					},
					default: 'all',
					description:
						"Which fields of the input item to add to each record, such as the client's name. A field that the record has too gets input_ in front of its name. Fields with an API key never go out.",
				}),
				inputFields: text(
					{
						displayName: 'Input Fields',
						placeholder: 'e.g. client, email',
						description: 'Names of the only fields to include, separated by commas',
					},
					fieldNames,
				),
			}).check((options, refuse) => {
				if (options.includeInputFields === 'selected' && options.inputFields === undefined) {
					refuse('is needed for Selected: add it and name the fields', 'inputFields');
				}
				return options;
			}),
		),
	},
);
