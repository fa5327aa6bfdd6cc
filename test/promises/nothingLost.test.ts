import { describe, expect, it } from 'vitest';

import type { FaultKind } from '../emulator/index.ts';
import { credentials, run } from '../support/account.ts';
import { ENGINES } from '../support/poller.ts';
import { apiForTests, half, isList, record, send, tame, type Answer } from '../support/server.ts';
import { EVENT_NAMES, EVENTS, stage } from '../support/stage.ts';
import { TARGETS, tryEach, type Target } from './lab.ts';

/** Polls that fail. A broken connection takes longer, because a poll tries again. */
const FAULTS: FaultKind[] = [
	{ kind: 'status', status: 500 },
	{ kind: 'html' },
	{ kind: 'wrong-data' },
	{ kind: 'ok-false' },
	{ kind: 'status', status: 401 },
	{ kind: 'no-data' },
];

describe('3. The trigger loses and doubles nothing', () => {
	it.each(EVENT_NAMES.map((event, at) => [event, FAULTS[at % FAULTS.length]!, at] as const))(
		'%s, if polls fail and n8n starts again',
		async (event, fault, at) => {
			const engine = ENGINES[at % ENGINES.length]!;
			const { parameters, happen } = EVENTS[event]!;
			const here = await stage({ event, parameters, engine });
			const { poller, emulator, tick } = here;
			await poller.activate();

			const first = await happen(here);
			emulator.faults.add({ ...fault, times: Infinity });
			await tick();
			await tick();
			emulator.faults.clear();
			expect(poller.errors.length + poller.warnings.length).toBeGreaterThan(0);
			await tick();
			await tick();
			expect(poller.items).toEqual([expect.objectContaining(first)]);

			await poller.restart();
			await tick();
			expect(poller.items).toHaveLength(1);
			const second = await happen(here);
			await tick();
			await tick();
			expect(poller.items).toEqual([first, second].map((shown) => expect.objectContaining(shown)));
		},
	);

	it.each(['newCall', 'newOrder', 'newTransaction', 'newContact'])(
		'%s, if records are added while the list is read',
		async (event) => {
			const here = await stage({ event });
			const { poller, emulator, tick } = here;
			await poller.activate();
			const made: unknown[] = [];
			const add = async () => void made.push((await EVENTS[event]!.happen(here)).id);
			for (let count = 0; count < 250; count++) await add();
			const end = emulator.before(add);
			await tick();
			await tick();
			end();
			await tick();
			await tick();
			expect(made.length).toBeGreaterThan(254);
			expect(poller.ids.sort()).toEqual(made.sort());
		},
	);
});

/** What comes in place of the second page of a list. */
const BREAKS: Readonly<Record<string, Answer>> = {
	'an error': (_asked, response) => send(response, { ok: false, error: { code: 'A' } }, 500),
	'no answer': (_asked, response) => void response.destroy(),
	'half an answer': half,
	'a page': (_asked, response) => send(response, '<p>no</p>'),
	'a record': (asked, response) => send(response, { ok: true, data: record(asked) }),
	'no data': (_asked, response) => send(response, { ok: true }),
};

describe('3. A list that cannot be read to its end is an error, never a short list', () => {
	const api = apiForTests();

	/** A list of several pages. */
	const pages =
		(next: Answer): Answer =>
		(asked, response) => {
			if (!isList(asked)) return void tame(asked, response);
			const [limit, offset] = ['limit', 'offset'].map((name) => Number(asked.query.get(name)));
			if (offset! > 0) return void next(asked, response);
			const data = Array.from({ length: limit! }, (_, at) => record(asked, { id: `id-${at}` }));
			send(response, { ok: true, data, meta: { limit, offset, total_items: 250 } });
		};

	/** What an operation gives, and whether its list broke. A request of an earlier one does not count. */
	const read = async (target: Target, broken: Answer) => {
		const key = `yk_${target[0]}`;
		let isBroken = false;
		api.answer = pages((asked, response) => {
			isBroken ||= asked.headers.authorization === `Bearer ${key}`;
			broken(asked, response);
		});
		return { ...(await run(...target, { credentials: credentials(key) })), isBroken };
	};

	it('whatever comes in place of its second page', async () => {
		const breaks = Object.entries(BREAKS);
		const broken = new Set<string>();
		const cases = TARGETS.flatMap((target, at) =>
			[0, 3].map((more) => {
				const [what, answer] = breaks[(at + more) % breaks.length]!;
				return [`${target[0]}, ${what}`, target, answer] as const;
			}),
		);
		await tryEach(cases, async ([, target, answer]) => {
			const { items, messages, isBroken } = await read(target, answer);
			if (!isBroken) return;
			broken.add(target[0]);
			expect(messages).not.toEqual([]);
			expect(items).toEqual([]);
		});
		expect(broken.size).toBeGreaterThan(15);
	});

	it('and it ends if its first page comes again and again', async () => {
		const again: Answer = (asked, response) => {
			asked.query.set('offset', '0');
			api.answer(asked, response);
		};
		const lists = TARGETS.filter(([name]) => /getAll|count$/.test(name));
		await tryEach(lists, async (target) => {
			api.asked = [];
			await read(target, again);
			expect(api.asked.length).toBeLessThan(200);
		});
	});
});
