import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { EmulatorOptions, FaultKind } from '../emulator/index.ts';
import { changeAccount, credentials, emulator, run, sent } from '../support/account.ts';
import { Clock } from '../support/clock.ts';
import type { NodeRun } from '../support/harness.ts';
import { locator } from '../support/samples.ts';
import { sleepOn } from '../support/sleep.ts';
import { MINUTE, SECOND } from '../support/stage.ts';

let clock: Clock;
let giveBackSleep = () => {};

/** Numbers that may be called. */
const NUMBERS = Array.from({ length: 12 }, (_, at) => `+3933312345${String(at).padStart(2, '0')}`);

/** An account with two agents, in which time passes at once while the node sleeps. */
async function account({ ahead = 0, ...options }: EmulatorOptions & { ahead?: number } = {}) {
	leave();
	clock = new Clock(undefined, ahead);
	await changeAccount({ data: 'empty', now: () => clock.server, ...options });
	emulator.store.addAgent('outbound');
	emulator.store.addAgent('outbound');
	for (const number of NUMBERS) emulator.store.verifiedNumbers.add(number);
	giveBackSleep = sleepOn(clock);
}

function leave() {
	giveBackSleep();
	clock?.thaw();
}

beforeEach(async () => await account());

afterEach(async () => {
	leave();
	await emulator.close();
});

const agents = () => emulator.store.agents.all();

interface CallRun extends Omit<Partial<NodeRun>, 'items'> {
	/** One item each. */
	numbers?: string[];
	items?: IDataObject[];
	apiKey?: string;
}

/** Makes test calls with the first agent, and waits for their results. */
async function call(
	parameters: INodeParameters = {},
	{ numbers = NUMBERS.slice(0, 1), items, apiKey, ...rest }: CallRun = {},
) {
	return await run(
		'playground.makeTestCall',
		{
			agent_id: locator(agents()[0]!.id),
			phone_number: '={{ $json.number }}',
			waitForResult: true,
			...parameters,
		},
		items ?? numbers.map((number) => ({ number })),
		{ credentials: credentials(apiKey), ...rest },
	);
}

/** Two accounts, each with an item that brings its key, an agent and a number. */
function clients() {
	const organizations = [emulator.addOrganization(), emulator.addOrganization()];
	const items = organizations.map(({ apiKey, store }) => {
		store.testCallCourse = { endsAfter: MINUTE };
		const agent = store.agents.find(({ agent_type: type }) => type === 'outbound')!;
		return { apiKey, agent: agent.id, number: [...store.verifiedNumbers][0]! };
	});
	return { organizations, items };
}

/** Makes test calls for such items. */
const callForClients = async (items: IDataObject[], parameters: INodeParameters = {}) =>
	await call(
		{ agent_id: locator('={{ $json.agent }}'), ...parameters },
		{ items, apiKey: '={{ $json.apiKey }}' },
	);

/** Makes test calls, presses Stop when the sixth request comes, and waits for what may come later. */
async function callAndStop(...[parameters, options]: Parameters<typeof call>) {
	let stop = () => {};
	const cancelAfter = new Promise<void>((resolve) => (stop = resolve));
	emulator.before(({ n }) => {
		if (n === 6) stop();
	});
	await call(parameters, { ...options, cancelAfter }).catch(() => undefined);
	const already = emulator.requests.length;
	await new Promise((resolve) => setTimeout(resolve, 50));
	return already;
}

const isPost = ({ method }: { method: string }) => method === 'POST';
const posts = () => sent().filter((request) => request.startsWith('POST '));
const lists = () => sent().filter((request) => request === 'GET /call-history');
const shown = (item: IDataObject | undefined) => item?.call as IDataObject;

describe('the result of a test call', () => {
	it('is the task and the call with its parts, when the call has ended and they exist', async () => {
		emulator.store.testCallCourse = {
			beginsAfter: 4 * SECOND,
			endsAfter: 40 * SECOND,
			summaryAfter: 60 * SECOND,
		};
		const { json, hints, error } = await call({ waitFor: ['summary'] });
		expect(error).toBeUndefined();
		const [placed] = emulator.store.testCalls;
		const [made] = emulator.store.calls.all();
		expect(json).toEqual([
			{
				task: { task_id: placed!.task_id },
				result: 'ended',
				explanation: 'The call ended: Completed.',
				call: expect.objectContaining({ id: made!.id, call_status: 'Completed' }) as unknown,
			},
		]);
		expect(shown(json[0]).summary).toEqual(expect.any(String));
		expect(shown(json[0])).toHaveProperty('transfer_time');
		expect(hints).toEqual([]);
		expect(posts()).toHaveLength(1);
	});

	it('of several items is waited for together, with one request a round', async () => {
		emulator.store.testCallCourse = { endsAfter: MINUTE };
		const numbers = NUMBERS.slice(0, 8);
		const { json } = await call({}, { numbers });
		expect(json.map(({ result }) => result)).toEqual(numbers.map(() => 'ended'));
		expect(json.map((item) => shown(item).phone_number)).toEqual(numbers);
		expect(posts()).toHaveLength(8);
		// One before each call, and those of the rounds.
		expect(lists().length).toBeLessThan(8 + 16);
		// No call waited for the end of the one before.
		const lastPost = emulator.requests.findLastIndex(isPost);
		expect(emulator.requests[lastPost]!.at - emulator.requests[0]!.at).toBeLessThan(5 * SECOND);
	});

	it.each([
		['an hour ahead', { ahead: 60 * MINUTE }],
		['an hour behind', { ahead: -60 * MINUTE }],
		['unlike the API, which shows none', { ahead: 60 * MINUTE, dated: false }],
	])('is found if n8n’s clock is %s', async (_clocks, options) => {
		await account(options);
		emulator.store.addCall({ agent_id: agents()[0]!.id, phone_number: NUMBERS[0]! });
		clock.advance(MINUTE);
		emulator.store.testCallCourse = { beginsAfter: 3 * SECOND, endsAfter: 20 * SECOND };
		const { json } = await call();
		expect(json[0]).toMatchObject({ result: 'ended' });
		expect(shown(json[0]).id).toBe(emulator.store.calls.all().at(-1)!.id);
	});

	it.each([
		{ callAgent: 'absent', taskId: 'id' },
		{ callDetail: 'transfer time, parties', callAgent: 'object', underWay: 'hidden' },
		{ callStatus: 'status', ids: 'whole number', taskId: 'task' },
		{ ids: 'encoded', zone: 'none', fraction: 'no digits' },
		{ bound: 'inclusive', grain: 'second', noSummary: '409', noTranscript: 'empty' },
		{ names: 'others', noSummary: 'blank', transcript: 'messages' },
	] as const)('is found if the API reads %j', async (readings) => {
		await account({ readings });
		emulator.store.testCallCourse = {
			beginsAfter: 3 * SECOND,
			endsAfter: 20 * SECOND,
			summaryAfter: 30 * SECOND,
			transcriptAfter: 40 * SECOND,
		};
		const { json } = await call({ waitFor: ['summary', 'transcript'] });
		expect(json[0]).toMatchObject({ result: 'ended' });
		expect(String(shown(json[0]).id)).toBe(emulator.store.calls.all()[0]!.id);
		expect(shown(json[0]).summary).toEqual(expect.any(String));
	});

	it('is not the call of another agent, to another number, from before, or that came in', async () => {
		const [agent, other] = agents();
		const mine = { agent_id: agent!.id, phone_number: NUMBERS[0]! };
		// Under way before, and listed only when it ends.
		emulator.store.addCall(
			{ ...mine, created_at: clock.iso(30 * SECOND) },
			{ visibleAt: clock.server + 10 * SECOND },
		);
		emulator.store.addCall({ ...mine, created_at: clock.iso() });
		emulator.store.testCallCourse = { beginsAfter: 20 * SECOND, endsAfter: 50 * SECOND };
		const stop = emulator.before(({ method, path }) => {
			if (method !== 'POST' || path !== '/playground/test-call') return;
			emulator.store.addCall({ ...mine, agent_id: other!.id });
			emulator.store.addCall({ ...mine, phone_number: NUMBERS[1]! });
			emulator.store.addCall({ ...mine, direction: 'inbound' });
		});
		const { json } = await call();
		stop();
		expect(json[0]).toMatchObject({ result: 'ended' });
		const [newest] = emulator.store.calls
			.all()
			.toSorted((one, next) => next.created_at.localeCompare(one.created_at));
		expect(shown(json[0]).id).toBe(newest!.id);
	});

	it('is ambiguous if two calls match: none is chosen, and none is placed again', async () => {
		emulator.store.testCallCourse = { endsAfter: MINUTE };
		emulator.store.addCall(
			{
				agent_id: agents()[0]!.id,
				phone_number: NUMBERS[0]!,
				created_at: clock.iso(-10 * SECOND),
			},
			{ visibleAt: clock.server + 10 * SECOND },
		);
		const { json, hints } = await call();
		expect(json[0]).toMatchObject({ result: 'ambiguous', call: null });
		expect(json[0]!.candidates).toHaveLength(2);
		expect(hints).toEqual([
			expect.objectContaining({
				message: expect.stringContaining('More than one call matches') as string,
			}) as unknown,
		]);
		expect(posts()).toHaveLength(1);
	});

	it('is unknown if calls show neither agent nor number, and the settings are named', async () => {
		await account({ readings: { callAgent: 'absent', names: 'others' } });
		const { json } = await call();
		expect(json[0]).toMatchObject({ result: 'unknown', call: null });
		expect(json[0]!.explanation).toContain("'Agent Fields' and 'Number Fields'");
		emulator.reset();
		const named = await call({ options: { numberFields: 'caller' } }, { numbers: [NUMBERS[2]!] });
		expect(named.json[0]).toMatchObject({ result: 'ended' });
	});

	describe('if only the detail of a call shows its agent and number', () => {
		const BARE = ['id', 'created_at', 'call_status'];

		/** The list shows calls once a test call was placed, and of each neither its agent nor its number. */
		beforeEach(() => {
			emulator.before(({ method, path }) => {
				if (method !== 'GET' || path !== '/call-history') return;
				emulator.store.endCalls();
				const rows = posts().length > 0 ? emulator.store.calls.all() : [];
				const data = rows.map((row) =>
					Object.fromEntries(BARE.map((name) => [name, row[name as keyof typeof row]])),
				);
				const body = { ok: true, data, meta: null, error: null };
				emulator.faults.add({ kind: 'status', status: 200, body });
			});
		});

		const isDetail = ({ path }: { path: string }) => /^\/call-history\/[^/]+$/.test(path);
		const details = () => emulator.requests.filter(isDetail);

		it('is found by the detail, which is read once for each call', async () => {
			const [own, other] = agents();
			emulator.store.testCallCourse = { endsAfter: MINUTE };
			for (const [agent_id, phone_number] of [
				[other!.id, NUMBERS[0]!],
				[own!.id, NUMBERS[1]!],
			])
				emulator.store.addCall({ agent_id, phone_number, created_at: clock.iso(SECOND) });
			const { json } = await call();
			expect(json[0]).toMatchObject({ result: 'ended' });
			expect(shown(json[0])).toMatchObject({ agent_id: own!.id, phone_number: NUMBERS[0] });
			// The one that was found is read once more when it has ended.
			expect(details()).toHaveLength(3 + 1);
			expect(posts()).toHaveLength(1);
		});

		it('is waited for if a detail cannot be read, and not guessed', async () => {
			emulator.store.testCallCourse = { endsAfter: 20 * SECOND };
			emulator.faults.add({ kind: 'status', status: 404, match: isDetail, times: 3 });
			const { json } = await call();
			expect(json[0]).toMatchObject({ result: 'ended' });
			emulator.faults.add({ kind: 'status', status: 404, match: isDetail, times: Infinity });
			const later = await call({ waitAtMost: 2 }, { numbers: [NUMBERS[2]!] });
			expect(later.json[0]).toMatchObject({ result: 'unknown', call: null });
			expect(later.json[0]!.explanation).toContain('as far as they could be read');
		});

		it('is unknown if the key may not read details', async () => {
			emulator.faults.add({ kind: 'status', status: 403, match: isDetail, times: Infinity });
			const { json } = await call();
			expect(json[0]).toMatchObject({ result: 'unknown', call: null });
			expect(details()).toHaveLength(1);
		});
	});

	it('is what is known after Wait at Most', async () => {
		emulator.store.testCallCourse = null;
		const nothing = await call({ waitAtMost: 3 });
		expect(nothing.json[0]).toMatchObject({ result: 'notFound', call: null });
		emulator.store.testCallCourse = { endsAfter: 5 * MINUTE };
		const early = await call({ waitAtMost: 3 });
		expect(early.json[0]).toMatchObject({ result: 'underWay' });
		expect(early.json[0]!.explanation).toContain('its status is In Progress');
		clock.advance(5 * MINUTE);
		emulator.store.testCallCourse = { summaryAfter: 9 * MINUTE };
		const bare = await call({ waitAtMost: 3, waitFor: ['summary'] }, { numbers: [NUMBERS[1]!] });
		expect(bare.json[0]).toMatchObject({ result: 'incomplete' });
		expect(shown(bare.json[0]).summary).toBeNull();
	});

	it('does not wait for a summary and a transcript if nobody spoke', async () => {
		emulator.store.testCallCourse = { endsAfter: 10 * SECOND, status: 'Not Answered' };
		const startedAt = clock.server;
		const { json } = await call({ waitFor: ['summary', 'transcript'] });
		expect(json[0]).toMatchObject({
			result: 'ended',
			explanation: 'The call ended: Not Answered.',
		});
		expect(clock.server - startedAt).toBeLessThan(20 * SECOND);
	});

	describe('that the API itself names', () => {
		const answers = (data: unknown, path = '/playground/test-call', times = 1) =>
			emulator.faults.add({
				kind: 'status',
				status: 200,
				body: { ok: true, data, meta: null, error: null },
				match: (request) => request.path === path,
				times,
			});

		it('in the answer: a call that has ended', async () => {
			const made = emulator.store.addCall();
			answers({ task_id: 'task-1', call: made });
			const { json } = await call();
			expect(json[0]).toMatchObject({ result: 'ended', call: { id: made.id } });
			expect(lists()).toHaveLength(1);
		});

		it('in the answer: the id of a call under way', async () => {
			emulator.store.testCallCourse = { endsAfter: MINUTE };
			emulator.store.placeTestCall({
				task_id: 'task-1',
				agent_id: agents()[1]!.id,
				phone_number: NUMBERS[5]!,
			});
			const [made] = emulator.store.calls.all();
			answers({ task_id: 'task-1', call_id: made!.id });
			const { json } = await call();
			expect(json[0]).toMatchObject({ result: 'ended', call: { id: made!.id } });
		});

		it.each([
			['a path', (_url: string) => '/playground/tasks/7'],
			['a path on the host', (_url: string) => '/v1/playground/tasks/7'],
			['an address', (url: string) => `${url}/playground/tasks/7`],
		])('at the task’s address, given as %s', async (_form, place) => {
			const made = emulator.store.addCall({ agent_id: agents()[1]!.id });
			answers({ task_id: '7', status_url: place(emulator.url) });
			answers({ task_id: '7', state: 'queued' }, '/playground/tasks/7', 3);
			answers({ task_id: '7', state: 'done', call_id: made.id }, '/playground/tasks/7');
			const { json } = await call();
			expect(json[0]).toMatchObject({ result: 'ended', call: { id: made.id } });
		});

		it('but never at another address than the account’s', async () => {
			emulator.store.testCallCourse = null;
			answers({ task_id: '7', status_url: 'http://localhost:1/v1/tasks/7', url: '//evil.test/x' });
			const { json } = await call({ waitAtMost: 1 });
			expect(json[0]).toMatchObject({ result: 'notFound' });
			expect(new Set(sent().filter((request) => request.startsWith('GET ')))).toEqual(
				new Set(['GET /call-history']),
			);
		});
	});

	it('is an error if the key may not read the call history, and no call is placed', async () => {
		const { error } = await call({}, { apiKey: emulator.keys.writeCalls });
		expect(error?.httpCode).toBe('403');
		expect(error?.description).toContain('No call was placed');
		expect(error?.description).toContain('READ or READ_WRITE');
		expect(emulator.store.testCalls).toEqual([]);
		expect(posts()).toEqual([]);
	});

	it('is looked for if the answer to the call was lost: an error would let n8n place it again', async () => {
		emulator.store.testCallCourse = { endsAfter: MINUTE };
		emulator.faults.add({ kind: 'reset-after', match: isPost });
		const node = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const { json } = await call({}, { node });
		expect(json[0]).toMatchObject({ task: null, result: 'ended' });
		emulator.faults.add({ kind: 'status', status: 500, match: isPost });
		const never = await call({ waitAtMost: 2 }, { node, numbers: [NUMBERS[1]!] });
		expect(never.json[0]).toMatchObject({ task: null, result: 'notFound', call: null });
		expect(never.json[0]!.explanation).toContain('It is not known whether the call was placed');
		expect(posts()).toHaveLength(2);
	});

	it('does not become an error when the key is revoked meanwhile: n8n would place the call again', async () => {
		emulator.store.testCallCourse = { endsAfter: 5 * MINUTE };
		emulator.faults.add({
			kind: 'unauthorized',
			match: ({ method, path }) => method === 'GET' && path === '/call-history',
			skip: 4,
			times: 1000,
		});
		const node = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const { json, error } = await call({}, { node });
		expect(error).toBeUndefined();
		expect(json[0]).toMatchObject({
			result: 'unknown',
			task: { task_id: expect.any(String) as string },
		});
		expect(json[0]!.explanation).toContain('401');
		expect(posts()).toHaveLength(1);
	});

	it('is watched with each account’s own key', async () => {
		const { organizations, items } = clients();
		const { json } = await callForClients(items);
		expect(json.map(({ result }) => result)).toEqual(['ended', 'ended']);
		organizations.forEach(({ store }, at) => {
			expect(store.calls.get(String(shown(json[at]).id))).toBeDefined();
			expect(store.testCalls).toHaveLength(1);
		});
	});

	it('ends at once with Stop, and nothing more is sent', async () => {
		emulator.store.testCallCourse = { endsAfter: 9 * MINUTE };
		const already = await callAndStop();
		expect(emulator.requests.length).toBeLessThanOrEqual(already + 1);
		expect(already).toBeLessThanOrEqual(8);
		expect(posts()).toHaveLength(1);
	});
});

describe('One After Another', () => {
	const inTurn = { placeCalls: 'oneAfterAnother' };

	/** When each call was placed, in ms. */
	const placedAt = () => emulator.requests.filter(isPost).map(({ at }) => at);

	it('gives each item its own call, all of them to one phone', async () => {
		emulator.store.testCallCourse = { beginsAfter: 3 * SECOND, endsAfter: 40 * SECOND };
		const numbers = [NUMBERS[0]!, NUMBERS[0]!, NUMBERS[0]!];
		const { json, hints } = await call(inTurn, { numbers });
		const made = emulator.store.calls.all().map(({ id }) => id);
		expect(json.map(({ result }) => result)).toEqual(['ended', 'ended', 'ended']);
		expect(json.map((item) => shown(item).id)).toEqual(made);
		expect(hints).toEqual([]);
		const [first, second, third] = placedAt();
		expect(second! - first!).toBeGreaterThanOrEqual(40 * SECOND);
		expect(third! - second!).toBeGreaterThanOrEqual(40 * SECOND);
	});

	it('is needed for that: All at Once refuses such items before the first call', async () => {
		const { error } = await call({}, { numbers: [NUMBERS[0]!, NUMBERS[1]!, NUMBERS[0]!] });
		expect(error?.message).toContain('2 items call the same number with the same agent');
		expect(error?.message).toContain("Set 'Place Calls' to 'One After Another'");
		expect(emulator.requests).toEqual([]);
	});

	it('does not wait for a summary before the next call, and gives each item its own', async () => {
		emulator.store.testCallCourse = { endsAfter: 30 * SECOND, summaryAfter: 3 * MINUTE };
		const numbers = [NUMBERS[0]!, NUMBERS[0]!];
		const { json } = await call({ ...inTurn, waitFor: ['summary'] }, { numbers });
		const made = emulator.store.calls.all().map(({ id }) => id);
		expect(json.map((item) => shown(item).id)).toEqual(made);
		expect(json.map((item) => typeof shown(item).summary)).toEqual(['string', 'string']);
		const [first, second] = placedAt();
		expect(second! - first!).toBeLessThan(2 * MINUTE);
	});

	it('goes on when the time of a call is over, also if nobody can tell whose call it is', async () => {
		await account({ readings: { callAgent: 'absent', names: 'others' } });
		emulator.store.testCallCourse = { endsAfter: 30 * SECOND };
		const numbers = NUMBERS.slice(0, 2);
		const { json } = await call({ ...inTurn, waitAtMost: 3 }, { numbers });
		expect(json.map(({ result }) => result)).toEqual(['unknown', 'unknown']);
		const [first, second] = placedAt();
		expect(second! - first!).toBeGreaterThanOrEqual(3 * MINUTE);
	});

	it('goes over all accounts too, however many writes may be parallel', async () => {
		const items = clients().items.flatMap((item) => [item, item]);
		const { json } = await callForClients(items, { ...inTurn, requestOptions: { writes: 5 } });
		expect(json.map(({ result }) => result)).toEqual(items.map(() => 'ended'));
		const moments = placedAt();
		moments.slice(1).forEach((at, before) => {
			expect(at - moments[before]!).toBeGreaterThanOrEqual(MINUTE);
		});
	});

	it.each([{}, { onError: 'continueRegularOutput' as const }])(
		'goes on after a call that cannot be placed, without an error that would place the first again (%j)',
		async (settings) => {
			emulator.store.testCallCourse = { endsAfter: 30 * SECOND };
			emulator.faults.add({ kind: 'status', status: 400, match: isPost, skip: 1 });
			const numbers = [NUMBERS[0]!, NUMBERS[0]!, NUMBERS[0]!];
			const { json, error } = await call(inTurn, { numbers, node: settings });
			expect(error).toBeUndefined();
			expect(json.map(({ result }) => result)).toEqual(['ended', 'notPlaced', 'ended']);
			expect(json[1]!.explanation).toContain('The call was not placed: Playground: Make Test Call');
			expect(emulator.store.testCalls).toHaveLength(2);
		},
	);

	it('ends in an error if the first call cannot be placed, and no other is', async () => {
		const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const numbers = ['+393330000000', NUMBERS[0]!];
		const { error } = await call(inTurn, { numbers, node });
		expect(error?.httpCode).toBe('400');
		expect(emulator.store.testCalls).toEqual([]);
	});

	it('ends with Stop, and no further call is placed', async () => {
		emulator.store.testCallCourse = { endsAfter: 5 * MINUTE };
		await callAndStop(inTurn, { numbers: NUMBERS.slice(0, 3) });
		expect(posts()).toHaveLength(1);
	});
});

describe('Retry On Fail', () => {
	const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };

	it.each([
		['a lost answer', { waitForResult: false }, {}, NUMBERS.slice(0, 1)],
		[
			'one item that fails and lets others go on',
			{},
			{ onError: 'continueRegularOutput' as const },
			['+393330000000', NUMBERS[0]!],
		],
	])(
		'is refused before the first call if n8n could place a call twice: %s',
		async (_how, parameters, more, numbers) => {
			const { error, json } = await call(parameters, { numbers, node: { ...node, ...more } });
			expect(error?.message ?? json[0]!.error).toContain("'Retry On Fail' is on");
			expect(emulator.requests).toEqual([]);
		},
	);
});

describe('Max Calls per Run', () => {
	it('refuses more items before the first call', async () => {
		const numbers = NUMBERS.slice(0, 11);
		const { error } = await call({ waitForResult: false }, { numbers });
		expect(error?.message).toContain(
			"11 items would place as many calls, but 'Max Calls per Run' is 10",
		);
		expect(emulator.requests).toEqual([]);

		const raised = { waitForResult: false, options: { maxCalls: 11 } };
		expect((await call(raised, { numbers })).json).toHaveLength(11);
		expect(posts()).toHaveLength(11);
	});

	it('refuses all of them with Continue On Fail too', async () => {
		const numbers = NUMBERS.slice(0, 3);
		const node = { onError: 'continueRegularOutput' as const };
		const { json } = await call({ options: { maxCalls: 2 } }, { numbers, node });
		expect(json.map(({ error }) => String(error))).toEqual(
			numbers.map(() => expect.stringContaining('3 items would place as many calls') as string),
		);
		expect(emulator.requests).toEqual([]);
	});
});

/** What may go wrong with any request, and how often in a row. */
const trouble = fc.record({
	fault: fc.constantFrom<FaultKind>(
		{ kind: 'reset-before' },
		{ kind: 'reset-after' },
		{ kind: 'half-body' },
		{ kind: 'html' },
		{ kind: 'unauthorized' },
		...[429, 500, 503].map((status) => ({ kind: 'status' as const, status, retryAfter: '1' })),
	),
	on: fc.constantFrom('POST', 'GET', 'any'),
	skip: fc.integer({ min: 0, max: 12 }),
	times: fc.constantFrom(1, 2, 5, 1000),
});

/** A run of the node and what goes wrong meanwhile. */
const troubledRun = fc.record({
	troubles: fc.array(trouble, { maxLength: 3 }),
	numbers: fc.array(fc.constantFrom(...NUMBERS.slice(0, 3)), { minLength: 1, maxLength: 4 }),
	placeCalls: fc.constantFrom('allAtOnce', 'oneAfterAnother'),
	continues: fc.boolean(),
	retryOnFail: fc.boolean(),
});

it('whatever fails, no call is placed twice, each item has one result, and no call is guessed', async () => {
	const property = fc.asyncProperty(troubledRun, async (given) => {
		const { troubles, numbers, placeCalls, continues, retryOnFail } = given;
		await account();
		emulator.store.testCallCourse = { beginsAfter: 3 * SECOND, endsAfter: 25 * SECOND };
		for (const { fault, on, skip, times } of troubles) {
			const match = ({ method }: { method: string }) => on === 'any' || method === on;
			emulator.faults.add({ ...fault, match, skip, times });
		}
		const node = {
			...(continues && { onError: 'continueRegularOutput' as const }),
			...(retryOnFail && { retryOnFail, maxTries: 2, waitBetweenTries: 1 }),
		};
		const { json, error } = await call({ waitAtMost: 2, placeCalls }, { numbers, node });
		// A request that was refused unprocessed may come again: what counts is what was placed.
		expect(emulator.store.testCalls.length).toBeLessThanOrEqual(numbers.length);
		if (!error) expect(json).toHaveLength(numbers.length);
		const ids = json.flatMap((item) => shown(item)?.id ?? []);
		expect(new Set(ids).size).toBe(ids.length);
		json.forEach((item, at) => {
			if (item.result !== 'ended') return;
			const { phone_number: number, id } = shown(item);
			expect(number).toBe(numbers[at]);
			expect(emulator.store.calls.get(String(id))?.agent_id).toBe(agents()[0]!.id);
		});
	});
	await fc.assert(property, { numRuns: 40 });
}, 60_000);

describe('waiting for a call whose id is known', () => {
	const waitFor = async (ids: string[], parameters: INodeParameters = {}) =>
		await run(
			'call.waitForCompletion',
			{ call_id: locator('={{ $json.id }}'), ...parameters },
			ids.map((id) => ({ id })),
		);

	/** Calls under way that end after so many seconds each. */
	const underWay = (...seconds: number[]) =>
		seconds.map((after, at) => {
			emulator.store.testCallCourse = { endsAfter: after * SECOND };
			emulator.store.placeTestCall({
				task_id: `task-${at}`,
				agent_id: agents()[0]!.id,
				phone_number: NUMBERS[at]!,
			});
			return emulator.store.calls.all().at(-1)!.id;
		});

	it('is over at once if it has ended', async () => {
		const { id } = emulator.store.addCall();
		const { json } = await waitFor([id]);
		expect(json).toEqual([
			{
				result: 'ended',
				explanation: 'The call ended: Completed.',
				call: expect.objectContaining({ id }) as unknown,
			},
		]);
		expect(sent()).toEqual([`GET /call-history/${id}`]);
	});

	it.each(['listed', 'hidden'] as const)(
		'reads all calls with one request a round, those under way being %s',
		async (how) => {
			await account({ readings: { underWay: how } });
			const ids = underWay(30, 50, 70, 90, 110, 130);
			const { json } = await waitFor(ids);
			expect(json.map((item) => shown(item).id)).toEqual(ids);
			expect(json.map(({ result }) => result)).toEqual(ids.map(() => 'ended'));
			// One request for each call at the start and at its end; the others read the list.
			expect(sent().length).toBeLessThan(6 + 6 + 20);
		},
	);

	it('says so when the time is over', async () => {
		const { json, hints } = await waitFor(underWay(600), { waitAtMost: 2 });
		expect(json[0]).toMatchObject({ result: 'underWay' });
		expect(hints).toHaveLength(1);
	});

	it('ends in an error if there is no such call', async () => {
		const { error } = await waitFor(['3f2b8c1e-5d7a-4e90-9b1c-2a6d4f8e0b37']);
		expect(error?.httpCode).toBe('404');
		expect(error?.description).toContain('shows it only after its end');
	});
});

describe('waiting for a campaign', () => {
	const waitFor = async (id: string, parameters: INodeParameters = {}) =>
		await run('campaign.waitForCompletion', { campaign_id: locator(id), ...parameters });

	const started = () => {
		const list = emulator.store.addContactList();
		const ids = { agent_id: agents()[0]!.id, contact_list_id: list.id };
		const { id } = emulator.store.addCampaign({ ...ids, status: 'running', contacted: 0 });
		return id;
	};

	/** Changes its counters for this time, then its state. */
	const runFor = (id: string, ms: number, end?: 'completed') => {
		const until = clock.server + ms;
		emulator.before(() => {
			const isOver = clock.server >= until;
			const contacted = Math.floor((Math.min(clock.server, until) - until) / SECOND) + 10_000;
			emulator.store.campaigns.change(id, { contacted, ...(isOver && end && { status: end }) });
		});
		return until;
	};

	it('ends with a final state, in any spelling', async () => {
		await account({ readings: { campaignStates: 'upper case' } });
		const id = started();
		const until = runFor(id, 10 * MINUTE, 'completed');
		const { json } = await waitFor(id);
		expect(json[0]).toMatchObject({
			result: 'finished',
			explanation: 'The campaign has ended: its state is COMPLETED.',
		});
		expect(clock.server - until).toBeLessThan(20 * SECOND);
	});

	it.each(['flat', 'nested'] as const)('ends when its counters (%s) stop moving', async (how) => {
		await account({ readings: { campaignStates: 'other words', campaignCounters: how } });
		const id = started();
		const until = runFor(id, 10 * MINUTE, 'completed');
		const { json } = await waitFor(id, { options: { unchangedFor: 3 } });
		expect(json[0]).toMatchObject({
			result: 'unchanged',
			explanation:
				'Neither its state nor a counter has moved for 3 minutes; its state is is_completed.',
		});
		expect(clock.server - until).toBeGreaterThanOrEqual(3 * MINUTE);
	});

	it('takes the state’s name from the settings', async () => {
		await account({ readings: { campaignStates: 'other words' } });
		const id = started();
		runFor(id, MINUTE, 'completed');
		const { json } = await waitFor(id, { options: { finalStates: 'over, Is Completed' } });
		expect(json[0]).toMatchObject({ result: 'finished' });
	});

	it('has a result when the time is over, whatever failed meanwhile', async () => {
		const id = started();
		runFor(id, 60 * MINUTE);
		emulator.faults.add({ kind: 'status', status: 500, skip: 3, times: 2 });
		const { json, hints } = await waitFor(id, { waitAtMost: 5 });
		expect(json[0]).toMatchObject({ result: 'underWay', campaign: { status: 'running' } });
		expect(hints).toHaveLength(1);
	});
});
