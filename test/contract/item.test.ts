import type { INodeListSearchResult } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import {
	accountForEachTest,
	asJson as json,
	changeAccount,
	credentials,
	emulator,
	fail,
	run,
	sent,
	succeed,
} from '../support/account.ts';
import { loadOptions } from '../support/harness.ts';
import { locator } from '../support/samples.ts';

accountForEachTest({ data: 'small' });

describe('items of a catalogue', () => {
	it('go into the chosen catalogue; a record that names another is refused', async () => {
		const { id } = emulator.store.addCatalogue();
		const other = emulator.store.addCatalogue();
		const create = async (named: string) =>
			await run('item.create', {
				catalogue_id: locator(id),
				...json({ name: 'Soap', price: 3, catalogue_id: named }),
			});
		const { error } = await create(other.id);
		expect(error?.message).toContain("The field catalogue_id and 'Catalogue' differ");
		expect(sent()).toEqual([]);
		expect((await create(id)).json).toMatchObject([{ catalogue_id: id }]);
	});

	it('with IDs that are numbers: numbers are sent as numbers, and text as text', async () => {
		await changeAccount({ data: 'small', readings: { ids: 'whole number' } });
		const { results } = await loadOptions<INodeListSearchResult>('listSearch', 'searchCatalogues', {
			credentials: credentials(),
		});
		const picked = results[0]?.value as number;
		expect(typeof picked).toBe('number');
		const [one, other] = emulator.store.items.all().map(({ id }) => Number(id));
		emulator.reset();
		const items = `={{ [${one}, "${other}", ${one}] }}`;
		await run('item.assign', { items, catalogue_id: locator(picked) });
		const asText = { items: `${one}, ${other}`, catalogue_id: locator(String(picked)) };
		await run('item.assign', asText);
		const tea = { name: 'Tea', catalogue_id: picked };
		await run('item.create', { catalogue_id: locator(picked), ...json(tea) });
		await run('item.create', { catalogue_id: locator(2 ** 53), ...json({ name: 'Tea' }) });
		expect(emulator.requests.map(({ body }) => body)).toEqual([
			{ item_ids: [one, String(other)], catalogue_id: picked },
			{ item_ids: [String(one), String(other)], catalogue_id: String(picked) },
			tea,
		]);
	});

	it('are created or updated by their SKU, which must match exactly', async () => {
		const { store } = emulator;
		store.addItem({ sku: 'PIZZA-10', name: 'Large', description: 'Not PIZZA-1' });
		const upsert = async (record: object, sku: string | number = 'PIZZA-1') =>
			(await succeed('item.upsert', { sku, ...json(record) })).json[0];
		const created = await upsert({ name: 'Margherita', price: 8 });
		expect(created).toMatchObject({ sku: 'PIZZA-1', name: 'Margherita' });
		expect(sent()).toEqual(['GET /catalogues/items', 'POST /catalogues/items']);
		const count = store.items.size;
		const updated = { id: created?.id, name: 'Margherita', price: 9 };
		expect(await upsert({ price: 9 })).toMatchObject(updated);
		expect(await upsert({})).toMatchObject(updated);
		await upsert({ name: 'Cola', price: 3 }, 4711);
		expect(await upsert({ price: 4 }, '4711')).toMatchObject({ name: 'Cola', price: 4 });
		expect(store.items.size).toBe(count + 1);
	});

	it('are created once if several items have the same new SKU, also with Parallel Writes', async () => {
		const parameters = {
			sku: 'PIZZA-1',
			...json({ name: 'Margherita', price: 8 }),
			options: { writes: 5 },
		};
		const before = emulator.store.items.size;
		await succeed('item.upsert', parameters, [{}, {}, {}]);
		expect(emulator.store.items.size).toBe(before + 1);
	});

	it('are not changed if several have the SKU, or if no field is known to hold it', async () => {
		const items = ['One', 'Two'].map((name) => emulator.store.addItem({ sku: 'TWICE', name }));
		const twice = await fail('item.upsert', { sku: 'TWICE', ...json({ price: 1 }) });
		for (const { id, name } of items) expect(twice.message).toContain(`${name}, ID ${id}`);
		const account = { credentials: credentials(undefined, undefined, { itemSku: 'article' }) };
		const one = { sku: 'TWICE', ...json({ price: 1 }) };
		const unknown = await fail('item.upsert', one, [{}], account);
		expect(unknown.message).toContain("'Item: SKU'");
		const differing = await fail('item.upsert', { sku: 'TWICE', ...json({ sku: 'ONCE' }) });
		expect(differing.message).toContain("The field sku and 'SKU' differ");
		expect(sent().filter((request) => !request.startsWith('GET '))).toEqual([]);
	});

	it('are filtered by any field that the API takes, by all values if one is named twice', async () => {
		const filter = [
			{ name: 'category', value: 'Drinks' },
			{ name: 'category', value: 'Food' },
			{ name: 'max_price', value: 100 },
		];
		await run('item.getAll', { filters: { fieldFilters: { filter } } });
		expect(emulator.requests[0]?.query).toMatchObject({
			category: ['Drinks', 'Food'],
			max_price: '100',
		});
	});
});
