import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { EmulatorOptions } from '../emulator/index.ts';
import { accountForEachTest, changeAccount, emulator, run, succeed } from '../support/account.ts';

accountForEachTest({ data: 'empty' });

const restart = async (readings: EmulatorOptions['readings']) =>
	await changeAccount({ data: 'empty', readings });

describe('reading a list to its end', () => {
	/** Does something before the request of this number is answered. */
	const before = (number: number, act: () => void) => {
		let count = 0;
		const match = () => {
			count += 1;
			if (count === number) act();
			return false;
		};
		emulator.faults.add({ kind: 'status', status: 500, match });
	};

	it.each(['total_amount', '-total_amount'])(
		'by %s misses no order whose amount changes meanwhile, while another is deleted [P42]',
		async (sort) => {
			const { orders } = emulator.store;
			for (let at = 0; at < 250; at++) emulator.store.addOrder({ total_amount: 1000 + at });
			const sign = sort.startsWith('-') ? -1 : 1;
			const sorted = orders
				.all()
				.toSorted((one, other) => sign * (one.total_amount - other.total_amount));
			const [first, last] = [sorted[0]!, sorted.at(-1)!];
			before(2, () => {
				orders.change(last.id, { total_amount: sign > 0 ? 1 : 9999 });
				orders.remove(first.id);
			});
			const parameters = { returnAll: true, simplify: false, sort: { sort } };
			const { json } = await succeed('order.getAll', parameters);
			const lasting = sorted.slice(1).map(({ id }) => id);
			const found = json.map(({ id }) => String(id)).filter((id) => id !== first.id);
			expect(found.toSorted()).toEqual(lasting.toSorted());
			const amounts = json.map(({ total_amount: amount }) => Number(amount));
			expect(amounts).toEqual(amounts.toSorted((one, other) => sign * (one - other)));
		},
	);

	it('puts items without a price last, and equal prices newest first', async () => {
		for (const price of [3, null, 2, 3]) emulator.store.addItem({ price: price as number });
		const newest = emulator.store.items.all().toReversed();
		const sort = { sort: '-price' };
		const { json } = await succeed('item.getAll', { returnAll: true, simplify: false, sort });
		expect(json.map(({ price }) => price)).toEqual([3, 3, 2, null]);
		expect(json.slice(0, 2).map(({ id }) => id)).toEqual(
			newest.filter(({ price }) => price === 3).map(({ id }) => id),
		);
	});
});

describe('counting a list', () => {
	const count = async (parameters: INodeParameters = {}) =>
		(await run('order.count', parameters)).json;

	it('takes two requests if the total is right, and reads the list if it is not', async () => {
		const orders = () => {
			for (let at = 0; at < 234; at++) emulator.store.addOrder();
		};
		orders();
		expect(await count()).toEqual([{ count: 234, method: 'total' }]);
		expect(emulator.requests).toHaveLength(2);
		for (const meta of ['estimate', 'absent'] as const) {
			await restart({ meta });
			orders();
			expect(await count()).toEqual([{ count: 234, method: 'counted' }]);
		}
	});

	it('counts what the node itself looks for, and says how many have no date', async () => {
		for (const day of ['2026-10-30', '2026-10-31', '2026-11-01']) {
			emulator.store.addOrder({ created_at: `${day}T10:00:00Z` });
		}
		emulator.store.addOrder({ created_at: 'soon' });
		const filters = { created_before: '2026-11-01T00:00:00Z' };
		expect(await count({ filters })).toEqual([{ count: 2, method: 'counted', without_date: 1 }]);
	});
});
