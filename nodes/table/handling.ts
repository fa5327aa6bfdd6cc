import type { INodeProperties } from 'n8n-workflow';

import { MOST_PARALLEL } from '../api/limiter';
import { DEFAULT_REQUEST_SETTINGS } from '../api/session';
import { fitting, isObject, type JsonObject } from '../json';
import { optionsOf } from './common';
import { always, form, when, type Form, type Parameter, type Parameters } from './form';
import { choice, narrowing, number, severalLoaded, text, toggle, wholeNumber } from './kinds';
import { changes, sends, type Operation } from './operation';
import { valueOfLocator } from './place';
import { fieldNames, nonBlank, trimmed } from './schema';

// The parameters that operations have in the same way: how many records, which of their fields, what else
// goes out, and how requests are sent.

export const authentication = choice(
	{ apiKey: 'API Key', accounts: 'Several Accounts', oAuth2: 'OAuth2' },
	{ displayName: 'Authentication', noDataExpression: true },
);

const SEVERAL = { show: { authentication: ['accounts'] } };

/**
 * Which account of the credential to use, for each item: see accountReader. It has no description: n8n (2.41)
 * would repeat it for each operation in what it tells an AI that builds workflows.
 */
export const account: Parameter<unknown> = {
	shown: {
		displayName: 'Account',
		type: 'resourceLocator',
		required: true,
		default: { mode: 'list', value: '' },
		displayOptions: SEVERAL,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod: 'searchAccounts', searchable: true },
			},
			// n8n (2.41) offers no expression to a locator that is only a list.
			{ displayName: 'By Name', name: 'name', type: 'string', placeholder: 'e.g. North & Sons' },
		],
	},
	read: valueOfLocator,
};

export const accounts = narrowing(
	severalLoaded(
		{
			displayName: 'Account Names or IDs',
			loadOptionsMethod: 'getAccounts',
			displayOptions: SEVERAL,
			description:
				'Accounts to watch. Leave empty for all. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		},
		trimmed(nonBlank()),
	),
);

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

/** An AI model gets Output in place of Simplify: n8n's guidelines ask for these three choices. */
export const shaping = form({
	...when({ hide: { '@tool': [true] } }, { simplify }),
	...when(
		{ show: { '@tool': [true] } },
		{
			output: choice(
				{ raw: 'Raw', selected: 'Selected Fields', simplified: 'Simplified' },
				{
					displayName: 'Output',
					meanings: {
						raw: 'Every field the API returns',
						selected: 'The ID and the fields named below',
						simplified: 'The fields that matter most',
					},
					default: 'simplified',
				},
			),
		},
	),
	...when(
		{ show: { '@tool': [true], output: ['selected'] } },
		{
			fields: text(
				{
					displayName: 'Fields',
					placeholder: 'e.g. name, created_at',
					description: 'Field names, separated by commas',
				},
				fieldNames,
			),
		},
	),
});

export const ifNotFound = choice(
	{ error: 'Fail the Item', item: 'Return an Item' },
	{
		displayName: 'If Not Found',
		meanings: { item: 'The item has "found": false and the fields of the input item' },
		default: 'item',
	},
);

/** For operations whose requests may take long. */
export const timeout = always(
	number({
		displayName: 'Timeout (Seconds)',
		min: 1,
		max: 3600,
		default: DEFAULT_REQUEST_SETTINGS.timeout / 1000,
		description: 'How long one request may take. Defaults to 60.',
	}),
);

/** The form of a Get: which record, and what to do if there is none. */
export const getForm = <P extends Parameters>(record: P) =>
	form(record).and(form({ options: optionsOf({ ifNotFound }) }).check(() => ({})));

/** Makes rows that read, or delete, the record at a path. */
const rowOf =
	(name: string, method: 'GET' | 'DELETE', formOf: (about: Parameters) => Form<JsonObject>) =>
	(
		description: string,
		pattern: `/${string}`,
		about: Parameters,
		more: Partial<Operation> = {},
	): Operation => ({
		name,
		description,
		...sends(`${method} ${pattern}`),
		fields: () => formOf(about),
		...more,
	});

export const getRow = rowOf('Get', 'GET', getForm);

export const deleteRow = rowOf('Delete', 'DELETE', form);

/**
 * The options that hold for all items: the first one is read. A form shows the first two if its operation has
 * them; the others are shown for all operations, or all that change something.
 */
const common = {
	ifNotFound,
	timeout,
	inputFields: text(
		{
			displayName: 'Include Input Fields',
			placeholder: 'e.g. client, email, or * for all',
			description: 'Input fields to add',
		},
		fieldNames,
	),
	writes: always(
		wholeNumber({
			displayName: 'Parallel Writes',
			min: 1,
			max: MOST_PARALLEL,
			default: 1,
			description: 'Items to write at once. Defaults to 1.',
		}),
	),
};

export const commonOptions = optionsOf(common);

/** The value of Options, for the operation or for `commonOptions`. */
export const optionsFor = (whose: 'operation' | 'all', options: unknown): unknown =>
	isObject(options)
		? fitting(options, (name) => Object.hasOwn(common, name) === (whose === 'all'))
		: options;

/** The common options that are shown without being in an operation's form. */
export function commonOptionsOf({ does = 'read' }: Operation): INodeProperties[] {
	const { inputFields, writes } = common;
	const mayChange = typeof does === 'function' || changes(does);
	return form({ inputFields, ...(mayChange && { writes }) }).properties;
}
