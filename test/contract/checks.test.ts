import type { INodeParameters } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { changeAccount, emulator, run, sent } from '../support/account.ts';
import { Clock } from '../support/clock.ts';
import { locator } from '../support/samples.ts';
import { sleepOn } from '../support/sleep.ts';
import { MINUTE } from '../support/stage.ts';

const NUMBER = '+393331234500';

let clock: Clock;
let giveBackSleep = () => {};

beforeEach(async () => {
	clock = new Clock();
	await changeAccount({ data: 'empty', now: () => clock.server });
	emulator.store.addAgent('outbound');
	emulator.store.verifiedNumbers.add(NUMBER);
	giveBackSleep = sleepOn(clock);
});

afterEach(async () => {
	giveBackSleep();
	clock.thaw();
	await emulator.close();
});

describe('Make Test Call with Checks', () => {
	const call = async (checks: INodeParameters, item = {}) =>
		await run(
			'playground.makeTestCall',
			{
				agent_id: locator(emulator.store.agents.all()[0]!.id),
				phone_number: NUMBER,
				waitForResult: true,
				checks,
			},
			[item],
		);

	test('says whether the call passed, and waits for what the checks look at', async () => {
		emulator.store.testCallCourse = { endsAfter: MINUTE, transcriptAfter: 3 * MINUTE };
		const checks = { agentMustSay: 'trattoria AURORA', expectedStatus: 'Completed' };
		const { json } = await call(checks);
		expect(json[0]).toMatchObject({ passed: true, failed_checks: '', score: 1, result: 'ended' });
		expect(json[0]).toMatchObject({ call: { transcript: expect.anything() } });

		const wrong = { agentMustSay: 'Aurora\nno such words', maxSeconds: '9999' };
		const { json: failed } = await call(wrong);
		expect(failed[0]).toMatchObject({
			passed: false,
			failed_checks: 'The agent did not say "no such words".',
			explanation: 'The call ended: Completed. The agent did not say "no such words".',
		});
	});

	test('a call that nobody answered, or whose result is not known, has not passed', async () => {
		emulator.store.testCallCourse = {
			endsAfter: MINUTE,
			status: 'Not Answered',
			transcriptAfter: Infinity,
		};
		const unanswered = await call({ agentMustNotSay: 'I do not know' });
		expect(unanswered.json[0]).toMatchObject({
			result: 'ended',
			passed: false,
			failed_checks: 'The call ended as Not Answered, so nothing was said.',
		});
		emulator.store.testCallCourse = null;
		const { json } = await call({ expectedStatus: 'Completed' });
		expect(json[0]).toMatchObject({ result: 'notFound', passed: false });
		expect(json[0]!.failed_checks).toBe(json[0]!.explanation);
	});

	test('a blank check, as an empty cell of a table, is none', async () => {
		emulator.store.testCallCourse = { endsAfter: MINUTE };
		const cells = { must_say: null, must_not_say: '', status: ' ', most: null };
		const checks = {
			agentMustSay: '={{ $json.must_say }}',
			agentMustNotSay: '={{ $json.must_not_say }}',
			expectedStatus: '={{ $json.status }}',
			maxSeconds: '={{ $json.most }}',
			callerMustSay: '={{ $json.missing }}',
			summaryMustContain: "={{ ''.split(';') }}",
		};
		const { json, error } = await call(checks, cells);
		expect(error).toBeUndefined();
		expect(json[0]).toMatchObject({ passed: null, failed_checks: '' });
		expect(json[0]!.explanation).toMatch(/ so nothing was checked\.$/);
	});

	test('checks that contradict each other place no call', async () => {
		const same = await call({ agentMustSay: 'x', agentMustNotSay: 'x' });
		expect(same.error?.message).toContain("has a text that is also in 'Agent Must Say'");
		const { error } = await call({ minSeconds: 20, maxSeconds: 10 });
		expect(error?.message).toContain("'Checks → Max Seconds' must not be less than 'Min Seconds'");
		expect(sent()).toEqual([]);
	});
});

describe('Call: Check', () => {
	const check = async (call_id: string, checks: INodeParameters) =>
		await run('call.check', { call_id: locator(call_id), checks });

	test('checks any call by its ID, and reads only what it needs', async () => {
		const turns = [
			{ role: 'agent' as const, text: 'We are closed.', at_seconds: 1 },
			{ role: 'caller' as const, text: 'Thank you.', at_seconds: 4 },
		];
		const { id } = emulator.store.addCall({ call_status: 'Completed' }, { turns });
		const { json } = await check(id, { agentMustSay: ['we are CLOSED', 'Sunday'] as never });
		expect(json).toEqual([
			{
				passed: false,
				failed_checks: 'The agent did not say "Sunday".',
				failed_check_count: 1,
				score: 0.5,
				call: expect.objectContaining({ id, transcript: expect.anything() }),
			},
		]);
		const path = `/call-history/${id}`;
		expect(sent()).toEqual([`GET ${path}`, `GET ${path}/transcript`]);
	});

	test('without a check it refuses to say that all is well', async () => {
		const { error } = await check('1', {});
		expect(error?.message).toContain("'Checks' must have at least one check");
	});
});
