import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { Emulator } from '../emulator/index.ts';
import { understood } from '../emulator/wire.ts';
import {
	EVENT_NAMES,
	EVENTS,
	LIST_NAMES,
	MINUTE,
	SECOND,
	stage,
	WHOLE_NAMES,
} from '../support/stage.ts';
import { SERVERS } from './servers.ts';

const inStoreWords = (event: string, items: IDataObject[], { readings }: Emulator) =>
	items.map((item) => understood(EVENTS[event]!.kind, item, readings) as IDataObject);

describe.each(SERVERS)('$name', ({ readings }) => {
	it.each(EVENT_NAMES)('%s starts the workflow once', async (event) => {
		const { parameters, happen } = EVENTS[event]!;
		const given = await stage({ event, parameters, readings });
		const { poller, clock, emulator, tick } = given;
		await poller.activate();
		clock.advance(SECOND);
		const shown = await happen(given);
		const items = inStoreWords(event, await tick(), emulator);
		expect(poller.errors).toEqual([]);
		expect(items).toHaveLength(1);
		expect(items[0]).toMatchObject(shown);
		expect(await tick()).toEqual([]);
	});

	it.each([...LIST_NAMES, ...WHOLE_NAMES])(
		'%s: seven at the same time, and later ones, start the workflow once each',
		async (event) => {
			const { parameters, happen } = EVENTS[event]!;
			const given = await stage({ event, parameters, readings });
			const { poller, clock, tick } = given;
			const add = async () => String((await happen(given)).id);
			for (let before = 0; before < 4; before++) await add();
			await poller.activate();
			clock.advance(1.5 * SECOND);
			const added: string[] = [];
			for (const [count, after] of [
				[7, 0],
				[2, 0.3 * SECOND],
				[1, MINUTE],
			] as const) {
				for (let one = 0; one < count; one++) added.push(await add());
				await tick(after);
			}
			await tick();
			expect(poller.errors).toEqual([]);
			// A membership has an ID of its own.
			const ids = poller.ids.map((id) => id.replace(/^member-/, ''));
			expect(ids.toSorted()).toEqual(added.toSorted());
		},
	);

	it('eventChanged: a change of what an event shows, and of its day', async () => {
		const given = await stage({ event: 'eventChanged', readings });
		const { poller, store, tick, emulator } = given;
		const events = ['2027-03-01', '2027-03-01', '2027-03-02'].map((date) =>
			store.addEvent({ date, status: 'pending' }),
		);
		await poller.activate();
		for (const changed of [
			{ title: 'Table for six' },
			{ date: '2027-03-02' },
			{ date: '2027-04-01' },
			{ status: 'approved' },
		] as const) {
			const { id } = events[0]!;
			store.events.change(id, changed);
			const items = inStoreWords('eventChanged', await tick(), emulator);
			expect(items).toMatchObject([{ id, change: 'changed', ...changed }]);
		}
		expect(await tick()).toEqual([]);
		expect(poller.errors).toEqual([]);
	});

	it('callReady: waits for a summary and transcript that come later', async () => {
		const given = await stage({
			event: 'callReady',
			parameters: { waitFor: ['summary', 'transcript'] },
			readings,
		});
		const { poller, clock, store, tick } = given;
		await poller.activate();
		clock.advance(SECOND);
		const due = clock.server + 3 * MINUTE;
		const late = store.addCall({}, { summaryAt: due, transcriptAt: due });
		const running = store.addCall({ call_status: 'In Progress' });
		const first = await tick();
		expect(poller.errors).toEqual([]);
		expect(first).toEqual([]);
		store.calls.change(running.id, { call_status: 'Completed' });
		const second = await tick();
		expect(second.map(({ id }) => String(id))).toEqual([running.id]);
		const [third] = await tick(3 * MINUTE);
		expect(String(third?.id)).toBe(late.id);
		expect(third).toMatchObject({ ready: true });
		expect(JSON.stringify(third)).toContain(store.summaryOf(late));
		await tick();
		expect(poller.ids).toHaveLength(2);
	});
});
