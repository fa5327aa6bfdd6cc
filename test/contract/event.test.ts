import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { accountForEachTest, emulator, fail, succeed } from '../support/account.ts';

accountForEachTest({ data: 'small' });

describe('events', () => {
	it('come one by one with their date, or grouped by it', async () => {
		const { json: flat } = await succeed('event.getAll', { returnAll: true });
		const { json: groups } = await succeed('event.getAll', { returnAll: true, group: true });
		expect(flat).toHaveLength(emulator.store.events.size);
		expect(new Set(groups.map(({ date }) => date)).size).toBe(groups.length);
		expect(groups.flatMap(({ events }) => events)).toEqual(flat);
		for (const { date, events } of groups) {
			expect((events as IDataObject[]).every((event) => event.date === date)).toBe(true);
		}
	});

	it('of a period and a status are found before the limit counts, one by one or grouped', async () => {
		const day = (ahead: number) =>
			new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
		const add = (ahead: number, status: 'pending' | 'rejected') =>
			emulator.store.addEvent({ date: day(ahead), status }).id;
		emulator.store.events.all().forEach(({ id }) => emulator.store.events.remove(id));
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
		for (let index = 0; index < 450; index++) {
			emulator.store.addEvent({ date: `2030-01-0${1 + (index % 3)}` });
		}
		const { json: all } = await succeed('event.getAll', { returnAll: true, group: true });
		expect(all.filter(({ date }) => String(date) >= '2030')).toHaveLength(3);
		const { json: groups } = await succeed('event.getAll', { limit: 3, group: true });
		expect(groups).toEqual(all.slice(0, 3));
	});
});
