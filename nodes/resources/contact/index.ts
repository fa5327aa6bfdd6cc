import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import type { JsonObject } from '../../json';
import { ASSUMED } from '../../domain/assumed';
import { runAlone } from '../../table/alone';
import { rowsFor } from '../../table/byId';
import { choices, optionalFields, picker, searchFilter, sortOption } from '../../table/fields';
import { PHONE_RULE, UUID_RULE } from '../../table/identifier';
import { operation, type Resource, type RunContext } from '../../table/operation';
import {
	agreeing,
	clearRecordFields,
	phoneIn,
	recordFields,
	recordInput,
} from '../../table/record';
import {
	keepUntouched,
	keepUntouchedHint,
	ONLY_READ,
	putBack,
	replacing,
} from '../../table/replace';
import {
	collection,
	nonBlank,
	flag,
	oneOf,
	optional,
	phone,
	refusing,
	scalarText,
	trimmed,
	uuid,
	searchText,
} from '../../table/schema';
import { simplifyContact } from '../../domain/simplify';
import type { Refuse } from '../../table/form';
import { filterExpression, OPERATORS } from './filter';

const contactPicker = picker({
	displayName: 'Contact',
	name: 'contact',
	search: 'searchContacts',
	description: 'Contact to work with',
	rule: UUID_RULE,
	modes: [
		{
			displayName: 'By Phone Number',
			name: 'phone',
			placeholder: 'e.g. +14155550123',
			rule: PHONE_RULE,
		},
	],
});

/** Both of the API's ways to name a contact: its UUID, or by-phone/{phone_number}. */
const contactRef = z.unknown().transform((value, ctx): string | string[] => {
	const byPhone = z.object({ phone: z.unknown() }).safeParse(value);
	const parsed = byPhone.success ? phone.safeParse(byPhone.data.phone) : uuid.safeParse(value);
	if (parsed.success) return byPhone.success ? ['by-phone', parsed.data] : parsed.data;
	const message = parsed.error.issues[0]?.message ?? '';
	ctx.addIssue({ code: 'custom', message: value ? message : 'is required' });
	return z.NEVER;
});

const PHONE_FIELD = /phone_number$/;

/** Checks each phone number of a record. Null is allowed: it clears the optional second number. */
const phoneRules = {
	blankIsNothing: PHONE_FIELD,
	check: (record: JsonObject, refuse: Refuse): JsonObject =>
		Object.fromEntries(
			Object.entries(record).map(([name, value]) =>
				PHONE_FIELD.test(name) && value !== null
					? [name, phoneIn(name, value, refuse)]
					: [name, value],
			),
		),
};

/** A new contact with its number, unless the record already has the number in some field. */
function numbered(record: JsonObject, phone: string): JsonObject {
	const { secondary_phone_number: _, ...rest } = record;
	const isHeld = Object.values(rest).includes(phone);
	return isHeld ? record : { [ASSUMED.contactPhone]: phone, ...record };
}

interface Upsert {
	phone_number: string;
	record: JsonObject;
	keepUntouched: boolean;
}

/** Creates the contact, or updates it. Without fields, an existing contact stays as it is. */
async function upsert(
	{ phone_number, record, keepUntouched: keeps }: Upsert,
	context: RunContext,
): Promise<unknown> {
	const { api, request } = context;
	const { method, path } = request();
	const present = await api.find({ method: 'GET', path });
	const body = numbered(record, phone_number);
	if (present === null) return (await api.send({ method: 'POST', path: '/contacts', body })).data;
	if (Object.keys(record).length === 0) return present;
	if (keeps) return await putBack({ method, path }, present, record, context);
	return (await api.send({ method, path, body })).data;
}

const byContact = rowsFor(contactPicker, contactRef);

const filterFields: INodeProperties[] = [
	{
		displayName: 'Filter',
		name: 'filterType',
		type: 'options',
		options: [
			{ name: 'Build Conditions', value: 'conditions' },
			{ name: 'Expression', value: 'expression' },
			{ name: 'None', value: 'none' },
		],
		default: 'none',
		description: 'Whether to return all contacts or only those that match',
	},
	{
		displayName: 'Must Match',
		name: 'combine',
		type: 'options',
		displayOptions: { show: { filterType: ['conditions'] } },
		options: [
			{ name: 'All Conditions', value: '&' },
			{ name: 'Any Condition', value: '|' },
		],
		default: '&',
		description: 'Whether a contact must meet all conditions, or only one',
	},
	{
		displayName: 'Filter Expression',
		name: 'filter',
		type: 'string',
		displayOptions: { show: { filterType: ['expression'] } },
		default: '',
		placeholder: 'e.g. first_name~=ann&loyalty_tier==gold',
		description:
			"A filter in the API's own language: conditions joined by & (and) or | (or), with the operators ~=, ==, !=, &gt;, &lt;, &gt;=, &lt;= and in",
	},
	{
		displayName: 'Conditions',
		name: 'conditions',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		displayOptions: { show: { filterType: ['conditions'] } },
		placeholder: 'Add condition',
		default: {},
		options: [
			{
				displayName: 'Condition',
				name: 'condition',
				values: [
					{
						displayName: 'Field',
						name: 'field',
						type: 'string',
						default: '',
						placeholder: 'e.g. first_name',
						description: 'Name of the field in the API. Custom fields work too.',
					},
					{
						displayName: 'Operator',
						name: 'operator',
						type: 'options',
						options: choices(OPERATORS),
						default: 'equals',
						description: 'How to compare the field with the value',
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						description: 'Value to compare with. For In, separate several values with commas.',
					},
				],
			},
		],
	},
];

/** What to do if the API refuses a contact. */
const CONTACT_REFUSED = `The API refused the data. Correct the value named above and run again. If your API has another name for ${ASSUMED.contactPhone}, set 'Specify Fields' to 'Using JSON' and use that name.`;

/** Reference: /contacts and /contacts/by-phone; the filter language: version history 1.8.0. */
export const contact: Resource = {
	name: 'Contact',
	description: 'People who call or are called',
	operations: {
		create: operation({
			name: 'Create',
			action: 'Create contact',
			description: 'Create a new contact',
			request: 'POST /contacts',
			fields: recordFields('mapContact'),
			input: () => recordInput({ ...phoneRules, required: [ASSUMED.contactPhone] }),
			payload: ({ record }) => record,
			hints: { 400: CONTACT_REFUSED },
		}),
		upsert: operation({
			name: 'Create or Update',
			action: 'Create or update contact',
			description: 'Create a new record, or update the current one if it already exists (upsert)',
			hint: 'Use this to sync people by phone number; no look-up is needed before it. Fields that are not named keep their values.',
			request: 'PUT /contacts/by-phone/{phone_number}',
			fields: [
				{
					displayName: 'Phone Number',
					name: 'phone_number',
					type: 'string',
					required: true,
					default: '',
					placeholder: 'e.g. +14155550123',
					description:
						'Phone number of the contact with its country code. The node finds the contact by it.',
				},
				...recordFields('mapContact'),
				clearRecordFields('getContactFields'),
				keepUntouched,
			],
			input: () =>
				z
					.object({ phone_number: phone, keepUntouched: flag.default(true) })
					.and(recordInput({ ...phoneRules, exists: true, mayBeEmpty: true }))
					.transform(({ record, ...rest }, ctx) => {
						agreeing(
							record,
							ASSUMED.contactPhone,
							rest.phone_number,
							'Phone Number',
							refusing(ctx),
						);
						return { ...rest, record };
					}),
			run: async (input, context) =>
				await runAlone(context, input.phone_number, async () => await upsert(input, context)),
			hintsFor: ({ keepUntouched: keeps }): Record<number, string> => ({
				400: keeps ? `${CONTACT_REFUSED} ${ONLY_READ}` : CONTACT_REFUSED,
			}),
		}),
		delete: byContact({
			name: 'Delete',
			action: 'Delete contact',
			description: 'Delete a contact permanently',
			request: 'DELETE /contacts/{contact}',
		}),
		get: byContact({
			name: 'Get',
			action: 'Get contact',
			description: 'Retrieve one contact with its custom fields',
			request: 'GET /contacts/{contact}',
			simplify: simplifyContact,
		}),
		getAll: operation({
			name: 'Get Many',
			action: 'Get many contacts',
			description: 'Retrieve a list of contacts',
			hint: 'To filter by fields set filterType to conditions. A value cannot contain & or |. With a filter the API ignores options.search.',
			request: 'GET /contacts',
			many: true,
			simplify: simplifyContact,
			fields: [
				...filterFields,
				optionalFields('Options', 'options', 'Add option', [searchFilter('contacts'), sortOption]),
			],
			input: () =>
				z
					.object({
						filterType: oneOf({ none: '', conditions: '', expression: '' }).default('none'),
						combine: oneOf({ '&': '', '|': '' }).default('&'),
						filter: nonBlank().optional(),
						conditions: z
							.object({
								condition: z
									.array(
										z.object({
											field: trimmed(nonBlank()),
											operator: oneOf(OPERATORS),
											value: trimmed(scalarText),
										}),
									)
									.default([]),
							})
							.default({}),
						options: collection({
							search: searchText,
							sort: optional(trimmed(nonBlank())),
						}),
					})
					.transform(({ filterType, combine, filter, conditions, options }, ctx) => {
						if (filterType === 'none') return { ...options, filter: undefined };
						if (filterType === 'expression') return { ...options, filter };
						const refuseEntry: Refuse = (words, ...path) =>
							refusing(ctx)(
								words,
								...path.flatMap((step) =>
									typeof step === 'number' ? ['condition', step] : [step],
								),
							);
						return {
							...options,
							filter: filterExpression(conditions.condition, combine, refuseEntry),
						};
					}),
			hints: {
				400: "The API refused a filter or a sort. Correct what it names above. To write the filter in the API's own form, set 'Filter' to 'Expression'.",
			},
			notice: ({ search, filter }) =>
				search && filter
					? "Both 'Filter' and 'Search' are set. The API uses the filter and ignores the search."
					: undefined,
		}),
		update: operation({
			name: 'Update',
			action: 'Update contact',
			description: 'Change a contact by its ID or phone number',
			hint: keepUntouchedHint,
			request: 'PUT /contacts/{contact}',
			fields: [
				contactPicker,
				...recordFields('mapContact'),
				clearRecordFields('getContactFields'),
				keepUntouched,
			],
			input: () =>
				z
					.object({ contact: contactRef, keepUntouched: flag.default(true) })
					.and(recordInput({ ...phoneRules, exists: true })),
			...replacing,
		}),
	},
};
