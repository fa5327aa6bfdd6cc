import { pathTo } from '../../api/path';
import { noted, sendInParts } from '../../table/batches';
import { ASSUMED } from '../../domain/assumed';
import { sameId } from '../../domain/identifiers';
import { simplifyContact } from '../../domain/simplify';
import { groupedBy, isObject, type JsonObject } from '../../json';
import {
	DRY_RUN,
	dryRun,
	filtersOf,
	optionsOf,
	recordPicker,
	searchFilter,
} from '../../table/common';
import { counting, counts, lists, operation } from '../../table/operation';
import type { Operation, Resource, Task } from '../../table/operation';
import type { RowApi } from '../../table/rowApi';
import { form, type InputOf, type Parameter, type Refuse } from '../../table/form';
import { getRow, timeout } from '../../table/handling';
import { text, toggle } from '../../table/kinds';
import { list, phones, uuid } from '../../table/schema';
import { cut, plural } from '../../words';
import { changesTo, identifiersIn, identifiersOf, union, type Identifiers } from './members';

const MEMBERS = '/contact-lists/{contact_list_id}/contacts';

const about = (hint?: string) => ({
	contact_list_id: recordPicker('Contact List', 'searchContactLists', hint),
});

const identifiers = {
	contact_ids: text(
		{
			displayName: 'Contact IDs',
			placeholder: 'e.g. 3f2b8c1e-5d7a-4e90-9b1c-2a6d4f8e0b37, …',
			description: 'IDs of the contacts, separated by commas',
		},
		list(uuid),
	),
	phone_numbers: text(
		{
			displayName: 'Phone Numbers',
			placeholder: 'e.g. +14155550123, +390612345678',
			description: 'Phone numbers with country code, separated by commas',
		},
		phones,
	),
};

const combineItems = toggle({
	displayName: 'Combine Items',
	default: true,
	description: 'Whether to send all input items together',
});

const createUnknown = toggle({
	displayName: 'Create Unknown Numbers',
	description: 'Whether to create contacts for unknown numbers',
});

/** The values, if they name a contact. */
function naming<T extends Required<Identifiers>>(given: T, refuse: Refuse): T {
	const { contact_ids, phone_numbers } = given;
	if (contact_ids.length + phone_numbers.length === 0) {
		refuse("'Contact IDs' and 'Phone Numbers' are both empty: name at least one contact");
	}
	return given;
}

/** Adds or removes contacts, in as many requests as their number takes. */
const changeMembers = async (
	api: RowApi,
	method: 'POST' | 'DELETE',
	path: string,
	contacts: Identifiers,
	more: JsonObject = {},
) =>
	await sendInParts(identifiersIn(union([contacts])), 'contacts', async (part) => {
		return await api.change(method, path, { ...identifiersOf(part), ...more });
	});

/** Names of fields that may report unknown contacts. The reference shows none. */
const UNKNOWN = /unknown|not_found|missing|invalid|skipped|failed/i;

const isEmpty = (value: unknown) =>
	!value || (typeof value === 'object' && Object.values(value).flat().length === 0);

/**
 * Tells the user which contacts the API did not know.
 * @param isCreating whether unknown numbers become contacts; undefined if the operation has no such choice
 */
function tellUnknown(answers: unknown[], tell: RowApi['tell'], isCreating?: boolean): void {
	const reported = answers
		.filter(isObject)
		.flatMap((answer) => Object.entries(answer))
		.filter(([name, value]) => UNKNOWN.test(name) && !isEmpty(value))
		.map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
	if (reported.length === 0) return;
	const advice = " To create contacts of unknown numbers, turn on 'Create Unknown Numbers'.";
	tell(
		`The API did not know some of the contacts (${cut(reported.join('; '))}). The others were handled.${isCreating === false ? advice : ''}`,
	);
}

const syncForm = () =>
	form({
		...about('Contacts that are not in the items are removed from the list'),
		...identifiers,
		options: optionsOf({
			allowEmptying: toggle({
				displayName: 'Allow Emptying',
				description: 'Whether the list may end up empty if the API knows none of the contacts',
			}),
			auto_create: createUnknown,
			dryRun,
			timeout,
		}),
	}).check(naming);

/**
 * Makes a list equal to the wanted contacts. It adds first: if that fails, nobody has been removed yet.
 *
 * @throws Error if the list would become empty although the user does not allow it. Nobody is removed then
 */
async function syncList(
	{ contact_list_id, options, ...wanted }: InputOf<ReturnType<typeof syncForm>>,
	api: RowApi,
): Promise<JsonObject> {
	const path = pathTo(MEMBERS, { contact_list_id });
	const read = async () =>
		changesTo(await api.list(path, undefined, { wanted: Infinity }), wanted, api.names);
	const { add, remove, kept } = await read();
	const added = identifiersIn(add).map(([, each]) => each);
	const removed = identifiersIn(remove).map(([, each]) => each);
	const changes = {
		contact_list_id,
		dry_run: options.dryRun === true,
		kept,
		add_count: added.length,
		add: added.join(', '),
		remove_count: removed.length,
		remove: removed.join(', '),
	};
	if (options.dryRun) {
		api.tell(DRY_RUN);
		return { ...changes, answers: [] };
	}
	const more = options.auto_create ? { auto_create: true } : {};
	const additions = await changeMembers(api, 'POST', path, add, more);
	try {
		const isEmptied = kept === 0 && removed.length > 0 && !options.allowEmptying;
		if (isEmptied && (await read()).kept === 0) {
			throw new Error(
				"none of the contacts is in the list after they were added, so the list would become empty. Nobody was removed. Check whether YK Voice knows these contacts, or turn on 'Allow Emptying'",
			);
		}
		const removals = await changeMembers(api, 'DELETE', path, remove);
		const answers = [...additions, ...removals].filter(isObject);
		tellUnknown(answers, api.tell, options.auto_create ?? false);
		return { ...changes, answers };
	} catch (error) {
		const done = `${plural(added.length, 'contact')} had been sent to be added before`;
		throw added.length > 0 ? noted(error, done) : error;
	}
}

/**
 * Joins items whose contacts can go in one request: those of one account with the same key, at most `size`.
 * Without a key, an item stays alone.
 */
const joined = <Input extends Identifiers>(
	tasks: Array<Task<Input>>,
	keyOf: (input: Input) => string | undefined,
	size = tasks.length,
): Array<Task<Input>> =>
	[...groupedBy(tasks, ({ account }) => account).values()]
		.flatMap((all) => [...groupedBy(all, (task) => keyOf(task.input) ?? task).values()])
		.flatMap((group) =>
			Array.from({ length: Math.ceil(group.length / size) }, (_part, at) =>
				group.slice(at * size, (at + 1) * size),
			),
		)
		.map((part) => ({
			...part[0]!,
			items: part.flatMap(({ items }) => items) as Task['items'],
			input: { ...part[0]!.input, ...union(part.map(({ input }) => input)) },
		}))
		.sort((a, b) => a.items[0] - b.items[0]);

const membership = (
	method: 'POST' | 'DELETE',
	texts: Pick<Operation, 'name' | 'action' | 'description' | 'hint'>,
	more: { auto_create?: Parameter<boolean> } = {},
): Operation =>
	operation({
		...texts,
		request: `${method} ${MEMBERS}`,
		does: 'change',
		fields: () =>
			form({
				...about(),
				...identifiers,
				combineItems,
				...more,
				options: optionsOf({ timeout }),
			}).check(naming),
		run: async ({ contact_list_id, contact_ids, phone_numbers, auto_create }, api) => {
			const unknown = auto_create === undefined ? {} : { auto_create };
			const contacts = { contact_ids, phone_numbers };
			const path = pathTo(MEMBERS, { contact_list_id });
			const answers = await changeMembers(api, method, path, contacts, unknown);
			tellUnknown(answers, api.tell, auto_create);
			return answers;
		},
		arrange: (all) =>
			joined(
				all,
				({ contact_list_id, auto_create, combineItems: isCombined }) =>
					isCombined ? JSON.stringify([sameId(contact_list_id), auto_create]) : undefined,
				ASSUMED.membersPerRequest,
			),
	});

/** Reference: /contact-lists and /contact-lists/{contact_list_id}/contacts. */
export const contactList: Resource = {
	name: 'Contact List',
	description: 'Contacts that campaigns call',
	operations: {
		addContacts: membership(
			'POST',
			{
				name: 'Add Contacts',
				action: 'Add contacts to contact list',
				description: 'Add contacts to a list by their IDs or phone numbers',
				hint: 'All input items for one list go in one request: do not loop over contacts. Contacts that the API does not know are reported; the others are handled.',
			},
			{ auto_create: createUnknown },
		),
		get: getRow('Retrieve one contact list', '/contact-lists/{contact_list_id}', about()),
		getContacts: {
			name: 'Get Contacts',
			action: 'Get contacts from contact list',
			description: 'Retrieve the contacts in a contact list',
			...lists(MEMBERS),
			simplify: simplifyContact,
			fields: () => form(about()),
		},
		getAll: {
			name: 'Get Many',
			description: 'Retrieve a list of contact lists',
			...lists('/contact-lists'),
			fields: () =>
				form({ filters: filtersOf({ search: searchFilter('contact lists') }) }).check(
					({ filters }) => filters,
				),
		},
		removeContacts: membership('DELETE', {
			name: 'Remove Contacts',
			action: 'Remove contacts from contact list',
			description:
				'Remove contacts from a list by their IDs or phone numbers, without deleting the contacts',
		}),
		sync: operation({
			name: 'Sync Contacts',
			action: 'Sync contacts in contact list',
			description:
				'Add and remove contacts so that a list holds exactly the contacts of the input items',
			hint: 'All input items for one list are one set: do not loop over contacts. Contacts that are not in the items are removed from the list. Try it with options.dryRun first.',
			request: `POST ${MEMBERS}`,
			does: 'change',
			fields: syncForm,
			arrange(all, refused) {
				if (refused > 0) {
					throw new Error(
						`${refused} of the items could not be read. Without them, their contacts would be removed from the list`,
					);
				}
				const listOf = ({ contact_list_id }: { contact_list_id: string }) =>
					sameId(contact_list_id);
				for (const same of groupedBy(all, ({ input }) => listOf(input)).values()) {
					if (new Set(same.map(({ input }) => JSON.stringify(input.options))).size > 1) {
						throw new Error(
							'the items for one list have different options, but they are sent as one set',
						);
					}
				}
				return joined(all, listOf);
			},
			run: syncList,
		}),
		countContacts: {
			...counting('contacts in contact list', 'Count the contacts in a contact list'),
			name: 'Count Contacts',
			...counts(MEMBERS),
			fields: () => form(about()),
		},
	},
};
