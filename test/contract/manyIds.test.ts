import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { accountForEachTest, emulator, fail, succeed } from '../support/account.ts';
import { locator } from '../support/samples.ts';

accountForEachTest({ data: 'empty' });

describe('hundreds of IDs in one item', () => {
	const COUNT = 203;

	const cases: Array<[string, (ids: string[]) => INodeParameters, what: string]> = [
		[
			'contactList.addContacts',
			(ids) => ({
				contact_list_id: locator(emulator.store.addContactList().id),
				contact_ids: ids.join(','),
			}),
			'contacts',
		],
		[
			'contactList.removeContacts',
			(ids) => ({
				contact_list_id: locator(emulator.store.addContactList({}, ids).id),
				contact_ids: JSON.stringify(ids),
			}),
			'contacts',
		],
		['item.unassign', (ids) => ({ items: ids.join(',') }), 'items'],
		[
			'item.assign',
			(ids) => ({
				items: ids.join(','),
				catalogue_id: locator(emulator.store.addCatalogue({ name: 'Menu' }).id),
			}),
			'items',
		],
	];

	const idsFor = (what: string) =>
		Array.from(
			{ length: COUNT },
			() => (what === 'contacts' ? emulator.store.addContact() : emulator.store.addItem()).id,
		).sort();

	/** The IDs of each request. */
	const parts = () =>
		emulator.requests.map(({ body }) => Object.values(body as object)[0] as string[]);
	const sizes = () => parts().map(({ length }) => length);

	it.each(cases)('%s splits them', async (name, parameters, what) => {
		const ids = idsFor(what);
		expect((await succeed(name, parameters(ids))).json).toHaveLength(3);
		expect(sizes()).toEqual([100, 100, 3]);
		expect(parts().flat().sort()).toEqual(ids);
	});

	it.each(cases)('%s says what was done when one fails', async (name, parameters, what) => {
		const given = parameters(idsFor(what));
		emulator.faults.add({ kind: 'status', status: 400, skip: 1 });
		expect((await fail(name, given)).message).toContain(
			`100 of ${COUNT} ${what} were handled before`,
		);
		expect(emulator.requests).toHaveLength(2);
	});
});
