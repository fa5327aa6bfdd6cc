import { describe, expect, it } from 'vitest';

import type { FaultKind } from '../emulator/index.ts';
import { credentials, run } from '../support/account.ts';
import { ENGINES } from '../support/poller.ts';
import { apiForTests, half, isList, record, send, tame, type Answer } from '../support/server.ts';
import { EVENT_NAMES, EVENTS, stage } from '../support/stage.ts';
import { TARGETS, tryEach, type Target } from './all.ts';

/** Polls that fail. A broken connection takes longer, because a poll tries again. */
const FAULTS: FaultKind[] = [
	{ kind: 'status', status: 500 },
	{ kind: 'html' },
	{ kind: 'wrong-data' },
	{ kind: 'ok-false' },
	{ kind: 'status', status: 401 },
	{ kind: 'no-data' },
];

// If it is killed, polls overlap, or records come and go while it reads: the random histories of unit/poll.
describe('3. The trigger loses and doubles nothing', () => {
	it.each(EVENT_NAMES.map((event, at) => [event, FAULTS[at % FAULTS.length]!, at] as const))(
		'%s, if polls fail and n8n starts again',
		async (event, fault, at) => {
			const engine = ENGINES[at % ENGINES.length]!;
			const { parameters, happen } = EVENTS[event]!;
			const here = await stage({ event, parameters, engine });
			const { poller, emulator, tick } = here;
			expect(await poller.activate()).toEqual([]);
			await tick();

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

// Lists that change while they are read, that repeat a page, or whose total is wrong: unit/pages.
describe('3. A list that cannot be read to its end is an error, never a short list', () => {
	const api = apiForTests();

	/** What an operation gives, and whether its list broke. A request of an earlier one does not count. */
	const read = async (target: Target, broken: Answer) => {
		const key = `yk_${target[0]}`;
		let isBroken = false;
		api.answer = (asked, response) => {
			if (!isList(asked)) return void tame(asked, response);
			const [limit, offset] = ['limit', 'offset'].map((name) => Number(asked.query.get(name)));
			if (offset! > 0) {
				isBroken ||= asked.headers.authorization === `Bearer ${key}`;
				return void broken(asked, response);
			}
			const data = Array.from({ length: limit! }, (_, at) => record(asked, { id: `id-${at}` }));
			send(response, { ok: true, data, meta: { limit, offset, total_items: 250 } });
		};
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
});
