import { describe, expect, it } from 'vitest';

import { accountForEachTest, asEntered, fail, named, sent } from '../support/account.ts';
import { testCredential } from '../support/harness.ts';
import { SECOND, stage } from '../support/stage.ts';

accountForEachTest();

const WRONG = { callUnit: 'hours' };

describe('a wrong name', () => {
	it('is told when a node runs, before anything is sent', async () => {
		const { message } = await fail('call.getAll', {}, [{}], named(WRONG));
		expect(message).toContain("a wrong 'Call: Unit of Its Length' under 'Names in This API'");
		expect(sent()).toEqual([]);
	});

	it('is told when the credential is tested', async () => {
		const { status, message } = await testCredential(named(WRONG).credentials);
		expect(status).toBe('Error');
		expect(message).toContain("'Call: Unit of Its Length'");
	});
});

describe('a trigger whose credential gets another name', () => {
	const changed = async (event: string, names: Record<string, string>) => {
		const given = await stage({ event });
		const { poller, store, tick } = given;
		const one = store.addEvent({ status: 'pending' });
		await poller.activate();
		const [before] = Object.values(poller.credentials);
		before!.names = asEntered(names);
		await tick(SECOND);
		store.events.change(one.id, { status: 'approved' });
		store.addCall();
		return (await tick(SECOND)).concat(await tick(SECOND));
	};

	it('goes on if the name changes nothing that is compared', async () => {
		const items = await changed('newCall', { callLength: 'talk_time' });
		expect(items).toHaveLength(1);
		expect(items[0]).not.toHaveProperty('trigger_notice');
	});

	it('starts again from now if the name says what is compared', async () => {
		const items = await changed('eventStatusChanged', { eventState: 'status, phase' });
		expect(items).toEqual([
			expect.objectContaining({ trigger_notice: expect.stringMatching(/started again from now/) }),
		]);
	});
});
