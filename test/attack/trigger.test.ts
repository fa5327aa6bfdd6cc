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
import { NOT_TEXT, wide } from './values.ts';

const api = serverForTests();

const isObject = (value: unknown) =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

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
		// Moves of orders that the limit holds back wait in the state and in its copy: 15 of each poll. There
		// are never more than 1,000, which watching.test shows.
		const move = JSON.stringify(['id-19', 'confirmed', 'completed']).length + 1;
		const waiting = event === 'orderStatusChanged' ? 2 * 20 * 15 * move : 0;
		expect(late, sizes.join()).toBeLessThan(early! * 1.5 + waiting);
	});

	it.each([
		['long prompts', (size: number) => ({ prompt_instructions: 'a b'.repeat(size / 3) })],
		['many settings', (size: number) => wide(size / 10)],
		['many settings with long texts', (size: number) => wide(size / 100, 'a'.repeat(100))],
	])('with 50 agents that have %s', async (_what, settings) => {
		const size = async (length: number) => {
			api.answer = lists(() =>
				Array.from({ length: 50 }, (_, at) => record('', { id: `id-${at}`, ...settings(length) })),
			);
			const poller = pollerFor(api, { parameters: { event: 'agentChanged' }, budgetMs: 60_000 });
			const told = await poller.activate().catch(({ message }: Error) => message);
			if (poller.isActive) await poller.tick();
			else expect(told).toMatch(/too many settings .* 'Ignore Fields'/);
			return poller.known.length;
		};
		expect(await size(18_000)).toBeLessThan(STATE);
	});
});

describe('what n8n has stored', () => {
	/** The data with another value in one place, for each of its places. */
	const spoilt = (held: unknown, value: unknown): unknown[] => {
		if (Array.isArray(held)) {
			return held
				.slice(0, 1)
				.flatMap((entry, at) => [
					held.with(at, value),
					...spoilt(entry, value).map((inner) => held.with(at, inner)),
				]);
		}
		if (typeof held !== 'object' || held === null) return [];
		return Object.entries(held).flatMap(([name, inner]: [string, unknown]) => [
			{ ...held, [name]: value },
			...spoilt(inner, value).map((other) => ({ ...held, [name]: other })),
		]);
	};

	/** One event for each kind of state. The other events keep theirs in the same way. */
	const KINDS = ['callReady', 'orderStatusChanged', 'agentChanged', 'lowBalance'];
	const kinds = TRIGGERS.filter((parameters) => KINDS.includes(eventOf(parameters)));

	it.each(kinds.map((parameters, at) => [eventOf(parameters), parameters, at] as const))(
		'may be anything (%s)',
		async (_event, parameters, at) => {
			const poller = pollerFor(api, { parameters });
			await poller.activate();
			const { global, ...own } = poller.staticData;
			const states = [null, ...some(NOT_TEXT, at, 2)].flatMap((value) => [
				...spoilt(own, value).map((state) => JSON.stringify({ global, ...(state as object) })),
				JSON.stringify({ ...own, global: value }),
				...spoilt(global, value).map((state) => JSON.stringify({ global: state })),
			]);
			await tryEach(
				states,
				(state) => state.slice(0, 500),
				async (staticData) => {
					const again = pollerFor(api, { parameters });
					again.saved = { staticData };
					await again.activate('init');
					await again.tick();
					await again.tick();
					const said = [...messagesOf(again.errors), ...again.warnings];
					expectClear(said);
					// It starts again and says so, or the value changes nothing. Without the place of the
					// node's own data nothing can be stored, and the user is told.
					const told = again.errors.filter(({ message }) => !/started again/.test(message));
					const { 'node:YK Voice Trigger': held = {} } = JSON.parse(staticData) as Record<
						string,
						unknown
					>;
					const isWithout = !isObject(held);
					expect(
						told.every(({ message }) => isWithout && /cannot store/.test(message)),
						said.join(),
					).toBe(true);
				},
			);
		},
	);
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

describe('a clock that is wrong for a time', () => {
	const HOUR = 3_600_000;
	const YEAR = 8760 * HOUR;

	/** An account whose server has a clock of its own. */
	function account() {
		const calls: Array<{ id: string; created_at: string; call_status: string }> = [];
		const server = { ahead: 0 };
		const now = () => Date.now() + server.ahead;
		const call = () =>
			void calls.push({
				id: `call-${calls.length}`,
				created_at: new Date(now()).toISOString(),
				call_status: 'Completed',
			});
		api.answer = (asked, response) => {
			const [limit, offset] = ['limit', 'offset'].map((name) => Number(asked.query.get(name)));
			const after = Date.parse(asked.query.get('created_after') ?? '1970-01-01T00:00:00Z');
			const found = calls.filter((one) => Date.parse(one.created_at) >= after).reverse();
			const data = found.slice(offset, offset! + limit!);
			response.setHeader('date', new Date(now()).toUTCString());
			send(response, { ok: true, data, meta: { total_items: found.length } });
		};
		const poller = pollerFor(api, { parameters: { event: 'newCall' } });
		/** Makes a call, and polls a minute later. */
		const next = async () => {
			call();
			clock.advance(60_000);
			return (await poller.tick()).map(({ id }) => id);
		};
		return { server, call, poller, next };
	}

	it.each([10 * YEAR, 6 * HOUR, -6 * HOUR, -YEAR])(
		'loses no call if the server is %d ms ahead at the activation [P7]',
		async (ahead) => {
			const { server, call, poller, next } = account();
			call();
			server.ahead = ahead;
			await poller.activate();
			server.ahead = 0;
			for (const id of ['call-1', 'call-2', 'call-3']) expect(await next()).toEqual([id]);
		},
	);

	it('loses no call if the server dates one of them a year ahead [P7]', async () => {
		const { server, poller, next } = account();
		await poller.activate();
		expect(await next()).toEqual(['call-0']);
		server.ahead = YEAR;
		expect(await next()).toEqual(['call-1']);
		server.ahead = 0;
		for (const id of ['call-2', 'call-3']) expect(await next()).toEqual([id]);
	});

	it('says that records may be missing if both clocks were ahead [P9]', async () => {
		const { poller, next } = account();
		clock.advance(YEAR);
		await poller.activate();
		clock.advance(-YEAR);
		expect(await next()).toEqual([]);
		expect(await next()).toEqual(['call-1']);
		const said = [messagesOf(poller.errors), poller.items.at(-1)?.trigger_notice];
		expect(said.join()).toMatch(/started again from now, .*a clock was wrong/);
	});
});
