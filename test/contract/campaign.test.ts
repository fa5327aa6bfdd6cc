import { expect, it } from 'vitest';

import { accountForEachTest, emulator, fail, sent } from '../support/account.ts';
import { locator } from '../support/samples.ts';

accountForEachTest({ data: 'small' });

it.each([
	['start', 'running', 'started'],
	['pause', 'draft', 'paused'],
	['resume', 'running', 'resumed'],
	['stop', 'completed', 'stopped'],
])('%s of a campaign that is %s fails, with advice', async (move, status, done) => {
	const { id } = emulator.store.campaigns.find((campaign) => campaign.status === status)!;
	const error = await fail(`campaign.${move}`, { campaign_id: locator(id) });
	expect(error.httpCode).toBe('400');
	expect(error.message).toContain(`The campaign may not be ${done} in its current status: `);
	expect(error.message).toContain(`cannot ${move} a campaign that is ${status}`);
	expect(sent()).toHaveLength(1);
});
