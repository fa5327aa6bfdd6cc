import { FIRST_PARALLEL, MOST_PARALLEL } from '../api/limiter';
import { DEFAULT_REQUEST_SETTINGS } from '../api/requestSettings';
import { ASSUMED } from '../domain/assumed';
import { always, settings, when, type Parameter, type Parameters, type SettingsOf } from './form';
import { choice, collection, narrowing, number, picker, text, wholeNumber } from './kinds';
import {
	fieldName,
	id,
	fieldNames,
	nonBlank,
	optional,
	recordField,
	searchText,
	trimmed,
} from './schema';

// The parameters that several operations share.

/** The collection for what narrows a list. */
export function filtersOf<P extends Parameters>(filters: P): Parameter<SettingsOf<P>> {
	const each = Object.entries(filters).map(([name, filter]) => [name, narrowing(filter)]);
	return collection(
		{ displayName: 'Filters', placeholder: 'Add filter' },
		settings(Object.fromEntries(each) as P),
	);
}

/** The collection for what is rarely needed. */
export const optionsOf = <P extends Parameters>(options: P): Parameter<SettingsOf<P>> =>
	collection({ displayName: 'Options', placeholder: 'Add option' }, settings(options));

/** A text search by the API. */
export const searchFilter = (records: string): Parameter<string | undefined> =>
	narrowing(
		text(
			{ displayName: 'Search', description: `Only ${records} that match this text` },
			searchText,
		),
	);

/** A sort by any field, because the reference does not show which ones are possible. */
export const sortByField = text(
	{
		displayName: 'Sort',
		placeholder: 'e.g. -created_at',
		description: 'Field to sort by. A minus sign in front sorts from the highest to the lowest.',
	},
	optional(trimmed(nonBlank())),
);

/** A sort by one of these values. */
export const sortBy = <M extends Readonly<Record<string, string>>>(
	map: M,
	records = 'results',
): Parameter<keyof M & string> =>
	choice(map, { displayName: 'Sort', description: `The order of the ${records}` });

/** The record that an operation is about. The reference does not show the form of its ID. */
export const recordPicker = (displayName: string, search: string, hint?: string) =>
	picker(
		{
			displayName,
			search,
			description: `${displayName[0]}${displayName.slice(1).toLowerCase()} to work with`,
			hint,
		},
		id,
	);

/** A filter by agent. The API does not have one, so the node filters. */
export const agentFilter = picker(
	{
		displayName: 'Agent',
		search: 'searchAgents',
		description: 'Only calls of this agent',
		required: 'whenAdded',
	},
	id,
);

/** The name of a field that the reference does not show. Left empty, the assumed names count. */
export const fieldOption = (said: {
	displayName: string;
	placeholder: string;
	description: string;
}): Parameter<string | undefined> => text(said, recordField);

/** How many entries of a list one request may have. */
export const perRequest = (entries: 'Contacts' | 'Items'): Parameter<number> =>
	wholeNumber({
		displayName: `${entries} per Request`,
		min: 1,
		default: ASSUMED.membersPerRequest,
		description: `How many ${entries.toLowerCase()} to send in one request. If the API refuses that many, the node sends them in halves. Defaults to ${ASSUMED.membersPerRequest}.`,
	});

/** The item's field that gets a file. */
export const outputField = text(
	{
		displayName: 'Output Data Field Name',
		required: true,
		default: 'data',
		description: 'Name of the output field to put the file in',
	},
	fieldName,
);

/** How requests are sent, for every operation. Without Parallel Requests, the node finds out. */
export const requestOptions = collection(
	{ displayName: 'Request Options', placeholder: 'Add option' },
	settings({
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
					'How long one request may wait in total if the API is rate limited or unavailable. Defaults to 120.',
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
						"Whether the fields of the input item go out with each record, such as the client's name. A field that the record has too gets input_ in front of its name. Fields with an API key never go out.",
				}),
				inputFields: text(
					{
						displayName: 'Input Fields',
						placeholder: 'e.g. client, email',
						description: 'Names of the fields to include, separated by commas',
					},
					fieldNames,
				),
			}).check((options, refuse) => {
				const isSelected = options.includeInputFields === 'selected';
				if (isSelected && options.inputFields === undefined) {
					refuse('is needed for Selected: add it and name the fields', 'inputFields');
				}
				if (!isSelected && options.inputFields !== undefined) {
					refuse("is only for 'Include Input Fields' Selected: remove it", 'inputFields');
				}
				return options;
			}),
		),
	},
);
