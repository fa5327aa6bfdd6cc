import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import { listAll } from '../../api/lists';
import type { Request } from '../../api/session';
import { ASSUMED } from '../../domain/assumed';
import { optionalFields, perRequest, picker, searchFilter } from '../../table/fields';
import { isObject, type JsonObject } from '../../json';
import {
	operation,
	type RunContext,
	type Gather,
	type Operation,
	type Resource,
} from '../../table/operation';
import { collection, flag, id, integer, list, phones, searchText, uuid } from '../../table/schema';
import { simplifyContact } from '../../domain/simplify';
import { BatchLimit, noted, sendInParts } from '../../api/batches';
import { changesTo, identifiersIn, identifiersOf, union, type Identifiers } from './members';
import { plural } from '../../words';

const listPicker = picker({
	displayName: 'Contact List',
	name: 'contact_list_id',
	search: 'searchContactLists',
	description: 'Contact list to work with',
});

const identifiers: INodeProperties[] = [
	{
		displayName: 'Contact IDs',
		name: 'contact_ids',
		type: 'string',
		default: '',
		placeholder: 'e.g. 3f2b8c1e-5d7a-4e90-9b1c-2a6d4f8e0b37, …',
		description: 'IDs of the contacts, separated by commas, or an array',
	},
	{
		displayName: 'Phone Numbers',
		name: 'phone_numbers',
		type: 'string',
		default: '',
		placeholder: 'e.g. +14155550123, +390612345678',
		description:
			'Phone numbers of the contacts with their country code, separated by commas, or an array',
	},
];

const members: INodeProperties[] = [
	...identifiers,
	{
		displayName: 'Combine Items',
		name: 'combineItems',
		type: 'boolean',
		default: true,
		description:
			'Whether to send the contacts of all input items together, in as few requests as possible. The output then has one item per request.',
	},
];

const sizeOption = optionalFields('Options', 'options', 'Add option', [perRequest('Contacts')]);

const createUnknown: INodeProperties = {
	displayName: 'Create Unknown Numbers',
	name: 'auto_create',
	type: 'boolean',
	default: false,
	description: 'Whether to create a contact for each phone number that is not known yet',
};

const identifierShape = {
	contact_list_id: id,
	contact_ids: list(uuid).default([]),
	phone_numbers: phones.default([]),
};

const memberShape = {
	...identifierShape,
	combineItems: flag.default(true),
	options: collection({ perRequest: integer(1) }),
};

/** A list and contacts, as the user enters them. */
type Named = z.infer<z.ZodObject<typeof memberShape>> & { auto_create?: boolean };

const sizeOf = ({ options }: { options: { perRequest?: number } }) =>
	options.perRequest ?? ASSUMED.membersPerRequest;

function mustName({ contact_ids, phone_numbers }: Identifiers, ctx: z.RefinementCtx): void {
	if (identifiersIn({ contact_ids, phone_numbers }).length > 0) return;
	ctx.addIssue({
		code: 'custom',
		message: "'Contact IDs' and 'Phone Numbers' are both empty: name at least one contact",
	});
}

const gather: Gather<Named> = {
	key: ({ contact_list_id, auto_create, combineItems, options }) =>
		combineItems ? JSON.stringify([contact_list_id, auto_create, options]) : undefined,
	merge: (inputs) => ({ ...inputs[0]!, ...union(inputs) }),
	size: sizeOf,
};

/** Adds or removes contacts, in as many requests as their number takes. */
async function send(
	{ api, share, tell }: Pick<RunContext, 'api' | 'share' | 'tell'>,
	{ method, path }: Pick<Request, 'method' | 'path'>,
	size: number,
	contacts: Identifiers,
	more: JsonObject = {},
): Promise<unknown[]> {
	return await sendInParts({
		entries: identifiersIn(contacts),
		what: 'contacts',
		size,
		option: 'Contacts per Request',
		limit: share(() => new BatchLimit()),
		nameOf: ([, identifier]) => identifier,
		send: async (part) =>
			(await api.send({ method, path, body: { ...identifiersOf(part), ...more } })).data,
		tell,
	});
}

/** Names of fields that may report unknown contacts. The reference shows none. */
const UNKNOWN = /unknown|not_found|missing|invalid|skipped|failed/i;

/** The fields of an answer that report unknown contacts. */
function unknownIn(answer: JsonObject): string[] {
	return Object.entries(answer).flatMap(([name, value]): string[] => {
		const isEmpty =
			value === 0 ||
			value === null ||
			value === '' ||
			value === false ||
			(Array.isArray(value) && value.length === 0) ||
			(isObject(value) &&
				Object.values(value).every((entry) => Array.isArray(entry) && entry.length === 0));
		return UNKNOWN.test(name) && !isEmpty ? [`${name}: ${JSON.stringify(value)}`] : [];
	});
}

function notice(_input: unknown, answers: JsonObject[]): string | undefined {
	const reported = answers.flatMap(unknownIn);
	return reported.length > 0
		? `The API did not know some of the contacts (${reported.join('; ')}). The others were handled.`
		: undefined;
}

/** The input of all items for one list, joined. */
type SyncInput = z.infer<z.ZodObject<typeof identifierShape>> & {
	options: {
		allowEmptying?: boolean;
		auto_create?: boolean;
		dryRun?: boolean;
		perRequest?: number;
	};
};

/**
 * Makes a list equal to the wanted contacts. It adds first: if that fails, nobody has been removed yet.
 *
 * @throws Error if the list would become empty although the user does not allow it. Nobody is removed then
 */
async function syncList(
	{ contact_list_id, options, ...wanted }: SyncInput,
	context: RunContext,
): Promise<JsonObject> {
	const { api, request } = context;
	const { path } = request();
	const size = sizeOf({ options });
	const read = async () => changesTo(await listAll(api, { method: 'GET', path }), wanted);
	const { add, remove, kept } = await read();
	const changes = {
		contact_list_id,
		dry_run: options.dryRun === true,
		kept,
		add: identifiersIn(add).map(([, each]) => each),
		remove: identifiersIn(remove).map(([, each]) => each),
	};
	if (options.dryRun) return { ...changes, answers: [] };
	const more = options.auto_create ? { auto_create: true } : {};
	const added = await send(context, { method: 'POST', path }, size, add, more);
	try {
		const isEmptied = kept === 0 && changes.remove.length > 0 && !options.allowEmptying;
		if (isEmptied && (await read()).kept === 0) {
			throw new Error(
				"none of the contacts is in the list after they were added, so the list would become empty. Nobody was removed. Check whether YK Voice knows these contacts, or turn on 'Allow Emptying'",
			);
		}
		const removed = await send(context, { method: 'DELETE', path }, size, remove);
		return { ...changes, answers: [...added, ...removed].filter(isObject) };
	} catch (error) {
		throw changes.add.length > 0
			? noted(error, `${plural(changes.add.length, 'contact')} had been sent to be added before`)
			: error;
	}
}

const membership = (
	row: Pick<Operation, 'name' | 'action' | 'description' | 'hint' | 'request'> & {
		fields: INodeProperties[];
		shape: z.ZodRawShape;
	},
): Operation => {
	const { shape, ...rest } = row;
	return operation({
		...rest,
		input: () => z.object({ ...memberShape, ...shape }).superRefine(mustName) as z.ZodType<Named>,
		run: async ({ contact_ids, phone_numbers, auto_create, options }, context) => {
			const more = auto_create === undefined ? {} : { auto_create };
			const contacts = { contact_ids, phone_numbers };
			return await send(context, context.request(), sizeOf({ options }), contacts, more);
		},
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
			action: 'Add contacts to contact list',
			description: 'Add contacts to a list by their IDs or phone numbers',
			hint: 'All input items for one list go in one request: do not loop over contacts. Contacts that the API does not know are reported; the others are handled.',
			request: 'POST /contact-lists/{contact_list_id}/contacts',
			fields: [listPicker, ...members, createUnknown, sizeOption],
			shape: { auto_create: flag.default(false) },
		}),
		get: {
			name: 'Get',
			action: 'Get contact list',
			description: 'Retrieve one contact list',
			request: 'GET /contact-lists/{contact_list_id}',
			fields: [listPicker],
			input: () => z.object({ contact_list_id: id }),
		},
		getContacts: {
			name: 'Get Contacts',
			action: 'Get contacts of contact list',
			description: 'Retrieve the contacts in a contact list',
			request: 'GET /contact-lists/{contact_list_id}/contacts',
			many: true,
			simplify: simplifyContact,
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
			action: 'Remove contacts from contact list',
			description:
				'Remove contacts from a list by their IDs or phone numbers, without deleting the contacts',
			request: 'DELETE /contact-lists/{contact_list_id}/contacts',
			fields: [listPicker, ...members, sizeOption],
			shape: {},
		}),
		sync: operation({
			name: 'Sync Contacts',
			action: 'Sync contacts of list',
			description:
				'Add and remove contacts so that a list holds exactly the contacts of the input items',
			hint: 'All input items for one list are one set: do not loop over contacts. Contacts that are not in the items are removed from the list. Try it with options.dryRun first.',
			request: 'POST /contact-lists/{contact_list_id}/contacts',
			fields: [
				{
					...listPicker,
					hint: 'Contacts that are not in the items are removed from the list',
				},
				...identifiers,
				optionalFields('Options', 'options', 'Add option', [
					{
						displayName: 'Allow Emptying',
						name: 'allowEmptying',
						type: 'boolean',
						default: false,
						description: 'Whether the list may end up empty if the API knows none of the contacts',
					},
					perRequest('Contacts'),
					createUnknown,
					{
						displayName: 'Dry Run',
						name: 'dryRun',
						type: 'boolean',
						default: false,
						description:
							'Whether to only show what would be added and removed, without changing anything',
					},
				]),
			],
			input: () =>
				z
					.object({
						...identifierShape,
						options: collection({
							allowEmptying: flag,
							auto_create: flag,
							dryRun: flag,
							perRequest: integer(1),
						}),
					})
					.superRefine(mustName) as z.ZodType<SyncInput>,
			refuse: (inputs, refused) => {
				if (refused > 0) {
					return `${refused} of the items could not be read. Without them, their contacts would be removed from the list`;
				}
				const settings = new Map<string, string>();
				for (const { contact_list_id, options } of inputs) {
					const given = JSON.stringify(options);
					if ((settings.get(contact_list_id) ?? given) !== given) {
						return 'the items for one list have different options, but they are sent as one set';
					}
					settings.set(contact_list_id, given);
				}
				return undefined;
			},
			gather: {
				key: ({ contact_list_id }) => contact_list_id,
				merge: (inputs) => ({ ...inputs[0]!, ...union(inputs) }),
				size: () => Infinity,
			},
			run: syncList,
			notice: (_input, [{ answers } = {}]) => notice(_input, answers as JsonObject[]),
		}),
	},
};
