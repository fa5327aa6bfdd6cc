import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { credentials, run } from '../support/account.ts';
import { limitsPolls } from '../support/n8n.ts';
import { Poller } from '../support/poller.ts';
import { answerWith, apiForTests, record, send, tame, type Answer } from '../support/server.ts';
import { targetOf, TARGETS, tryEach, type Target } from './all.ts';

const api = apiForTests();

/** Runs an operation, and presses Stop when a request with this number comes. */
async function stopAt(count: number, target: Target, answer: Answer, more: INodeParameters = {}) {
	let stop = () => {};
	const cancelAfter = new Promise<void>((resolve) => (stop = resolve));
	const closed: Array<Promise<unknown>> = [];
	api.asked = [];
	api.answer = (asked, response) => {
		closed.push(new Promise((resolve) => response.on('close', resolve)));
		if (api.asked.length === count) stop();
		answer(asked, response);
	};
	await run(...target, { cancelAfter, parameters: more }).catch(() => undefined);
	return closed;
}

/** Waits for the turns of the event loop in which a request would be sent, if one still was. */
async function laterRequests(): Promise<number> {
	const already = api.asked.length;
	for (let turn = 0; turn < 200; turn++) await setImmediate();
	return api.asked.length - already;
}

const silent: Answer = () => {};

/** A byte from time to time, for ever. */
const drip =
	(head: string): Answer =>
	(_asked, response) => {
		response.writeHead(200, { 'content-type': 'application/json' }).write(head);
		const timer = setInterval(() => response.write(' '), 20);
		response.on('close', () => clearInterval(timer));
	};

/** Answers so to a file, and before with the link to it. */
const afterLink =
	(answer: Answer): Answer =>
	(asked, response) =>
		(asked.path.endsWith('.mp3') ? answer : tame)(asked, response);

describe('6. Stop ends everything', () => {
	it('the requests that are under way, of any operation', async () => {
		await tryEach(TARGETS, async ([name, parameters, [item]]) => {
			const items = Array.from({ length: 30 }, () => item!);
			const closed = await stopAt(1, [name, parameters, items], silent);
			await Promise.all(closed);
			await laterRequests();
			// Those that may be under way at once.
			expect(api.asked.length).toBeLessThanOrEqual(10);
		});
	});

	it('an answer that is still coming', async () => {
		for (const name of ['usage.get', 'contact.getAll'])
			await Promise.all(await stopAt(1, targetOf(name), drip('{')));
		await Promise.all(await stopAt(2, targetOf('agent.getVoicePreview'), afterLink(drip('{'))));
	});

	const busy: Answer = (_asked, response) =>
		send(response, { ok: false, error: { code: 'A' } }, 429, { 'retry-after': '30' });
	const goesOn = answerWith((asked) =>
		record(asked, { call_status: 'In Progress', status: 'running' }),
	);

	it.each<[string, INodeParameters, Answer]>([
		['call.waitForCompletion', { waitAtMost: 60 }, goesOn],
		['campaign.waitForCompletion', { waitAtMost: 60 }, goesOn],
		['playground.makeTestCall', { waitForResult: true, waitAtMost: 60 }, goesOn],
		['usage.get', {}, busy],
	])('a wait (%s)', async (name, more, answer) => {
		await stopAt(3, targetOf(name), answer, more);
		expect(api.asked.length).toBeGreaterThanOrEqual(3);
		expect(await laterRequests()).toBeLessThanOrEqual(1);
	});
});

describe('6. A request has one time limit, to the end of its answer', () => {
	const timeout = AbortSignal.timeout.bind(AbortSignal);

	/** Lets the minute that a request has be over soon: these answers never end. */
	const hurry = () => vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(200));

	beforeEach(() => {
		const hurried = hurry();
		return () => hurried.mockRestore();
	});

	const LATE = /tim(ed out|e limit)|too long/i;

	it.each<[what: string, name: string, answer: Answer]>([
		['no answer at all', 'usage.get', silent],
		['an answer that never ends', 'usage.get', drip('{')],
		['a list that never ends', 'contact.getAll', drip('{')],
		['a file that never ends', 'agent.getVoicePreview', afterLink(drip('{'))],
	])('which ends %s (%s)', async (_what, name, answer) => {
		api.answer = answer;
		expect((await run(...targetOf(name))).messages.join()).toMatch(LATE);
	});

	it("which is the user's Timeout, if it is set", async () => {
		api.answer = silent;
		const [name, parameters, items] = targetOf('call.getStatistics');
		const { messages } = await run(name, { ...parameters, options: { timeout: 7 } }, items);
		expect(messages.join()).toMatch(LATE);
		expect(AbortSignal.timeout).toHaveBeenCalledWith(7000);
	});

	it('after a test call, which is no error then', async () => {
		api.answer = drip('{"ok":true,"data":');
		const { error, json } = await run(...targetOf('playground.makeTestCall'));
		expect(error?.message).toBeUndefined();
		expect(json).toHaveLength(1);
		expect(api.asked.filter(({ method }) => method === 'POST')).toHaveLength(1);
	});

	it.runIf(limitsPolls)('in a poll, which ends with the time that n8n gives it', async () => {
		const parameters = { event: 'newOrder' };
		const poller = new Poller({ parameters, credentials: credentials(), budgetMs: 60_000 });
		vi.restoreAllMocks();
		await poller.activate();
		api.answer = drip('{"ok":true,"data":[');
		hurry();
		await poller.failingTick();
		vi.restoreAllMocks();
		api.answer = tame;
		await poller.tick();
		expect(poller.errors).toHaveLength(1);
	});
});

describe('6. An answer has at most 16 MB', () => {
	const MB = 2 ** 20;
	const zeros = '0'.repeat(17 * MB);
	const zipped = gzipSync(`{"ok":true,"data":{"id":"${zeros}"}}`);

	/** An answer that never ends, as fast as it is read. */
	const endless: Answer = (_asked, response) => {
		response.writeHead(200, { 'content-type': 'application/json' });
		const part = Buffer.alloc(MB, '0');
		const more = () => {
			while (!response.destroyed && response.write(part));
		};
		response.on('drain', more).write('{"ok":true,"data":"', more);
	};

	const ANSWERS: Readonly<Record<string, Answer>> = {
		'an answer without an end': endless,
		'zipped JSON': (_asked, response) =>
			send(response, zipped, 200, { 'content-encoding': 'gzip' }),
	};

	const READS = ['usage.get', 'contact.getAll', 'apiRequest.send', 'agent.getVoicePreview'];
	const ASKING: INodeParameters = { method: 'GET', path: '/file', response: 'file' };

	it.each(Object.entries(ANSWERS))('%s is an error', async (_what, answer) => {
		for (const name of READS) {
			api.answer = name.endsWith('Preview') ? afterLink(answer) : answer;
			const parameters = name === 'apiRequest.send' ? ASKING : {};
			const { messages, items } = await run(...targetOf(name), { parameters });
			expect(messages.length, name).toBeGreaterThan(0);
			expect(items).toEqual([]);
		}
		api.answer = answer;
		const parameters = { event: 'newContact' };
		const poller = new Poller({ parameters, credentials: credentials() });
		await expect(poller.activate()).rejects.toThrow();
	});

	it('a text of 7 MB is none', async () => {
		const summary = 'x'.repeat(7 * MB);
		api.answer = answerWith((asked) => record(asked, { summary }));
		const { json } = await run(...targetOf('call.get'), { parameters: { simplify: false } });
		expect(json).toHaveLength(1);
	});
});

// No text from outside meets a pattern that is not linear: package/patterns checks each pattern of the code.
