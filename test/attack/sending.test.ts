import { createServer, type AddressInfo, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

import { limitsPolls } from '../support/n8n.ts';
import { attack, credentialsFor, tryEach } from './attack.ts';
import { pollerFor } from './hosts.ts';
import { DEEP, ID, isList, record, send, serverForTests, tame, type Answer } from './server.ts';
import { USUAL, type Target } from './targets.ts';

const api = serverForTests();

const usual = (name: string): Target => USUAL.find(({ operation }) => operation === name)!;

const isChange = ({ method }: { method: string }) => method === 'POST' || method === 'PATCH';

describe('with Retry On Fail, nothing that costs is sent twice', () => {
	const error = { code: 'A', message: 'B', details: DEEP };
	/** Answers after which a call may have been placed, or an order changed. */
	const DOUBTFUL: Readonly<Record<string, Answer>> = {
		'no answer': (_asked, response) => void response.destroy(),
		'half an answer': (_asked, response) => {
			response.writeHead(200, { 'content-length': '100' }).write('{"ok":tr');
			setTimeout(() => response.destroy(), 5);
		},
		'500 with deep details': (_asked, response) => send(response, { ok: false, error }, 500),
		'502 with a long page': (_asked, response) => send(response, '<'.repeat(1000), 502),
		'503': (_asked, response) => send(response, '', 503, { 'retry-after': '0' }),
		'200 with deep data': (_asked, response) => send(response, { ok: true, data: DEEP }),
		'bytes that cannot be unzipped': (_asked, response) =>
			send(response, 'no zip', 200, { 'content-encoding': 'gzip' }),
		'more bytes than fit': (_asked, response) =>
			send(response, gzipSync('0'.repeat(50_000_000)), 200, { 'content-encoding': 'gzip' }),
	};

	it.each(Object.entries(DOUBTFUL))('after %s', async (_name, answer) => {
		api.answer = (asked, response) => (isChange(asked) ? answer : tame)(asked, response);
		const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const { operation, parameters } = usual('playground.makeTestCall');
		const { asked, messages } = await attack(api, {
			...{ operation, node: retry },
			parameters: { ...parameters, waitForResult: true, waitAtMost: 0 },
		});
		expect(asked.filter(isChange), messages.join()).toHaveLength(1);
	});

	it.each(Object.entries(DOUBTFUL).slice(0, -1))(
		'of any change, after %s [P32]',
		async (_name, answer) => {
			api.answer = (asked, response) => (isChange(asked) ? answer : tame)(asked, response);
			const changing = USUAL.filter(({ operation }) => !/get|count|wait/i.test(operation));
			await tryEach(
				changing,
				({ operation }) => operation,
				async (target) => {
					const { asked } = await attack(api, target);
					const changes = asked.filter(isChange).map(({ path, body }) => `${path} ${body}`);
					expect(changes).toEqual([...new Set(changes)]);
				},
			);
		},
	);
});

// n8n takes an item with a field `error` for a failed one. Before n8n 2.41 even null counts.
it.each(['busy line', null])(
	'with Retry On Fail, a record with error %j is no failure, so nothing is sent twice [P152]',
	async (error) => {
		api.answer = (asked, response) => {
			const data = record(asked.path, { error });
			send(response, { ok: true, data: isList(asked) ? [data] : data });
		};
		const node = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const changing = USUAL.filter(({ operation }) => !/get|count|wait/i.test(operation));
		await tryEach(
			changing,
			({ operation }) => operation,
			async (target) => {
				const { asked, items } = await attack(api, { ...target, node });
				const changes = asked.filter(isChange).map(({ path, body }) => `${path} ${body}`);
				expect(changes).toEqual([...new Set(changes)]);
				for (const { json } of items) expect(json).not.toHaveProperty('error');
			},
		);
	},
);

describe('an answer that drips', () => {
	/** A byte from time to time, for ever. */
	const drip =
		(head: string): Answer =>
		(_asked, response) => {
			response.writeHead(200, { 'content-type': 'application/json' }).write(head);
			const timer = setInterval(() => response.write(' '), 20);
			response.on('close', () => clearInterval(timer));
		};
	const requestOptions = { timeout: 1, maxWait: 0 };

	it.each(['usage.get', 'contact.getAll', 'playground.makeTestCall', 'agent.getVoicePreview'])(
		'ends with the time limit (%s)',
		async (operation) => {
			api.answer = drip('{"ok":true,"data":');
			const { parameters } = usual(operation);
			const { messages } = await attack(api, {
				operation,
				parameters: { ...parameters, requestOptions },
			});
			// A call that was placed is never an error.
			if (operation !== 'playground.makeTestCall') {
				expect(messages.join()).toMatch(/tim(ed out|e limit)/i);
			}
		},
		10_000,
	);

	const files = serverForTests();
	const withPreview = (): Answer => {
		files.answer = drip('ID3');
		const url = `${files.origin}/a.mp3`;
		const file = { file_name: 'a.mp3', content_type: 'audio/mpeg', url };
		return (asked, response) =>
			send(response, {
				ok: true,
				data: isList(asked) ? [record('', { file })] : record('', { file }),
				meta: { limit: 100, offset: 0, total_items: 1 },
			});
	};

	it('ends with the time limit (the file of a preview)', async () => {
		api.answer = withPreview();
		const { parameters } = usual('agent.getVoicePreview');
		const given = {
			operation: 'agent.getVoicePreview',
			parameters: { ...parameters, requestOptions },
		};
		const { messages } = await attack(api, given);
		expect(messages.join()).toContain('it took too long');
	}, 10_000);

	it.each([
		['a record', 'usage.get', () => drip('{')],
		['the file of a preview', 'agent.getVoicePreview', withPreview],
		['a test call', 'playground.makeTestCall', () => drip('{')],
	] as const)(
		'ends with Stop (%s)',
		async (_what, operation, answer) => {
			api.answer = answer();
			const { parameters } = usual(operation);
			const cancelAfter = new Promise((resolve) => setTimeout(resolve, 200));
			await attack(api, {
				...{ operation, cancelAfter },
				parameters: { ...parameters, requestOptions: { timeout: 60 } },
			});
		},
		10_000,
	);

	it.runIf(limitsPolls)(
		'ends with the time that a poll has',
		async () => {
			const poller = pollerFor(api, { parameters: { event: 'newOrder' }, budgetMs: 1000 });
			await poller.activate();
			api.answer = drip('{"ok":true,"data":[');
			await poller.failingTick();
			api.answer = tame;
			await poller.tick();
			expect(poller.errors).toHaveLength(1);
		},
		15_000,
	);

	it('ends with the time limit (the headers)', async () => {
		const server = createServer((socket: Socket) => {
			socket.on('error', () => {}).write('HTTP/1.1 200 OK\r\n');
			const timer = setInterval(() => socket.write('x-a: b\r\n'), 20);
			socket.on('close', () => clearInterval(timer));
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as AddressInfo;
		const credentials = credentialsFor(`http://127.0.0.1:${port}/v1`);
		const { messages } = await attack(api, {
			...{ operation: 'usage.get', credentials },
			parameters: { requestOptions },
		});
		expect(messages.join()).toContain('timed out');
		server.close();
	}, 10_000);
});

describe('a list that never ends', () => {
	const listOf =
		(dataOf: (offset: number, limit: number) => unknown): Answer =>
		(asked, response) => {
			if (!isList(asked)) return void tame(asked, response);
			const [offset, limit] = ['offset', 'limit'].map((name) => Number(asked.query.get(name)));
			return send(response, { ok: true, data: dataOf(offset!, limit!), meta: null });
		};
	const many = (count: number, one: (at: number) => unknown) =>
		Array.from({ length: count }, (_, at) => one(at));
	const named = (at: number) => record('', { id: `id-${at}` });

	const ENDLESS: Readonly<Record<string, Answer>> = {
		'gives the same page again': listOf((_offset, limit) => many(limit, named)),
		'gives records without an ID': listOf((_offset, limit) => many(limit, () => ({ name: 'One' }))),
		'gives one record again and again': listOf((_offset, limit) => many(limit, () => named(1))),
		'gives two pages in turn': listOf((offset, limit) =>
			many(limit, (at) => named(at + 100 * (offset % 2))),
		),
		'gives nothing but says there is more': (asked, response) =>
			isList(asked)
				? send(response, { ok: true, data: [], meta: { total_items: 1e9, limit: 100, offset: 0 } })
				: tame(asked, response),
		'gives one new record with each page': listOf((offset) => [named(offset)]),
	};
	/** Requests that a list without new records may cost. */
	const REQUESTS = 130;

	const lists = USUAL.filter(({ operation }) =>
		/call.getAll|contact.getAll|event.getAll|contact.count|call.getStat|upsert|sync|agent.getVoices$|makeTest/.test(
			operation,
		),
	);

	it.each(Object.entries(ENDLESS))('and %s ends all the same', async (_how, answer) => {
		api.answer = answer;
		await tryEach(
			lists,
			({ operation }) => operation,
			async (target) => {
				const { asked } = await attack(api, target);
				expect(asked.length).toBeLessThan(REQUESTS);
			},
		);
	});
});

describe('Max Wait', () => {
	const holds = async (seconds: string) => {
		api.answer = (asked, response) =>
			send(response, { ok: true, data: record(asked.path) }, 200, {
				'ratelimit-remaining': '0',
				'ratelimit-reset': seconds,
				'x-ratelimit-remaining': '0',
				'x-ratelimit-reset': seconds,
				'retry-after': seconds,
			});
		const { slept } = await attack(api, {
			operation: 'contact.get',
			parameters: {
				contact: { __rl: true, mode: 'id', value: ID },
				requestOptions: { maxWait: 1, concurrency: 1 },
			},
			items: [{}, {}, {}],
		});
		expect(slept).toBeLessThanOrEqual(3000);
	};

	it.each(['12', '1e9', 'Infinity', '-1', 'soon', '99999999999'])(
		'holds against a server that asks for %s s',
		holds,
	);
});

describe('a slow client', () => {
	it('does not hold up a quick one, however many items it has [P47]', async () => {
		// The slow ones get their answers when the quick one is done.
		const waiting: Array<() => void> = [];
		let quick = 0;
		api.answer = (asked, response) => {
			const isQuick = asked.headers.authorization!.endsWith('quick');
			if (!isQuick && quick < 10) waiting.push(() => tame(asked, response));
			else tame(asked, response);
			if (isQuick && ++quick === 10) for (const go of waiting.splice(0)) go();
		};
		const clients = ['slow_a', 'slow_b', 'slow_c', 'slow_d', 'slow_e', 'quick'];
		const { messages } = await attack(api, {
			operation: 'contact.get',
			parameters: {
				contact: { __rl: true, mode: 'id', value: ID },
				requestOptions: { maxWait: 0, timeout: 10 },
			},
			credentials: credentialsFor(api.url, '={{ $json.key }}'),
			items: clients.flatMap((name) => many10({ key: `yk_${name}` })),
		});
		expect(messages).toEqual([]);
	}, 25_000);
	const many10 = <T>(one: T): T[] => Array.from({ length: 10 }, () => one);
});
