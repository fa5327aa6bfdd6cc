import { randomUUID } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import {
	accountForEachTest,
	CONTINUE,
	emulator,
	pairsOf,
	run,
	sent,
	succeed,
} from '../support/account.ts';
import { locator } from '../support/samples.ts';

accountForEachTest({ data: 'empty' });

const idsOf = (records: Array<{ id: string }>) => records.map(({ id }) => id).sort();

const membersOf = ({ id }: { id: string }) => [...emulator.store.members.get(id)!].sort();

/** New contacts, each with one number. */
const contacts = (count: number) =>
	Array.from({ length: count }, (_, at) =>
		emulator.store.addContact({
			phone_number: `+39320${1_000_000 + at}`,
			secondary_phone_number: null,
		}),
	);

const listOf = (members: Array<{ id: string }>) =>
	emulator.store.addContactList({}, idsOf(members));

/** How many contacts each change names. */
const changes = () =>
	emulator.requests
		.filter(({ method }) => method !== 'GET')
		.map(({ method, body }) => {
			const { contact_ids = [], phone_numbers = [] } = body as Record<string, string[]>;
			return [method, contact_ids.length + phone_numbers.length];
		});

describe('adding contacts to lists', () => {
	const add = (list: string, more: INodeParameters = {}): INodeParameters => ({
		contact_list_id: locator(list),
		contact_ids: '={{ $json.id }}',
		...more,
	});
	const people = (count: number) => contacts(count).map(({ id }) => ({ id }));

	it('sends 80 items in one request, each contact once, and pairs the answer with all', async () => {
		const list = emulator.store.addContactList();
		const items = people(80);
		const output = await succeed('contactList.addContacts', add(list.id), [...items, items[0]!]);
		expect(changes()).toEqual([['POST', 80]]);
		expect(membersOf(list)).toHaveLength(80);
		expect(output.json).toMatchObject([{ added: 80 }]);
		expect(pairsOf(output)).toEqual([Array.from({ length: 81 }, (_, index) => index)]);
	});

	it('sends a number once that an item names twice', async () => {
		const list = emulator.store.addContactList();
		const phone_numbers = '+14155550123, 0014155550123';
		const parameters = { contact_list_id: locator(list.id), phone_numbers, auto_create: true };
		await succeed('contactList.addContacts', parameters);
		await succeed('contactList.removeContacts', parameters);
		expect(changes()).toEqual([
			['POST', 1],
			['DELETE', 1],
		]);
	});

	it('sends one request for each list, whose items fail together', async () => {
		const [gone, list] = [randomUUID(), emulator.store.addContactList().id];
		const items = people(4).map((item, at) => ({ ...item, list: at < 2 ? gone : list }));
		const parameters = add('={{ $json.list }}');
		const output = await run('contactList.addContacts', parameters, items, CONTINUE);
		expect(output.json).toMatchObject([{ status: 404 }, { status: 404 }, { added: 2 }]);
		expect(pairsOf(output)).toEqual([[0], [1], [2, 3]]);
		expect(sent()).toHaveLength(2);
	});

	it('sends a request for each item without Combine Items', async () => {
		const parameters = add(emulator.store.addContactList().id, { combineItems: false });
		const output = await succeed('contactList.addContacts', parameters, people(4));
		expect(sent()).toHaveLength(4);
		expect(pairsOf(output)).toEqual([[0], [1], [2], [3]]);
	});

	it('reports the contacts that the API did not know, and only these', async () => {
		const list = emulator.store.addContactList();
		const [known] = people(1) as [{ id: string }];
		const unknown = { id: randomUUID() };
		const { hints } = await succeed('contactList.addContacts', add(list.id), [known, unknown]);
		expect(hints).toMatchObject([{ message: expect.stringContaining(unknown.id) as string }]);
		expect(hints[0]?.message).not.toContain(known.id);
		expect((await succeed('contactList.addContacts', add(list.id), [known])).hints).toEqual([]);
	});

	it('creates unknown numbers only if asked to', async () => {
		const list = emulator.store.addContactList();
		const number = { contact_list_id: locator(list.id), phone_numbers: '+39 347 000 9999' };
		const { hints } = await succeed('contactList.addContacts', number);
		expect(hints[0]?.message).toMatch(/\+393470009999.*turn on 'Create Unknown Numbers'/);
		const created = await succeed('contactList.addContacts', { ...number, auto_create: true });
		expect(created.hints).toEqual([]);
		expect(membersOf(list)).toHaveLength(1);
	});
});

const contactIds = () => idsOf(contacts(203));
const itemIds = () => idsOf(Array.from({ length: 203 }, () => emulator.store.addItem()));

describe.each<[name: string, ids: () => string[], where: (ids: string[]) => INodeParameters]>([
	[
		'contactList.addContacts',
		contactIds,
		(ids) => ({ contact_list_id: locator(listOf([]).id), contact_ids: ids.join(',') }),
	],
	[
		'contactList.removeContacts',
		contactIds,
		(ids) => ({
			contact_list_id: locator(emulator.store.addContactList({}, ids).id),
			contact_ids: JSON.stringify(ids),
		}),
	],
	['item.unassign', itemIds, (ids) => ({ items: ids.join(',') })],
	[
		'item.assign',
		itemIds,
		(ids) => ({
			items: ids.join(','),
			catalogue_id: locator(emulator.store.addCatalogue({ name: 'Menu' }).id),
		}),
	],
])('hundreds of IDs in one item of %s', (name, given, where) => {
	it('are split', async () => {
		const ids = given();
		expect((await succeed(name, where(ids))).json).toHaveLength(3);
		const parts = emulator.requests.map(({ body }) => Object.values(body as object)[0] as string[]);
		expect(parts.map(({ length }) => length)).toEqual([100, 100, 3]);
		expect(parts.flat().sort()).toEqual(ids);
	});

	it('of which a part fails: the error says what was done', async () => {
		emulator.faults.add({ kind: 'status', status: 400, skip: 1 });
		const { json } = await run(name, where(given()), [{}], CONTINUE);
		const handled =
			/100 of 203 (items|contacts) were handled before.* A part of the change may have been made/;
		expect(json).toMatchObject([{ error: expect.stringMatching(handled), may_have_acted: true }]);
		expect(emulator.requests).toHaveLength(2);
	});
});

// Who is added and who is removed: unit/members. Lists that show memberships: dialects/operations. A 404 after a lost
// answer: contract/requests.
describe('syncing a list', () => {
	const sync = async (
		list: { id: string },
		items: IDataObject[],
		options: INodeParameters = {},
		rest: object = {},
	) =>
		await run(
			'contactList.sync',
			{
				contact_list_id: locator(`={{ $json.list ?? "${list.id}" }}`),
				contact_ids: '={{ $json.id ?? "" }}',
				phone_numbers: '={{ $json.phone ?? "" }}',
				options,
			},
			items,
			rest,
		);
	const UNKNOWN = { phone: '+393470000000' };

	it('makes it equal to all items together, by ID or by number, in as few requests as possible', async () => {
		const all = contacts(6);
		const list = listOf(all.slice(0, 4));
		const output = await sync(list, [
			{ id: all[0]!.id },
			{ phone: all[1]!.phone_number.replace('+39', '+39 ') },
			{ phone: all[4]!.phone_number },
			{ id: all[5]!.id },
		]);
		expect(membersOf(list)).toEqual(idsOf([all[0]!, all[1]!, all[4]!, all[5]!]));
		expect(changes()).toEqual([
			['POST', 2],
			['DELETE', 2],
		]);
		const [item] = output.json;
		expect(item).toMatchObject({ contact_list_id: list.id, dry_run: false, kept: 2 });
		expect(String(item!.remove).split(', ').sort()).toEqual(idsOf(all.slice(2, 4)));
		expect(pairsOf(output)).toEqual([[0, 1, 2, 3]]);
	});

	it('sends nothing if it is equal already, and nothing in a dry run', async () => {
		const all = contacts(3);
		const list = listOf(all.slice(0, 2));
		const same = await sync(
			list,
			all.slice(0, 2).map(({ id }) => ({ id: id.toUpperCase() })),
		);
		expect(same).toMatchObject({ json: [{ kept: 2, add: '', remove: '' }], hints: [] });
		const { json, hints } = await sync(list, [{ id: all[2]!.id }], { dryRun: true });
		expect(hints).toMatchObject([{ message: expect.stringContaining('Nothing was changed') }]);
		expect(json).toMatchObject([{ dry_run: true, kept: 0, add: all[2]!.id, remove_count: 2 }]);
		expect(changes()).toEqual([]);
	});

	it.each<[what: string, items: IDataObject[], options: INodeParameters, message: RegExp]>([
		['the only item is empty', [{}], {}, /'Contact IDs' and 'Phone Numbers' are both empty/],
		['one item is empty', [UNKNOWN, {}], { allowEmptying: true }, /are both empty/],
		[
			'items have other options',
			[UNKNOWN, UNKNOWN],
			{ dryRun: '={{ $itemIndex === 0 }}' },
			/different options/,
		],
	])('is refused before anything is sent if %s', async (_what, items, options, message) => {
		const { error } = await sync(listOf(contacts(2)), items, options);
		expect(error?.message).toMatch(message);
		expect(emulator.requests).toEqual([]);
	});

	it('empties a list only if that is allowed: the API may know none of those who should be in it', async () => {
		const list = listOf(contacts(2));
		const { json } = await sync(list, [UNKNOWN], {}, CONTINUE);
		// The contact was sent, so something may have changed.
		const error = expect.stringContaining('Nobody was removed') as string;
		expect(json).toMatchObject([{ error, status: null, may_have_acted: true }]);
		expect(membersOf(list)).toHaveLength(2);
		await sync(list, [UNKNOWN], { allowEmptying: true });
		expect(membersOf(list)).toEqual([]);
		await sync(list, [UNKNOWN], { auto_create: true });
		expect(membersOf(list)).toHaveLength(1);
	});

	it('leaves every list as it is if an item cannot be read, and says why it cannot', async () => {
		const lists = contacts(2).map((contact) => listOf([contact]));
		const items = [
			{ id: randomUUID(), list: lists[0]!.id },
			{ phone: 'unlisted', list: lists[1]!.id },
		];
		const { json } = await sync(lists[0]!, items, {}, CONTINUE);
		expect(json.map(({ error }) => error)).toEqual([
			expect.stringContaining('1 of the items could not be read'),
			expect.stringContaining("'Phone Numbers → entry 1' must be a phone number"),
		]);
		expect(emulator.requests).toEqual([]);
	});

	it('says what was done when the second half fails', async () => {
		const all = contacts(3);
		const list = listOf(all.slice(0, 2));
		const match = ({ method }: { method: string }) => method === 'DELETE';
		emulator.faults.add({ kind: 'status', status: 400, match });
		const { error } = await sync(list, [{ id: all[0]!.id }, { id: all[2]!.id }]);
		expect(error?.message).toContain('1 contact had been sent to be added before');
		expect(membersOf(list)).toEqual(idsOf(all));
	});
});
