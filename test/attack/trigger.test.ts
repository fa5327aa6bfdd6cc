import { describe, expect, it } from 'vitest';

import { ENVELOPES, RECORDS } from './answers.ts';
import {
	clock,
	expectAwake,
	expectClear,
	longestTurn,
	some,
	tryEach,
	whereIsKey,
} from './attack.ts';
import { pollerFor } from './hosts.ts';
import { isList, record, send, serverForTests, tame, type Answer } from './server.ts';
import { TRIGGERS } from './targets.ts';

const api = serverForTests();

const eventOf = ({ event }: { event?: unknown }) => event as string;
/** Characters that a trigger may keep for these small accounts, with the copy. n8n rewrites them with each poll. */
const STATE = 550_000;

const messagesOf = (errors: Array<Error & { description?: string }>) =>
	errors.flatMap(({ message, description }) => [message, description ?? '']);

/** An answer whose lists hold these records. */
const lists =
	(recordsOf: () => unknown[]): Answer =>
	(asked, response) => {
		const all = recordsOf();
		const [limit, offset] = ['limit', 'offset'].map((name) => Number(asked.query.get(name)));
		const data = all.slice(offset, offset! + limit!);
		if (isList(asked)) send(response, { ok: true, data, meta: { total_items: all.length } });
		else
			send(response, {
				ok: true,
				data:
					all.find((one) => asked.path.includes((one as { id: string }).id)) ?? record(asked.path),
			});
	};

it.each(TRIGGERS.map((parameters, at) => [eventOf(parameters), parameters, at] as const))(
	'%s goes on, whatever the API answers to one poll',
	async (_event, parameters, at) => {
		const answers = [...some(ENVELOPES, at, 5), ...some(RECORDS, at, 6)];
		const poller = pollerFor(api, { parameters });
		await poller.activate();
		await tryEach(
			answers,
			({ name }) => name,
			async ({ answer }) => {
				api.answer = answer;
				expectAwake(await longestTurn(async () => await poller.tick()));
				api.answer = tame;
				await poller.tick();
				const failed = poller.errors.length;
				await poller.tick();
				const { errors, items, warnings, known } = poller;
				expect(errors.length, messagesOf(errors).join()).toBe(failed);
				expect(known.length, 'what it keeps').toBeLessThan(STATE);
				expectClear(messagesOf(errors));
				expect(whereIsKey({ errors, items, warnings, known })).toBeUndefined();
			},
		);
	},
);

describe('what a trigger keeps stays small', () => {
	it.each([
		'orderStatusChanged',
		'contactChanged',
		'newCall',
		'newOrder',
		'agentChanged',
		'callReady',
	])('with 20 records that change with each poll, and 5 items a poll (%s)', async (event) => {
		let poll = 0;
		const statuses = ['pending', 'confirmed', 'completed', 'refused', 'cancelled'];
		const one = (at: number) =>
			record('', {
				id: `id-${at}`,
				name: `n${poll}`,
				first_message: `n${poll}`,
				status: statuses[poll % 5],
			});
		const all = () => Array.from({ length: 20 }, (_, at) => one(at));
		api.answer = lists(all);
		const poller = pollerFor(api, {
			parameters: { event, options: { pollLimit: 5 } },
			budgetMs: 60_000,
		});
		await poller.activate();
		const sizes: number[] = [];
		for (poll = 1; poll <= 20; poll++) {
			await poller.tick();
			clock.advance(60_000);
			sizes.push(poller.known.length);
		}
		const [early, late] = [sizes.slice(0, 10), sizes.slice(10)].map((part) => Math.max(...part));
		expect(late, sizes.join()).toBeLessThan(early! * 1.5);
	});
});

it.each(['activate', 'update'] as const)(
	'a workflow that ran before can be published while the API is down (%s)',
	async (mode) => {
		await tryEach(TRIGGERS, eventOf, async (parameters) => {
			api.answer = tame;
			// With less time than this, 'update' means a poll of n8n's scheduler.
			const poller = pollerFor(api, { parameters, budgetMs: 300_000 });
			await poller.activate();
			poller.deactivate();
			api.answer = (_asked, response) => send(response, '', 503);
			expect(await poller.activate(mode)).toEqual([]);
			expect(poller.warnings).toHaveLength(1);
			api.answer = tame;
			await poller.tick();
			expect(poller.errors).toEqual([]);
		});
	},
);
