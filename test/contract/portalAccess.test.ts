import { expect, it } from 'vitest';

import { accountForEachTest, emulator, succeed } from '../support/account.ts';

accountForEachTest({ data: 'small' });

it('portal access: a missing entitlement is an answer too, without an error', async () => {
	const { json: refused } = await succeed('portalAccess.get', { portal: 'beauty' });
	expect(refused).toMatchObject([{ operational_access: false }]);
	const { json: granted } = await succeed('portalAccess.get', { portal: 'food' });
	expect(granted).toMatchObject([{ operational_access: true }]);
});

it('the API is up if its health check answers, with whatever data', async () => {
	const body = { ok: true, data: null, error: null, meta: null };
	emulator.faults.add({ kind: 'status', status: 200, body });
	expect((await succeed('health.check')).json).toEqual([{ success: true }]);
});
