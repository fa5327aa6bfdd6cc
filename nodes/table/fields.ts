import type {
	INodeProperties,
	INodePropertyCollection,
	INodePropertyMode,
	INodePropertyOptions,
} from 'n8n-workflow';

import { ASSUMED } from '../domain/assumed';
import { byText } from '../json';
import { FIRST_WINDOW, MAX_WINDOW } from '../api/pace';
import { DEFAULT_REQUEST_SETTINGS } from '../api/session';
import { ANYTHING, orNothing, type Rule } from './identifier';
import { oneOfThese } from './locator';

// The parameters that several operations share. Their schemas are in schema.ts.

export const returnAll: INodeProperties = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
};

export const limit: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	displayOptions: { show: { returnAll: [false] } },
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Max number of results to return',
};

export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** How much of a record an AI model reads. n8n's guidelines ask for these three choices. */
export const output: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	displayOptions: { show: { '@tool': [true] } },
	options: [
		{ name: 'Raw', value: 'raw', description: 'Every field the API returns' },
		{ name: 'Selected Fields', value: 'selected', description: 'Only the fields named below' },
		{ name: 'Simplified', value: 'simplified', description: 'The fields that matter most' },
	],
	default: 'simplified',
	description: 'How much of each record the model gets to read',
};

export const selectedFields: INodeProperties = {
	displayName: 'Fields',
	name: 'selectedFields',
	type: 'string',
	displayOptions: { show: { '@tool': [true], output: ['selected'] } },
	default: '',
	placeholder: 'e.g. name, created_at',
	description: 'Names of the fields to return, separated by commas',
};

// A call, because n8n's lint does not accept a calculation as a default.
const inSeconds = (ms: number) => ms / 1000;

export const requestOptions: INodeProperties = {
	displayName: 'Request Options',
	name: 'requestOptions',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'Max Wait (Seconds)',
			name: 'maxWait',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: inSeconds(DEFAULT_REQUEST_SETTINGS.maxWait),
			description:
				'How long one request may wait in total if the API is rate limited or unavailable. Defaults to 120.',
		},
		{
			displayName: 'Parallel Requests',
			name: 'concurrency',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: MAX_WINDOW },
			default: FIRST_WINDOW,
			description:
				'How many reading requests to send at the same time per account, never more than 50 in total. Defaults to automatic: the node starts with 10 and goes up to 50 as long as the API keeps up.',
		},
		{
			displayName: 'Parallel Writes',
			name: 'writes',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: MAX_WINDOW },
			default: 1,
			description:
				'How many items to write at the same time per account. Defaults to 1: one after another, in the order of the items.',
		},
		{
			displayName: 'Timeout (Seconds)',
			name: 'timeout',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: inSeconds(DEFAULT_REQUEST_SETTINGS.timeout),
			description: 'How long to wait for an answer to one request. Defaults to 60.',
		},
	],
};

type Choices = Readonly<Record<string, string>>;

/** The first key of a map. It is the default of a dropdown. */
export const firstKey = (map: object): string => Object.keys(map)[0] ?? '';

/** The options of a dropdown. The map is value for the API → display name. `oneOf` takes the same map. */
export const choices = (
	map: Choices,
	descriptions: Readonly<Record<string, string>> = {},
): INodePropertyOptions[] =>
	Object.entries(map)
		.map(([value, name]) => ({
			name,
			value,
			...(descriptions[value] && { description: descriptions[value] }),
		}))
		.sort(byText(({ name }) => name));

/** A collection of optional settings, such as "Filters" or "Update Fields". */
export const optionalFields = (
	displayName: string,
	name: string,
	placeholder: string,
	options: INodeProperties[] | INodePropertyCollection[],
): INodeProperties => ({
	displayName,
	name,
	type: 'collection',
	placeholder,
	default: {},
	options: [...(options as INodeProperties[])].sort(byText(({ displayName }) => displayName)),
});

/** What a `picker` looks for, and how. */
interface PickerOptions {
	displayName: string;
	name: string;
	/** A method of `listSearch`. */
	search: string;
	description: string;
	/** Whether the user must choose one. 'whenAdded' is for an optional setting. */
	required?: boolean | 'whenAdded';
	dependsOn?: string[];
	/** The form of an ID, if the reference shows it. */
	rule?: Rule;
	/** An example of an ID, if it is not a UUID. */
	idExample?: string;
	/** Label of the text input, if it does not take an ID. */
	typedAs?: string;
	/** More ways to name the record, such as its phone number. */
	modes?: Array<{ displayName: string; name: string; placeholder: string; rule: Rule }>;
}

/** A parameter to choose a record: from a searchable list, or by ID. */
export const picker = (field: PickerOptions): INodeProperties => {
	const { displayName, name, description, required = true, dependsOn } = field;
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { __rl: true, mode: 'list', value: '' },
		...(required === true && { required }),
		...(dependsOn && { typeOptions: { loadOptionsDependsOn: dependsOn } }),
		description,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod: field.search, searchable: true },
				...pickerValidation(field),
			},
			{
				displayName: field.typedAs ?? 'By ID',
				name: 'id',
				type: 'string',
				placeholder: `e.g. ${field.idExample ?? '3f2b8c1e-5d7a-4e90-9b1c-2a6d4f8e0b37'}`,
				...pickerValidation(field, field.rule),
			},
			...(field.modes ?? []).map(({ rule, ...mode }): INodePropertyMode => ({
				...mode,
				type: 'string',
				...pickerValidation(field, rule),
			})),
		],
	};
};

/** What n8n's editor checks before a run. In a collection, it does not check that a record was chosen. */
function pickerValidation(
	{ displayName, required }: PickerOptions,
	rule?: Rule,
): Pick<INodePropertyMode, 'validation'> {
	const isAsked = required === 'whenAdded';
	if (rule === undefined && !isAsked) return {};
	const regex = rule?.regex ?? ANYTHING;
	const errorMessage = rule
		? `'${displayName}' ${rule.message}`
		: `Choose ${oneOfThese(displayName)}`;
	const properties = { regex: isAsked ? regex : orNothing(regex), errorMessage };
	return { validation: [{ type: 'regex', properties }] };
}

const { membersPerRequest } = ASSUMED;

/** How many entries of a list one request may have. */
export const perRequest = (entries: 'Contacts' | 'Items'): INodeProperties => ({
	displayName: `${entries} per Request`,
	name: 'perRequest',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: membersPerRequest,
	description: `How many ${entries.toLowerCase()} to send in one request. If the API refuses that many, the node sends them in halves. Defaults to ${membersPerRequest}.`,
});

/** The parameter for the item's field that gets a file. */
export const outputField = (
	displayOptions?: INodeProperties['displayOptions'],
): INodeProperties => ({
	displayName: 'Output Data Field Name',
	name: 'binaryPropertyName',
	type: 'string',
	required: true,
	...(displayOptions && { displayOptions }),
	default: 'data',
	description: 'Name of the output field to put the file in',
});

/** The parameter that clears fields in a partial update. Each goes to the API as null. */
export const clearFields = (
	map: Choices,
	description = 'Fields to reset to their default',
): INodeProperties => ({
	displayName: 'Clear Fields',
	name: 'clearFields',
	type: 'multiOptions',
	options: choices(map),
	default: [],
	description,
});

/** The API's own date filter. The reference does not say whether it includes the moment itself. */
export const createdAfter = (records: string): INodeProperties => ({
	displayName: 'Created After',
	name: 'created_after',
	type: 'dateTime',
	default: '',
	description: `Only ${records} created after this moment. A time without a zone is in the workflow's time zone.`,
});

/** A text search by the API. */
export const searchFilter = (records: string): INodeProperties => ({
	displayName: 'Search',
	name: 'search',
	type: 'string',
	default: '',
	description: `Only ${records} that match this text`,
});

/** A sort by any field, because the reference does not show which ones are possible. */
export const sortOption: INodeProperties = {
	displayName: 'Sort',
	name: 'sort',
	type: 'string',
	default: '',
	placeholder: 'e.g. -created_at',
	description: 'Field to sort by. A minus sign in front sorts from the highest to the lowest.',
};

/** A sort by one of these values. */
export const sortBy = (map: Choices): INodeProperties => ({
	displayName: 'Sort',
	name: 'sort',
	type: 'options',
	options: choices(map),
	default: firstKey(map),
	description: 'The order of the results',
});

/** A filter by agent. The API does not have one, so the node filters. */
export const agentFilter = picker({
	displayName: 'Agent',
	name: 'agent_id',
	search: 'searchAgents',
	description: 'Only calls of this agent',
	required: 'whenAdded',
});
