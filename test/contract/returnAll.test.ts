import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { EmulatorOptions } from '../emulator/index.ts';
import { accountForEachTest, changeAccount, emulator, run } from '../support/account.ts';

accountForEachTest({ data: 'empty' });

const restart = async (readings: EmulatorOptions['readings']) =>
	await changeAccount({ data: 'empty', readings });

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
