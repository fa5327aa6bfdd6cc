import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import { ASSUMED } from '../table/assumed';
import { optionalFields, picker, searchFilter } from '../table/fields';
import { isObject, type JsonObject } from '../json';
import { operation, type Gather, type Operation, type Resource } from '../table/operation';
import { collection, flag, id, list, phones, searchText, uuid } from '../table/schema';
import { plainFields } from '../table/simplify';

const listPicker = picker({
	displayName: 'Contact List',
	name: 'contact_list_id',
	search: 'searchContactLists',
	description: 'The contact list, chosen from the list or named by its ID',
});

const members: INodeProperties[] = [
	{
		displayName: 'Contact IDs',
		name: 'contact_ids',
		type: 'string',
		default: '',
		description: 'The contacts by their IDs, separated by commas, or an array',
	},
	{
		displayName: 'Phone Numbers',
		name: 'phone_numbers',
		type: 'string',
		default: '',
		placeholder: '+14155550123, +390612345678',
		description:
			'The contacts by their phone numbers in E.164 form, separated by commas, or an array',
	},
	{
		displayName: 'Combine Items',
		name: 'combineItems',
		type: 'boolean',
		default: true,
		description:
			'Whether to send the contacts of all input items for the same list together, in as few requests as possible. The output then has one item per request.',
	},
];

const memberShape = {
	contact_list_id: id,
	contact_ids: list(uuid).default([]),
	phone_numbers: phones.default([]),
	combineItems: flag.default(true),
};

/** As the user names them. */
type Named = z.infer<z.ZodObject<typeof memberShape>>;

/** As they are sent: without a kind of identifier that nobody named. */
type Members = Omit<Named, 'contact_ids' | 'phone_numbers'> &
	Partial<Named> & { auto_create?: boolean };

function toMembers({ contact_ids, phone_numbers, ...rest }: Named, ctx: z.RefinementCtx): Members {
	if (contact_ids.length + phone_numbers.length === 0) {
		ctx.addIssue({
			code: 'custom',
			message: '"Contact IDs" and "Phone Numbers" are both empty: name at least one contact',
		});
	}
	return {
		...rest,
		...(contact_ids.length > 0 && { contact_ids }),
		...(phone_numbers.length > 0 && { phone_numbers }),
	};
}

const gather: Gather<Members> = {
	key: ({ contact_list_id, auto_create, combineItems }) =>
		combineItems ? JSON.stringify([contact_list_id, auto_create]) : undefined,
	merge: (inputs) => {
		const union = (name: 'contact_ids' | 'phone_numbers') => [
			...new Set(inputs.flatMap((input) => input[name] ?? [])),
		];
		const [contact_ids, phone_numbers] = [union('contact_ids'), union('phone_numbers')];
		return {
			...inputs[0]!,
			...(contact_ids.length > 0 && { contact_ids }),
			...(phone_numbers.length > 0 && { phone_numbers }),
		};
	},
	size: ASSUMED.membersPerRequest,
};

/** How the answer names the identifiers it did not know is not shown. */
const UNKNOWN = /unknown|not_found|missing|invalid|skipped|failed/i;

function notice(_input: Members, records: JsonObject[]): string | undefined {
	const reported = records.flatMap((record) =>
		Object.entries(record).flatMap(([name, value]): string[] => {
			const isEmpty =
				value === 0 ||
				value === null ||
				value === '' ||
				value === false ||
				(Array.isArray(value) && value.length === 0) ||
				(isObject(value) &&
					Object.values(value).every((entry) => Array.isArray(entry) && entry.length === 0));
			return UNKNOWN.test(name) && !isEmpty ? [`${name}: ${JSON.stringify(value)}`] : [];
		}),
	);
	return reported.length > 0
		? `The API did not know some of the contacts (${reported.join('; ')}). The others were handled.`
		: undefined;
}

const membership = (
	row: Pick<Operation, 'name' | 'action' | 'description' | 'hint' | 'request' | 'fields'> & {
		shape: z.ZodRawShape;
	},
): Operation => {
	const { shape, ...rest } = row;
	return operation({
		...rest,
		input: () => z.object({ ...memberShape, ...shape }).transform(toMembers),
		payload: ({ contact_list_id: _list, combineItems: _combineItems, ...sent }) => sent,
		gather,
		notice,
	});
};

/** Reference: /contact-lists and /contact-lists/{contact_list_id}/contacts. */
export const contactList: Resource = {
	name: 'Contact List',
	description: 'Lists of contacts that campaigns call',
	operations: {
		addContacts: membership({
			name: 'Add Contacts',
			action: 'Add contacts to a list',
			description: 'Add contacts to a list by their IDs or phone numbers',
			hint: 'All input items for one list go in one request: do not loop over contacts. Contacts that the API does not know are reported, and are no error.',
			request: 'POST /contact-lists/{contact_list_id}/contacts',
			fields: [
				listPicker,
				...members,
				{
					displayName: 'Create Unknown Numbers',
					name: 'auto_create',
					type: 'boolean',
					default: false,
					description: 'Whether to create a contact for each phone number that has none',
				},
			],
			shape: { auto_create: flag.default(false) },
		}),
		get: {
			name: 'Get',
			action: 'Get a contact list',
			description: 'Retrieve one contact list',
			request: 'GET /contact-lists/{contact_list_id}',
			fields: [listPicker],
			input: () => z.object({ contact_list_id: id }),
		},
		getContacts: {
			name: 'Get Contacts',
			action: 'Get the contacts of a list',
			description: 'Retrieve the contacts in a contact list',
			request: 'GET /contact-lists/{contact_list_id}/contacts',
			many: true,
			simplify: plainFields(),
			fields: [listPicker],
			input: () => z.object({ contact_list_id: id }),
		},
		getAll: {
			name: 'Get Many',
			action: 'Get many contact lists',
			description: 'Retrieve a list of contact lists',
			request: 'GET /contact-lists',
			many: true,
			fields: [optionalFields('Filters', 'filters', 'Add filter', [searchFilter('contact lists')])],
			input: () =>
				z
					.object({ filters: collection({ search: searchText }) })
					.transform(({ filters }) => filters),
		},
		removeContacts: membership({
			name: 'Remove Contacts',
			action: 'Remove contacts from a list',
			description:
				'Take contacts out of a list by their IDs or phone numbers; the contacts themselves stay',
			request: 'DELETE /contact-lists/{contact_list_id}/contacts',
			fields: [listPicker, ...members],
			shape: {},
		}),
	},
};
