import type {
	INodeProperties,
	INodePropertyCollection,
	INodePropertyMode,
	INodePropertyOptions,
} from 'n8n-workflow';

import { ASSUMED } from '../domain/assumed';
import { byText } from '../json';
import { ANYTHING, orNothing, type Rule } from './identifier';
import { oneOfThese } from './locator';

// The parameters that several operations share. Their schemas are in schema.ts.

export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
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
