import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { accountInTime, clock, emulator, fail, succeed } from '../support/account.ts';
import { DAY } from '../support/stage.ts';

accountInTime();

const day = (ahead: number) => clock.iso(-ahead * DAY).slice(0, 10);

describe('events', () => {
	it('come one by one with their date, or grouped by it', async () => {
		for (const ahead of [1, 1, 2, 3, 3]) emulator.store.addEvent({ date: day(ahead) });
		const { json: flat } = await succeed('event.getAll', { returnAll: true, simplify: false });
		const { json: groups } = await succeed('event.getAll', { returnAll: true, group: true });
		expect(flat).toHaveLength(5);
		expect(groups.map(({ date }) => date).sort()).toEqual([1, 2, 3].map(day));
		expect(groups.flatMap(({ events }) => events)).toEqual(flat);
		for (const { date, events } of groups) {
			expect((events as IDataObject[]).every((event) => event.date === date)).toBe(true);
		}
	});

	it('of a period and a status are found before the limit counts, one by one or grouped', async () => {
		const add = (ahead: number, status: 'pending' | 'rejected') =>
			emulator.store.addEvent({ date: day(ahead), status }).id;
		const [today, tomorrow, later] = [add(0, 'pending'), add(1, 'pending'), add(2, 'pending')];
		add(2, 'rejected');
		add(9, 'pending');
		const filters = { period: 'next7Days', status: 'Pending' };
		const many = async (more: INodeParameters) =>
			(await succeed('event.getAll', { limit: 1, filters, ...more })).json;
		expect((await many({})).map(({ id }) => id)).toEqual([tomorrow]);
		const groups = await many({ limit: 5, group: true });
		expect(groups).toMatchObject([
			{ date: day(1), events: [{ id: tomorrow }] },
			{ date: day(2), events: [{ id: later }] },
		]);
		const bound = { from: `${day(0)}T12:00:00Z`, until: `${day(1)}T00:00:00Z` };
		expect((await many({ filters: bound })).map(({ id }) => id)).toEqual([today]);
		const both = await fail('event.getAll', { filters: { ...bound, period: 'today' } });
		expect(both.message).toContain('has bounds of its own');
	});

	it('grouped by date come in whole groups, which the limit counts', async () => {
		for (let at = 0; at < 450; at++) emulator.store.addEvent({ date: day(at % 3) });
		const { json: all } = await succeed('event.getAll', { returnAll: true, group: true });
		expect(all.map(({ events }) => (events as object[]).length)).toEqual([150, 150, 150]);
		const { json: groups } = await succeed('event.getAll', { limit: 2, group: true });
		expect(groups).toEqual(all.slice(0, 2));
	});
});
