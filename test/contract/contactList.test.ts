import { randomUUID } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { accountForEachTest, emulator, pairsOf, run, sent, succeed } from '../support/account.ts';
import { locator } from '../support/samples.ts';

accountForEachTest({ data: 'small' });

describe('adding contacts to lists', () => {
	const add = (list: string): INodeParameters => ({
		contact_list_id: locator(list),
		contact_ids: '={{ $json.id }}',
	});
	const people = (count: number) =>
		Array.from({ length: count }, () => ({ id: emulator.store.addContact().id }));

	it('sends 80 items in one request, and pairs the answer with all of them', async () => {
		const list = emulator.store.addContactList();
		const items = people(80);
		const output = await succeed('contactList.addContacts', add(list.id), items);
		expect(sent()).toHaveLength(1);
		expect(emulator.store.members.get(list.id)?.size).toBe(80);
		expect(output.json).toMatchObject([{ added: 80 }]);
		expect(pairsOf(output)).toEqual([items.map((_, index) => index)]);
	});

	it('sends one request for each list, whose items fail together', async () => {
		const node = { onError: 'continueRegularOutput' as const };
		const [gone, list] = [randomUUID(), emulator.store.addContactList().id];
		const items = people(4).map((item, at) => ({ ...item, list: at < 2 ? gone : list }));
		const output = await run('contactList.addContacts', add('={{ $json.list }}'), items, { node });
		expect(output.json).toMatchObject([{ status: 404 }, { status: 404 }, { added: 2 }]);
		expect(pairsOf(output)).toEqual([[0], [1], [2, 3]]);
		expect(sent()).toHaveLength(2);
	});

	it('says that a change was made if a later part of it fails', async () => {
		const list = emulator.store.addContactList();
		const contact_ids = people(101).map(({ id }) => id);
		emulator.faults.add({ kind: 'status', status: 400, skip: 1 });
		const one = { ...add(list.id), contact_ids: contact_ids.join(',') };
		const node = { onError: 'continueRegularOutput' as const };
		const { json } = await run('contactList.addContacts', one, [{}], { node });
		expect(json[0]).toMatchObject({ may_have_acted: true });
		expect(String(json[0]?.error)).toContain('100 of 101 contacts were handled');
	});

	it('sends a contact once if several items name it', async () => {
		const list = emulator.store.addContactList();
		const [item] = people(1) as [{ id: string }];
		await succeed('contactList.addContacts', add(list.id), [item, item, item]);
		expect(emulator.requests[0]?.body).toEqual({ auto_create: false, contact_ids: [item.id] });
	});

	it('sends a request for each item without Combine Items', async () => {
		const list = emulator.store.addContactList();
		const parameters = { ...add(list.id), combineItems: false };
		const output = await succeed('contactList.addContacts', parameters, people(4));
		expect(sent()).toHaveLength(4);
		expect(pairsOf(output)).toEqual([[0], [1], [2], [3]]);
	});

	it('reports the contacts that the API did not know, and only these', async () => {
		const list = emulator.store.addContactList();
		const [known, other] = people(2) as [{ id: string }, { id: string }];
		const unknown = { id: '3f2b8c1e-5d7a-4e90-9b1c-2a6d4f8e0b37' };
		const { hints } = await succeed('contactList.addContacts', add(list.id), [known, unknown]);
		expect(hints).toHaveLength(1);
		expect(hints[0]?.message).toContain(unknown.id);
		expect(hints[0]?.message).not.toContain(known.id);
		const all = await succeed('contactList.addContacts', add(list.id), [known, other]);
		expect(all.hints).toEqual([]);
		expect(emulator.store.members.get(list.id)?.size).toBe(2);
	});

	it('creates unknown numbers only if asked to', async () => {
		const list = emulator.store.addContactList();
		const number = { contact_list_id: locator(list.id), phone_numbers: '+39 347 000 9999' };
		const { hints } = await succeed('contactList.addContacts', number);
		expect(hints[0]?.message).toContain('+393470009999');
		expect(hints[0]?.message).toContain("turn on 'Create Unknown Numbers'");
		const created = await succeed('contactList.addContacts', { ...number, auto_create: true });
		expect(created.hints).toEqual([]);
		expect(emulator.store.members.get(list.id)?.size).toBe(1);
	});
});
