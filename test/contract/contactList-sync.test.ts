import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { EmulatorOptions } from '../emulator/index.ts';
import { accountForEachTest, changeAccount, emulator, run } from '../support/account.ts';
import type { NodeRun } from '../support/harness.ts';
import { locator } from '../support/samples.ts';

accountForEachTest({ data: 'empty' });

const restart = async (readings: EmulatorOptions['readings']) =>
	await changeAccount({ data: 'empty', readings });

const contacts = (count: number) =>
	Array.from({ length: count }, (_, at) =>
		emulator.store.addContact({
			phone_number: `+39320${1_000_000 + at}`,
			secondary_phone_number: null,
		}),
	);

const membersOf = (list: { id: string }) => [...emulator.store.members.get(list.id)!].sort();

const idsOf = (records: Array<{ id: string }>) => records.map(({ id }) => id).sort();

const writes = () =>
	emulator.requests
		.filter(({ method }) => method !== 'GET')
		.map(({ method, body }) => {
			const { contact_ids = [], phone_numbers = [] } = body as Record<string, string[]>;
			return [method, contact_ids.length + phone_numbers.length];
		});

describe('syncing a list', () => {
	const sync = async (
		list: { id: string },
		items: IDataObject[],
		options: IDataObject = {},
		rest: Partial<NodeRun> = {},
		chosen = locator(list.id),
	) =>
		await run(
			'contactList.sync',
			{
				contact_list_id: chosen,
				contact_ids: '={{ $json.id ?? "" }}',
				phone_numbers: '={{ $json.phone ?? "" }}',
				options: options as INodeParameters,
			},
			items,
			rest,
		);

	it('makes it equal to all items together, by ID or by number, in as few requests as possible', async () => {
		const all = contacts(6);
		const list = emulator.store.addContactList({}, idsOf(all.slice(0, 4)));
		const { json, items, error } = await sync(list, [
			{ id: all[0]!.id },
			{ phone: all[1]!.phone_number.replace('+39', '+39 ') },
			{ phone: all[4]!.phone_number },
			{ id: all[5]!.id },
		]);
		expect(error?.message).toBeUndefined();
		expect(membersOf(list)).toEqual(idsOf([all[0]!, all[1]!, all[4]!, all[5]!]));
		expect(writes()).toEqual([
			['POST', 2],
			['DELETE', 2],
		]);
		expect(json).toMatchObject([{ contact_list_id: list.id, dry_run: false, kept: 2 }]);
		expect(String(json[0]!.remove).split(', ').sort()).toEqual(idsOf(all.slice(2, 4)));
		expect(items[0]!.pairedItem).toEqual([0, 1, 2, 3].map((item) => ({ item })));
	});

	it.each(['memberships', 'nested contacts'] as const)(
		'knows the contacts behind %s, by ID or by number',
		async (members) => {
			await restart({ members });
			const all = contacts(3);
			const list = emulator.store.addContactList({}, idsOf(all));
			const { json, error } = await sync(list, [
				{ id: all[0]!.id },
				{ phone: all[1]!.phone_number },
			]);
			expect(error?.message).toBeUndefined();
			expect(json).toMatchObject([
				{ kept: 2, add: '', add_count: 0, remove: all[2]!.id, remove_count: 1 },
			]);
			expect(membersOf(list)).toEqual(idsOf(all.slice(0, 2)));
		},
	);

	it('sends nothing if it is equal already, and nothing in a dry run', async () => {
		const all = contacts(3);
		const list = emulator.store.addContactList({}, idsOf(all.slice(0, 2)));
		const members = all.slice(0, 2).map(({ id }) => ({ id: id.toUpperCase() }));
		const same = await sync(list, members);
		expect(same.error?.message).toBeUndefined();
		expect(same.json).toMatchObject([{ kept: 2, add: '', remove: '' }]);
		const { json } = await sync(list, [{ id: all[2]!.id }], { dryRun: true });
		expect(json[0]).toMatchObject({ dry_run: true, kept: 0, add: all[2]!.id });
		expect(String(json[0]!.remove).split(', ').sort()).toEqual(idsOf(all.slice(0, 2)));
		expect(writes()).toEqual([]);
	});

	it('refuses a blank item, and to empty a list unless that is allowed', async () => {
		const list = emulator.store.addContactList({}, idsOf(contacts(2)));
		const { error } = await sync(list, [{}]);
		expect(error?.message).toContain("'Contact IDs' and 'Phone Numbers' are both empty");
		const unknown = [{ phone: '+393470000000' }];
		const blank = await sync(list, [...unknown, {}], { allowEmptying: true });
		expect(blank.error?.message).toContain("'Contact IDs' and 'Phone Numbers' are both empty");
		expect(emulator.requests).toEqual([]);
		const allowed = await sync(list, unknown, { allowEmptying: true });
		expect(allowed.error?.message).toBeUndefined();
		expect(membersOf(list)).toEqual([]);
	});

	it('removes nobody if the API knows none of those who should be in it', async () => {
		const list = emulator.store.addContactList({}, idsOf(contacts(2)));
		const rest = { node: { onError: 'continueRegularOutput' as const } };
		const { json } = await sync(list, [{ phone: '+393470000000' }], {}, rest);
		// The contact was sent, so something may have changed.
		expect(json).toEqual([
			{ error: expect.stringContaining('Nobody was removed') as string, may_have_acted: true },
		]);
		expect(membersOf(list)).toHaveLength(2);
		const created = await sync(list, [{ phone: '+393470000000' }], { auto_create: true });
		expect(created.error?.message).toBeUndefined();
		expect(membersOf(list)).toHaveLength(1);
	});

	it('leaves every list as it is if an item cannot be read, and says why it cannot', async () => {
		const all = contacts(2);
		const lists = all.map(({ id }) => emulator.store.addContactList({}, [id]));
		const items = [
			{ id: all[0]!.id, list: lists[0]!.id },
			{ phone: 'unlisted', list: lists[1]!.id },
		];
		const node = { onError: 'continueRegularOutput' as const };
		const chosen = locator('={{ $json.list }}');
		const { json } = await sync(lists[0]!, items, {}, { node }, chosen);
		expect(json).toHaveLength(2);
		expect(json[0]!.error).toContain('1 of the items could not be read');
		expect(json[1]!.error).toContain("'Phone Numbers → entry 1' must be a phone number");
		expect(emulator.requests).toEqual([]);
	});

	it('does not take a 404 behind a lost answer for contacts that were removed', async () => {
		const all = contacts(3);
		const list = emulator.store.addContactList({}, idsOf(all));
		const match = ({ method }: { method: string }) => method === 'DELETE';
		for (const status of [503, 404]) emulator.faults.add({ kind: 'status', status, match });
		const { error } = await sync(list, [{ id: all[0]!.id }]);
		expect(error?.message).toContain('404');
		expect(membersOf(list)).toHaveLength(3);
	});

	it('refuses different options for one list', async () => {
		const all = contacts(2);
		const list = emulator.store.addContactList({}, idsOf(all));
		const dryRun = '={{ $itemIndex === 0 }}';
		const items = all.map(({ id }) => ({ id }));
		const { error } = await sync(list, items, { dryRun });
		expect(error?.message).toContain('different options');
		expect(emulator.requests).toEqual([]);
	});

	it('says what was done when the second half fails', async () => {
		const all = contacts(3);
		const list = emulator.store.addContactList({}, idsOf(all.slice(0, 2)));
		const match = ({ method }: { method: string }) => method === 'DELETE';
		emulator.faults.add({ kind: 'status', status: 400, match });
		const { error } = await sync(list, [{ id: all[0]!.id }, { id: all[2]!.id }]);
		expect(error?.message).toContain('1 contact had been sent to be added before');
		expect(membersOf(list)).toEqual(idsOf(all));
	});
});
