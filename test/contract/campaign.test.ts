import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { accountInTime, clock, emulator, fail, restart, run, sent } from '../support/account.ts';
import { locator } from '../support/samples.ts';
import { MINUTE, SECOND } from '../support/stage.ts';

accountInTime();

it.each([
	['start', 'running', 'started'],
	['pause', 'draft', 'paused'],
	['resume', 'running', 'resumed'],
	['stop', 'completed', 'stopped'],
] as const)('%s of a campaign that is %s fails, with advice', async (move, status, done) => {
	const { id } = emulator.store.addCampaign({ status });
	const error = await fail(`campaign.${move}`, { campaign_id: locator(id) });
	expect(error.httpCode).toBe('400');
	expect(error.message).toContain(`The campaign may not be ${done} in its current status: `);
	expect(error.message).toContain(`cannot ${move} a campaign that is ${status}`);
	expect(sent()).toHaveLength(1);
});

describe('Wait for Completion', () => {
	/** Waits for a campaign that runs for this time: its counters move, and then its state is final. */
	async function waitFor(ms: number, parameters: INodeParameters = {}, rest = {}) {
		const list = emulator.store.addContactList();
		const ids = { agent_id: emulator.store.addAgent('outbound').id, contact_list_id: list.id };
		const { id } = emulator.store.addCampaign({ ...ids, status: 'running', contacted: 0 });
		const until = clock.server + ms;
		emulator.before(() => {
			const contacted = Math.floor((Math.min(clock.server, until) - until) / SECOND) + 10_000;
			const status = clock.server >= until ? 'completed' : 'running';
			emulator.store.campaigns.change(id, { contacted, status });
		});
		const given = { campaign_id: locator(id), ...parameters };
		const { json } = await run('campaign.waitForCompletion', given, [{}], rest);
		return { outcome: json[0]!, late: clock.server - until };
	}

	it('ends with a final state, in any spelling', async () => {
		await restart({ readings: { campaignStates: 'upper case' } });
		const { outcome, late } = await waitFor(2 * MINUTE);
		const explanation = 'The campaign has ended: its state is COMPLETED.';
		expect(outcome).toMatchObject({ result: 'finished', explanation });
		expect(late).toBeLessThan(20 * SECOND);
	});

	it.each(['flat', 'nested'] as const)('ends when its counters (%s) stop moving', async (how) => {
		await restart({ readings: { campaignStates: 'other words', campaignCounters: how } });
		const { outcome, late } = await waitFor(2 * MINUTE, { options: { unchangedFor: 3 } });
		const explanation =
			'Neither its state nor a counter has moved for 3 minutes; its state is is_completed.';
		expect(outcome).toMatchObject({ result: 'unchanged', explanation });
		expect(late).toBeGreaterThanOrEqual(3 * MINUTE);
	});
});
