import { describe, expect, it } from 'vitest';

import {
	accountForEachTest,
	asEntered,
	emulator,
	fail,
	named,
	sent,
	succeed,
} from '../support/account.ts';
import { testCredential } from '../support/harness.ts';
import { locator, october } from '../support/samples.ts';
import { ID } from '../support/server.ts';
import { SECOND, stage } from '../support/stage.ts';

accountForEachTest();

const WRONG = { callUnit: 'hours' };

describe('a wrong name', () => {
	it('is told when a node runs, before anything is sent', async () => {
		const { message } = await fail('call.getAll', {}, [{}], named(WRONG));
		expect(message).toContain("a wrong 'Call: Unit of Length' under 'Names in This API'");
		expect(sent()).toEqual([]);
	});

	it('is told when the credential is tested', async () => {
		const { status, message } = await testCredential(named(WRONG).credentials);
		expect(status).toBe('Error');
		expect(message).toContain("'Call: Unit of Length'");
	});
});

/** An account that shows what belongs to a call inside of other fields. */
const nestedNames = () =>
	named({
		callAgent: 'by.agent',
		callLength: 'times.talk',
		callNumber: 'to.number',
		callStatus: 'state.now',
		callTask: 'by.task',
	});

/** A call of that account, with what it has. */
const nested = <T extends object>(call: T, over: object = {}): T =>
	Object.assign(call, {
		...{ agent_id: undefined, duration_seconds: undefined, phone_number: undefined },
		...{ call_status: undefined, task_id: undefined, from_number: undefined },
		state: { now: 'Completed' },
		times: { talk: 90 },
		to: { number: '+390612345678' },
		by: { agent: ID, task: 'task-1' },
		...over,
	});

const within = { created_at: '2026-10-05T10:00:00Z' };

describe('a name with a dot leads into a field', () => {
	it('in statistics and filters', async () => {
		nested(emulator.store.addCall(within), { state: { now: 'Busy' } });
		nested(emulator.store.addCall(within), { by: { agent: null } });
		nested(emulator.store.addCall(within), { to: { number: '+390612345679' } });
		nested(emulator.store.addCall(within));
		const filters = { agent_id: locator(ID), phone_number: '+390612345678' };
		const statuses = { call_status: ['Completed', 'Voicemail'] };
		const given = { ...october, filters: { ...filters, ...statuses } };
		const { json } = await succeed('call.getStatistics', given, [{}], nestedNames());
		expect(json).toMatchObject([{ calls: 1, completed: 1, minutes: 1.5 }]);
		const found = await succeed('call.getAll', { filters: given.filters }, [{}], nestedNames());
		expect(found.json).toHaveLength(1);
	});

	it('in the trigger', async () => {
		const { poller, store, tick } = await stage({ event: 'newCall' });
		const [credential] = Object.values(poller.credentials);
		credential!.names = asEntered({ callStatus: 'state.now' });
		await poller.activate();
		nested(store.addCall(), { state: { now: 'In Progress' } });
		const { id } = nested(store.addCall());
		expect(await tick(SECOND)).toMatchObject([{ id }]);
	});
});

it('a trigger whose credential gets another name goes on', async () => {
	const { poller, store, tick } = await stage({ event: 'newCall' });
	await poller.activate();
	const [credential] = Object.values(poller.credentials);
	credential!.names = asEntered({ callLength: 'talk_time' });
	await tick(SECOND);
	store.addCall();
	const items = await tick(SECOND);
	expect(items).toHaveLength(1);
	expect(items[0]).not.toHaveProperty('trigger_notice');
});
