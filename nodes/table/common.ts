import type { CALL_INCLUDES } from '../domain/callParts';
import { TRANSACTION_TYPE } from '../domain/status';
import { settings, type Parameter, type Parameters, type SettingsOf } from './form';
import {
	choice,
	collection,
	narrowing,
	picker,
	several,
	text,
	toggle,
	type Choices,
} from './kinds';
import { fieldName, id, nonBlank, optional, searchText, trimmed } from './schema';

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

/** The order of a list. n8n's rules: a collection of its own below the options. */
export const sorted = <P extends Parameters>(by: P): Parameter<SettingsOf<P>> =>
	collection({ displayName: 'Sort', placeholder: 'Add sort' }, settings(by));

/** A sort by any field, because the reference does not show which ones are possible. */
export const sortByField = text(
	{
		displayName: 'Sort By',
		placeholder: 'e.g. -created_at',
		description: 'Field to sort by. A minus sign in front turns the order around.',
	},
	optional(trimmed(nonBlank())),
);

/** A sort by one of these values. */
export const sortBy = <M extends Readonly<Record<string, string>>>(
	map: M,
): Parameter<keyof M & string> => choice(map, { displayName: 'Sort By' });

/** The record that an operation is about. The reference does not show the form of its ID. */
export const recordPicker = (displayName: string, search: string, hint?: string) =>
	picker({ displayName, search, hint }, id);

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

/** A filter of transactions, which the API applies. */
export const transactionType = (description: string) =>
	choice(TRANSACTION_TYPE, { displayName: 'Transaction Type', default: 'ADD', description });

const PART_MEANINGS: Partial<Record<keyof typeof CALL_INCLUDES, string>> = {
	detail:
		"What only the detail shows, such as the transfer time. Turn off 'Simplify' to see all of it.",
	summary: 'The summary, or null if there is none yet',
	transcript: 'The transcript as structured data, or null if there is none yet',
	transcriptText: 'Who said what, as one text in transcript_text',
};

/** Parts to read with a call. */
export const includeParts = <P extends Choices>(parts: P) =>
	several(parts, {
		displayName: 'Include',
		meanings: PART_MEANINGS as Partial<Record<keyof P & string, string>>,
		description: 'What to add to each call, at one more request per part',
	});

/** Whether to change nothing. A model that leaves it blank changes nothing either. */
export const dryRun: Parameter<boolean> = {
	...toggle({
		displayName: 'Dry Run',
		default: true,
		description: 'Whether to only show what would change, and change nothing',
	}),
	staysOn: true,
};

/** What a user is told after a run that changed nothing. */
export const DRY_RUN =
	"Nothing was changed, because 'Dry Run' is on. Turn it off to make the changes.";

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

/** The field of the input item with a file to send. The item must have a file there. */
export const inputFile: Parameter<string> = {
	...text(
		{
			displayName: 'Input Data Field Name',
			required: true,
			default: 'data',
			description: 'Name of the input field that contains the file',
		},
		fieldName,
	),
	read(value = 'data', place) {
		const { files } = place.reading;
		const field = place.parse(fieldName, value);
		if (files.includes(field)) return field;
		const present = files.length > 0 ? `It has a file in: ${files.join(', ')}` : 'It has no file';
		return place.refuse(`is ${field}, and the item has no file there. ${present}`);
	},
};
