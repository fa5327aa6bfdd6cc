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

export const filtersOf = <P extends Parameters>(filters: P): Parameter<SettingsOf<P>> =>
	collection(
		{ displayName: 'Filters', placeholder: 'Add filter' },
		settings(
			Object.fromEntries(
				Object.entries(filters).map(([name, filter]) => [name, narrowing(filter)]),
			) as P,
		),
	);

export const optionsOf = <P extends Parameters>(options: P): Parameter<SettingsOf<P>> =>
	collection({ displayName: 'Options', placeholder: 'Add option' }, settings(options));

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

export const sortBy = <M extends Choices>(map: M) => choice(map, { displayName: 'Sort By' });

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

export const transactionType = (description: string) =>
	choice(TRANSACTION_TYPE, { displayName: 'Transaction Type', default: 'ADD', description });

export const includeParts = <P extends Choices>(parts: P) =>
	several(parts, {
		displayName: 'Include',
		meanings: {
			detail:
				"What only the detail shows, such as the transfer time. Turn off 'Simplify' to see all of it.",
			summary: 'The summary, or null if there is none yet',
			transcript: 'The transcript as structured data, or null if there is none yet',
			transcriptText: 'Who said what, as one text in transcript_text',
		} satisfies Partial<Record<keyof typeof CALL_INCLUDES, string>> as Partial<
			Record<keyof P & string, string>
		>,
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

export const DRY_RUN =
	"Nothing was changed, because 'Dry Run' is on. Turn it off to make the changes.";

const dataField = (displayName: string, description: string) =>
	text({ displayName, required: true, default: 'data', description }, fieldName);

export const outputField = dataField(
	'Output Data Field Name',
	'Name of the output field to put the file in',
);

export const inputFile: Parameter<string> = {
	...dataField('Input Data Field Name', 'Name of the input field that contains the file'),
	read(value = 'data', place) {
		const { files } = place.reading;
		const field = place.parse(fieldName, value);
		if (files.includes(field)) return field;
		const present = files.length > 0 ? `It has a file in: ${files.join(', ')}` : 'It has no file';
		return place.refuse(`is ${field}, and the item has no file there. ${present}`);
	},
};
