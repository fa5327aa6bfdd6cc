import { describe, expect, it } from 'vitest';

import { run } from '../support/account.ts';
import {
	apiForTests,
	half,
	isChange,
	record,
	send,
	tame,
	type Answer,
	type Asked,
} from '../support/server.ts';
import { targetOf, TARGETS, tryEach } from './all.ts';

const api = apiForTests();

/** PUT and DELETE do no harm twice. */
const isOnce = ({ method }: Asked) => method === 'POST' || method === 'PATCH';

/** n8n runs a node that fails again from its first item. */
const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

/** Answers after which a call may have been placed, or an order changed. */
const DOUBTFUL: Readonly<Record<string, Answer>> = {
	'no answer': (_asked, response) => void response.destroy(),
	'half an answer': half,
	500: (_asked, response) => send(response, { ok: false, error: { code: 'A' } }, 500),
	'502 with a page': (_asked, response) => send(response, '<p>no</p>', 502),
	503: (_asked, response) => send(response, '', 503, { 'retry-after': '0' }),
	'an answer that is no JSON': (_asked, response) => send(response, '<p>yes</p>'),
	'an answer without a record': (_asked, response) => send(response, { ok: true, data: 7 }),
	'an answer that cannot be unzipped': (_asked, response) =>
		send(response, 'no zip', 200, { 'content-encoding': 'gzip' }),
};

const changes = () => api.asked.filter(isOnce).map(({ path, body }) => `${path} ${body}`);

describe('2. A test call is never placed twice', () => {
	const [name, parameters] = targetOf('playground.makeTestCall');

	it.each(Object.entries(DOUBTFUL))('after %s, also with Retry On Fail', async (_what, answer) => {
		for (const waitForResult of [false, true]) {
			api.asked = [];
			api.answer = (asked, response) => (isOnce(asked) ? answer : tame)(asked, response);
			const { messages } = await run(name, { ...parameters, waitForResult }, [{}], { node: RETRY });
			expect(changes(), messages.join()).toHaveLength(1);
		}
	});

	it('if the answer to a later item is lost', async () => {
		const numbers = ['+393205098161', '+393205098162', '+393205098163'];
		api.answer = (asked, response) =>
			asked.body.includes(numbers[1]!) ? half(asked, response) : tame(asked, response);
		const each = { phone_number: '={{ $json.number }}', options: { maxCalls: 3 } };
		const items = numbers.map((number) => ({ number }));
		await run(name, { ...parameters, ...each }, items, { node: RETRY });
		for (const number of numbers) {
			const calls = changes().filter((change) => change.includes(number));
			expect(calls.length, number).toBeLessThanOrEqual(1);
		}
		expect(changes().length).toBeGreaterThan(1);
	});
});

describe('2. A POST or PATCH whose answer may be lost is never sent again', () => {
	/** All operations that change something. */
	const changing = TARGETS.filter(([name]) => !/get|count|wait|check|report|sync/i.test(name)).map(
		([name, parameters, items]) => {
			const isOpen = name === 'apiRequest.send';
			const post = { method: 'POST', path: '/things', body: '{"a":1}' };
			return [name, isOpen ? post : parameters, items] as const;
		},
	);

	/** An account without contacts, so that *Create or Update* creates one. */
	const reads: Answer = (asked, response) =>
		asked.path.includes('/by-phone/')
			? send(response, { ok: false, error: { code: 'NOT_FOUND', message: 'no' } }, 404)
			: tame(asked, response);

	it.each(Object.entries(DOUBTFUL))('after %s, by any operation', async (_what, answer) => {
		api.answer = (asked, response) => (isChange(asked) ? answer : reads)(asked, response);
		await tryEach(changing, async (target) => {
			api.asked = [];
			await run(...target);
			expect(api.asked.filter(isChange)).not.toEqual([]);
			expect(changes()).toEqual([...new Set(changes())]);
		});
	});

	// n8n takes an item with a field `error` for a failed one. Before n8n 2.41 even null counts.
	it.each(['busy line', null])(
		'after a record with error %j, which is no failure to n8n',
		async (error) => {
			api.answer = (asked, response) => {
				const data = record(asked, { error });
				if (!isChange(asked)) reads(asked, response);
				else send(response, { ok: true, data });
			};
			const names = new Set<string>();
			await tryEach(changing, async (target) => {
				api.asked = [];
				const { items } = await run(...target, { node: RETRY });
				expect(changes()).toEqual([...new Set(changes())]);
				for (const name of items.flatMap(({ json }) => Object.keys(json))) names.add(name);
			});
			expect(names.has('error')).toBe(false);
			expect(names.has('api_error')).toBe(true);
		},
	);
});
