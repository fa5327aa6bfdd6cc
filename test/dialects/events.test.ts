import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { Emulator } from '../emulator/index.ts';
import { active, EVENT_NAMES, EVENTS, MINUTE, SECOND } from '../support/stage.ts';
import { SERVERS } from './servers.ts';
import { ofKind } from './user.ts';

const inStoreWords = (event: string, items: IDataObject[], emulator: Emulator) =>
	ofKind(EVENTS[event]!.kind, items, emulator);

describe.each(SERVERS)('$name', ({ readings }) => {
	it.each(EVENT_NAMES)('%s starts the workflow once', async (event) => {
		const { poller, emulator, tick, happen } = await active(event, undefined, { readings });
		const shown = await happen();
		const items = inStoreWords(event, await tick(), emulator);
		expect(poller.errors).toEqual([]);
		expect(items).toHaveLength(1);
		expect(items[0]).toMatchObject(shown);
		expect(await tick()).toEqual([]);
	});

	// A list that is read from a date on, and one that is read as a whole.
	it.each(['newCall', 'newContact'])(
		'%s: seven at the same time, and later ones, start the workflow once each',
		async (event) => {
			const { happen, poller, tick } = await active(event, {}, { readings });
			const added: unknown[] = [];
			for (const [count, after] of [
				[7, 0],
				[2, 0.3 * SECOND],
				[1, MINUTE],
			] as const) {
				for (let times = 0; times < count; times++) added.push((await happen()).id);
				await tick(after);
			}
			await tick();
			expect(poller.errors).toEqual([]);
			expect(poller.ids.toSorted()).toEqual(added.toSorted());
		},
	);

	it('callReady waits for a summary and a transcript that come later', async () => {
		const waitFor = { waitFor: ['summary', 'transcript'] };
		const { clock, store, tick, poller } = await active('callReady', waitFor, { readings });
		const due = clock.server + 3 * MINUTE;
		const call = store.addCall({}, { summaryAt: due, transcriptAt: due });
		expect(await tick()).toEqual([]);
		const [item] = await tick(3 * MINUTE);
		expect(item).toMatchObject({ ready: true });
		expect(JSON.stringify(item)).toContain(store.summaryOf(call));
		expect(await tick()).toEqual([]);
		expect(poller.errors).toEqual([]);
	});
});
