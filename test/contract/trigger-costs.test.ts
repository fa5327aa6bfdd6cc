// What docs/trigger.md says of the requests of a poll, and of the number of records that a poll reads.
import type { INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';

import {
	DAY,
	EVENTS,
	MINUTE,
	SECOND,
	stage,
	VALUE_NAMES,
	WHOLE_NAMES,
	type Stage,
} from '../support/stage.ts';

/** An active workflow whose event has happened so many times before. */
async function after(count: number, event: string, more: INodeParameters = {}): Promise<Stage> {
	const { parameters, happen } = EVENTS[event]!;
	const given = await stage({ event, parameters: { ...parameters, ...more } });
	for (let n = 0; n < count; n++) await happen(given);
	await given.poller.activate();
	given.clock.advance(SECOND);
	return given;
}

const costOf = async ({ requestsOf, tick }: Stage) =>
	await requestsOf(async () => void (await tick()));

it.each(['newCall', 'newOrder', 'newTransaction'])(
	'%s: one request for up to 99 records within Look Back, and six for 500',
	async (event) => {
		const given = await after(0, event);
		const make = async (count: number) => {
			for (let n = 0; n < count; n++) await EVENTS[event]!.happen(given);
		};
		await make(99);
		expect(await costOf(given)).toBe(1);
		await make(401);
		expect(await costOf(given)).toBe(6);
		expect(given.poller.items).toHaveLength(500);
	},
);

// Two agents exist from the start.
it.each(WHOLE_NAMES.filter((event) => EVENTS[event]!.path !== '/agents/'))(
	'%s: one request for up to 99 records of the whole list, and one more for each further 99',
	async (event) => {
		expect(await costOf(await after(99, event))).toBe(1);
		expect(await costOf(await after(198, event))).toBe(2);
	},
);

it('agentChanged: one request for the list, and one or five for each agent', async () => {
	// Two agents exist from the start.
	expect(await costOf(await after(9, 'agentChanged'))).toBe(12);
	const watching = await after(9, 'agentChanged', { options: { watchTools: true } });
	expect(await costOf(watching)).toBe(56);
});

it.each(VALUE_NAMES)('%s: one request', async (event) => {
	expect(await costOf(await after(0, event))).toBe(1);
});

it.each([[['summary']], [['transcript', 'summary']]])(
	'callReady: one request for each part (%j) of a call that waits',
	async (waitFor) => {
		const given = await stage({
			event: 'callReady',
			parameters: { waitFor },
		});
		await given.poller.activate();
		given.store.addCall({}, { summaryAt: given.clock.server + DAY });
		expect(await costOf(given)).toBe(1 + waitFor.length);
	},
);

/** The largest bounds take long to fill. */
const bounds: Array<readonly [event: string, most: number]> = [
	['agentChanged', 200],
	...(process.env.WEEKLY
		? ([
				['newContact', 5000],
				['orderStatusChanged', 10_000],
			] as const)
		: []),
];

it.each(bounds)(
	'%s: up to %i records are read, and with more the poll fails and says so',
	async (event, most) => {
		const given = await after(event === 'agentChanged' ? most - 2 : most, event);
		expect(await given.tick()).toEqual([]);
		await EVENTS[event]!.happen(given);
		given.clock.advance(MINUTE);
		expect((await given.poller.failingTick()).message).toMatch(
			new RegExp(`The list has more than ${most} records`),
		);
	},
);
