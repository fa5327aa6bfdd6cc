import { expect, it } from 'vitest';

import { accountForEachTest, emulator, succeed } from '../support/account.ts';

accountForEachTest({ data: 'small' });

it('portal access: a missing entitlement is an answer too, without an error', async () => {
	const { json: refused } = await succeed('portalAccess.get', { portal: 'beauty' });
	expect(refused).toMatchObject([{ operational_access: false }]);
	const { json: granted } = await succeed('portalAccess.get', { portal: 'food' });
	expect(granted).toMatchObject([{ operational_access: true }]);
	expect(granted[0]?.valid_for_seconds).toBeGreaterThan(50);
	expect(granted[0]?.valid_for_seconds).toBeLessThanOrEqual(60);
});

it('a decision that says no time zone is valid until that moment in UTC', async () => {
	const until = new Date(Date.now() + 30_000).toISOString().slice(0, 19);
	const data = { operational_access: true, valid_until: until };
	emulator.faults.add({ kind: 'status', status: 200, body: { ok: true, data } });
	const zone = process.env.TZ;
	process.env.TZ = 'Asia/Tokyo';
	const { json } = await succeed('portalAccess.get', { portal: 'food' }).finally(() => {
		if (zone === undefined) delete process.env.TZ;
		else process.env.TZ = zone;
	});
	expect(json[0]?.valid_for_seconds).toBeGreaterThan(20);
	expect(json[0]?.valid_for_seconds).toBeLessThanOrEqual(30);
});
