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
const NUMBERS = Array.from({ length: 30 }, (_, at) => `+3933312345${String(at).padStart(2, '0')}`);

/** An account with two agents, in which time passes at once while the node sleeps. */
async function account(options: EmulatorOptions = {}) {
	leave();
	clock = new Clock();
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

/** Two accounts, each with an item that brings its key, an agent and the same number. */
function clients() {
	const organizations = [emulator.addOrganization(), emulator.addOrganization()];
	const items = organizations.map(({ apiKey, store }) => {
		store.testCallCourse = { endsAfter: MINUTE };
		for (const number of NUMBERS) store.verifiedNumbers.add(number);
		const agent = store.agents.find(({ agent_type: type }) => type === 'outbound')!;
		return { apiKey, agent: agent.id, number: NUMBERS[0]! };
	});
	return { organizations, items };
}

/** Makes test calls for such items. */
const callForClients = async (
	items: IDataObject[],
	parameters: INodeParameters = {},
	rest: CallRun = {},
) =>
	await call(
		{ agent_id: locator('={{ $json.agent }}'), ...parameters },
		{ items, apiKey: '={{ $json.apiKey }}', ...rest },
	);

const isPost = ({ method }: { method: string }) => method === 'POST';
const posts = () => sent().filter((request) => request.startsWith('POST '));
const shown = (item: IDataObject | undefined) => item?.call as IDataObject;

/** Faults after which nobody knows whether the call was placed. */
const LOST: Array<[string, FaultKind]> = [
	['the connection broke', { kind: 'reset-after' }],
	['the answer was cut', { kind: 'half-body' }],
	['the answer is a page', { kind: 'html' }],
	['the server failed', { kind: 'status', status: 500 }],
	['a proxy gave up', { kind: 'status', status: 504, retryAfter: '1' }],
];

const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

describe('a test call', () => {
	const alone = { waitForResult: false };

	it.each(LOST)('is never placed again if %s, also with Retry On Fail', async (_how, fault) => {
		emulator.store.testCallCourse = { endsAfter: MINUTE };
		for (const [at, parameters] of [alone, { waitAtMost: 2 }].entries()) {
			emulator.faults.add({ ...fault, match: isPost });
			const numbers = [NUMBERS[at]!];
			const { json, error, hints } = await call(parameters, { node: RETRY, numbers });
			expect(error).toBeUndefined();
			expect(posts()).toHaveLength(at + 1);
			const isFound = json[0]!.result === 'ended';
			if (isFound) expect(shown(json[0]).phone_number).toBe(NUMBERS[at]);
			else expect(json[0]!.explanation).toContain('It is not known whether the call was placed');
			expect(hints).toHaveLength(isFound ? 0 : 1);
			expect(json[0]).toMatchObject({ task: null });
		}
	});

	it('without waiting: a number that is refused loses no other call, and the message says so', async () => {
		const numbers = [NUMBERS[0]!, '+393330000000', NUMBERS[1]!];
		const { json, error, hints } = await call(alone, { numbers });
		expect(error).toBeUndefined();
		const [first, second] = emulator.store.testCalls;
		expect(json).toEqual([
			{ task_id: first!.task_id },
			{
				task: null,
				result: 'notPlaced',
				explanation: expect.stringContaining('the phone number is not verified') as string,
				call: null,
			},
			{ task_id: second!.task_id },
		]);
		expect(hints).toHaveLength(1);
	});

	it('ends in an error if it is refused and no other was placed before', async () => {
		const numbers = ['+393330000000', NUMBERS[0]!];
		for (const parameters of [alone, {}, { placeCalls: 'oneAfterAnother' }]) {
			const { error } = await call(parameters, { numbers, node: RETRY });
			expect(error?.httpCode).toBe('400');
		}
		expect(emulator.store.testCalls).toEqual([]);
	});

	it('is placed although the first was refused, if the user lets the workflow continue', async () => {
		const numbers = ['+393330000000', NUMBERS[0]!];
		const node = { onError: 'continueRegularOutput' as const };
		const { json } = await call({ placeCalls: 'oneAfterAnother' }, { numbers, node });
		expect(json).toMatchObject([{ status: 400 }, { result: 'ended' }]);
	});

	it.each([
		[
			'its JSON is empty',
			{ specifyFields: 'json', json: '{}' },
			{},
			'must have at least one field',
		],
		[
			'Retry On Fail could place another one twice',
			{},
			{ numbers: NUMBERS.slice(0, 2), node: { ...RETRY, onError: 'continueRegularOutput' } },
			"'Retry On Fail' is on",
		],
		[
			'another one calls the same number',
			{},
			{ numbers: [0, 1, 0].map((at) => NUMBERS[at]!) },
			'2 items call the same number',
		],
		[
			'there are more than Max Calls per Run',
			alone,
			{ numbers: NUMBERS.slice(0, 11) },
			"11 items would place as many calls, but 'Max Calls per Run' is 10",
		],
	] as Array<[string, INodeParameters, CallRun, string]>)(
		'is refused before anything is sent if %s',
		async (_why, parameters, options, message) => {
			const { error, json } = await call(parameters, options);
			expect(error?.message ?? json[0]!.error).toContain(message);
			expect(emulator.requests).toEqual([]);
		},
	);

	it('counts for Max Calls per Run only if its item can be read', async () => {
		const node = { onError: 'continueRegularOutput' as const };
		const options = { maxCalls: 1 };
		const numbers = ['no number', NUMBERS[0]!];
		const { json } = await call({ ...alone, options }, { numbers, node });
		expect(json).toMatchObject([
			{ error: expect.any(String) as string },
			{ task_id: expect.any(String) as string },
		]);
	});
});

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
		expect(json).toEqual([
			{
				task: { task_id: placed!.task_id },
				result: 'ended',
				explanation: 'The call ended: Completed.',
				call: expect.objectContaining({
					id: placed!.call_id,
					call_status: 'Completed',
					summary: expect.any(String) as string,
					transfer_time: null,
				}) as unknown,
			},
		]);
		expect(hints).toEqual([]);
	});

	it.each([1, 3])(
		'is looked for 7 times in the first minute and 4 times in each later one, for %i calls as for one',
		async (count) => {
			emulator.store.testCallCourse = { endsAfter: 30 * SECOND, summaryAfter: 150 * SECOND };
			const numbers = NUMBERS.slice(0, count);
			const options = { maxCalls: count };
			const { json } = await call({ waitFor: ['summary'], options }, { numbers });
			expect(json.map(({ result }) => result)).toEqual(numbers.map(() => 'ended'));
			expect(json.map((item) => shown(item).phone_number)).toEqual(numbers);
			const last = emulator.requests.findLastIndex(isPost);
			// To see the end of the list may take one more request.
			const isLook = ({ path, query }: { path: string; query: IDataObject }) =>
				path === '/call-history' && (query.offset ?? '0') === '0';
			const looks = emulator.requests.slice(last + 1).filter(isLook);
			const began = emulator.requests[last]!.at;
			const within = (minute: number) =>
				looks.filter(({ at }) => Math.ceil((at - began) / MINUTE) === minute).length;
			expect(within(1)).toBeLessThanOrEqual(7);
			expect(within(2)).toBeLessThanOrEqual(4);
		},
	);

	it.each([
		{ callAgent: 'absent', taskId: 'id', noSummary: 'blank', transcript: 'messages' },
		{ callStatus: 'status', ids: 'whole number', taskId: 'task', callTask: 'task_id' },
		{
			ids: 'encoded',
			zone: 'none',
			fraction: 'no digits',
			noSummary: '409',
			noTranscript: 'empty',
		},
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
		expect(String(shown(json[0]).id)).toBe(emulator.store.testCalls[0]!.call_id);
		expect(shown(json[0]).summary).toEqual(expect.any(String));
	});

	it('is not the call of another agent, to another number, or from before', async () => {
		const [agent, other] = agents();
		const mine = { agent_id: agent!.id, phone_number: NUMBERS[0]! };
		// Under way before, and listed only when it ends.
		emulator.store.addCall(
			{ ...mine, created_at: clock.iso(30 * SECOND) },
			{ visibleAt: clock.server + 10 * SECOND },
		);
		emulator.store.addCall({ ...mine, created_at: clock.iso() });
		emulator.store.testCallCourse = { beginsAfter: 20 * SECOND, endsAfter: 50 * SECOND };
		emulator.before(({ method }) => {
			if (method !== 'POST') return;
			emulator.store.addCall({ ...mine, agent_id: other!.id });
			emulator.store.addCall({ ...mine, phone_number: NUMBERS[1]! });
		});
		const { json } = await call();
		expect(json[0]).toMatchObject({ result: 'ended' });
		expect(shown(json[0]).id).toBe(emulator.store.testCalls[0]!.call_id);
	});

	it('is ambiguous if two calls match: the user is told at once, and none is chosen', async () => {
		emulator.store.testCallCourse = { endsAfter: 5 * MINUTE };
		const began = clock.server;
		const mine = { agent_id: agents()[0]!.id, phone_number: NUMBERS[0]! };
		emulator.store.addCall(
			{ ...mine, created_at: clock.iso(-10 * SECOND) },
			{ visibleAt: clock.server + 10 * SECOND },
		);
		const { json, hints } = await call();
		expect(json[0]).toMatchObject({ result: 'ambiguous', call: null });
		expect(json[0]!.candidates).toHaveLength(2);
		expect(hints[0]?.message).toContain('More than one call matches');
		expect(clock.server - began).toBeLessThan(MINUTE);
		expect(posts()).toHaveLength(1);
	});

	it('is not found if calls show no number, until the user enters the name of the field', async () => {
		await account({ readings: { names: 'others' } });
		const { json } = await call();
		expect(json[0]).toMatchObject({ result: 'notFound', call: null });
		expect(json[0]!.explanation).toContain("'Call: Number Called' or 'Call: Task'");
		const names = { callNumber: 'caller' };
		const named = await call(
			{},
			{ numbers: [NUMBERS[2]!], credentials: credentials(undefined, undefined, names) },
		);
		expect(named.json[0]).toMatchObject({ result: 'ended' });
	});

	it('is what is known after Wait at Most', async () => {
		emulator.store.testCallCourse = null;
		const nothing = await call({ waitAtMost: 3 });
		expect(nothing.json[0]).toMatchObject({ result: 'notFound', call: null });
		emulator.store.testCallCourse = { endsAfter: 5 * MINUTE };
		const early = await call({ waitAtMost: 3 }, { numbers: [NUMBERS[1]!] });
		expect(early.json[0]).toMatchObject({ result: 'underWay' });
		expect(early.json[0]!.explanation).toContain('its status is In Progress');
		emulator.store.testCallCourse = { summaryAfter: 9 * MINUTE };
		const bare = await call({ waitAtMost: 3, waitFor: ['summary'] }, { numbers: [NUMBERS[2]!] });
		expect(bare.json[0]).toMatchObject({ result: 'incomplete' });
		expect(shown(bare.json[0]).summary).toBeNull();
	});

	it('is an error if the key may not read the call history, and no call is placed', async () => {
		const { error } = await call({}, { apiKey: emulator.keys.writeCalls });
		expect(error?.httpCode).toBe('403');
		expect(error?.description).toContain('No call was placed');
		expect(error?.description).toContain('READ or READ_WRITE');
		expect(posts()).toEqual([]);
	});

	it('is unknown, and no error, if the key is revoked meanwhile: n8n would place the call again', async () => {
		emulator.store.testCallCourse = { endsAfter: 5 * MINUTE };
		const match = ({ method, path }: { method: string; path: string }) =>
			method === 'GET' && path === '/call-history';
		emulator.faults.add({ kind: 'unauthorized', match, skip: 4, times: 1000 });
		const { json, error } = await call({}, { node: RETRY });
		expect(error).toBeUndefined();
		expect(json[0]).toMatchObject({
			result: 'unknown',
			task: { task_id: emulator.store.testCalls[0]!.task_id },
		});
		expect(json[0]!.explanation).toContain('401');
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
		const made = emulator.store.testCalls.map(({ call_id }) => call_id);
		expect(json.map(({ result }) => result)).toEqual(['ended', 'ended', 'ended']);
		expect(json.map((item) => shown(item).id)).toEqual(made);
		expect(hints).toEqual([]);
		const [first, second, third] = placedAt();
		expect(second! - first!).toBeGreaterThanOrEqual(40 * SECOND);
		expect(third! - second!).toBeGreaterThanOrEqual(40 * SECOND);
	});

	it('keeps the order of the items over all accounts, also with Parallel Writes', async () => {
		const { items } = clients();
		const order = [0, 0, 1].map((at) => items[at]!);
		const parameters = { ...inTurn, options: { writes: 5 } };
		const { json } = await callForClients(order, parameters);
		expect(json.map(({ result }) => result)).toEqual(order.map(() => 'ended'));
		const placed = emulator.requests.filter(isPost);
		expect(placed.map(({ body }) => (body as IDataObject).agent_id)).toEqual(
			order.map(({ agent }) => agent),
		);
		placed.slice(1).forEach(({ at }, before) => {
			expect(at - placed[before]!.at).toBeGreaterThanOrEqual(MINUTE);
		});
	});

	it('does not wait for a summary before the next call, and gives each item its own', async () => {
		emulator.store.testCallCourse = { endsAfter: 30 * SECOND, summaryAfter: 3 * MINUTE };
		const numbers = [NUMBERS[0]!, NUMBERS[0]!];
		const { json } = await call({ ...inTurn, waitFor: ['summary'] }, { numbers });
		const made = emulator.store.testCalls.map(({ call_id }) => call_id);
		expect(json.map((item) => shown(item).id)).toEqual(made);
		expect(json.map((item) => typeof shown(item).summary)).toEqual(['string', 'string']);
		const [first, second] = placedAt();
		expect(second! - first!).toBeLessThan(2 * MINUTE);
	});

	it('goes on after a call that is refused, without an error that would place the first again', async () => {
		emulator.store.testCallCourse = { endsAfter: 30 * SECOND };
		emulator.faults.add({ kind: 'status', status: 400, match: isPost, skip: 1 });
		const numbers = [NUMBERS[0]!, NUMBERS[0]!, NUMBERS[0]!];
		const { json, error } = await call(inTurn, { numbers });
		expect(error).toBeUndefined();
		expect(json.map(({ result }) => result)).toEqual(['ended', 'notPlaced', 'ended']);
		expect(json[1]!.explanation).toContain('The call was not placed: The API refused the call');
		expect(emulator.store.testCalls).toHaveLength(2);
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
		...[400, 429, 500, 503].map((status) => ({ kind: 'status' as const, status, retryAfter: '1' })),
	),
	on: fc.constantFrom('POST', 'GET', 'any'),
	skip: fc.oneof(fc.nat(2), fc.nat(12)),
	times: fc.constantFrom(1, 2, 5, 1000),
});

/** A run of the node over items of one or two accounts, what the API shows, and what goes wrong. */
const troubledRun = fc.record({
	troubles: fc.array(trouble, { maxLength: 3 }),
	items: fc.array(fc.record({ client: fc.nat(1), agent: fc.nat(1), number: fc.nat(1) }), {
		minLength: 1,
		maxLength: 4,
	}),
	how: fc.constantFrom('alone', 'allAtOnce', 'oneAfterAnother'),
	continues: fc.boolean(),
	retryOnFail: fc.boolean(),
	writes: fc.constantFrom(1, 3),
	readings: fc.record({
		callAgent: fc.constantFrom('id' as const, 'absent' as const),
		callTask: fc.constantFrom('absent' as const, 'task_id' as const),
		underWay: fc.constantFrom('listed' as const, 'hidden' as const),
		ids: fc.constantFrom('uuid' as const, 'whole number' as const),
	}),
	/** When each call begins, and how long it takes, in seconds. */
	courses: fc.array(fc.tuple(fc.constantFrom(0, 3, 100), fc.constantFrom(0, 5, 25, 70)), {
		minLength: 4,
		maxLength: 4,
	}),
});

it('an execution that n8n runs again places no second call, and says so', async () => {
	const again = { executionId: 'one that a worker left' };
	await call({ waitForResult: false }, again);
	const second = await call({ waitForResult: false }, again);
	expect(second.error?.message).toContain('n8n runs this execution again');
	expect(emulator.store.testCalls).toHaveLength(1);
	// An execution that placed none may be tried again.
	const third = { executionId: 'another' };
	emulator.faults.add({ kind: 'status', status: 401 });
	expect((await call({ waitForResult: false }, third)).error).toBeDefined();
	expect((await call({ waitForResult: false }, third)).error).toBeUndefined();
	expect(emulator.store.testCalls).toHaveLength(2);
});

it('whatever fails, no item places two calls, and none gets the call of another one', async () => {
	const property = fc.asyncProperty(troubledRun, async (given) => {
		const { troubles, items, how, continues, retryOnFail, writes, readings, courses } = given;
		await account({ readings });
		const known = clients();
		const stores = known.organizations.map(({ store }) => store);
		const callers = stores.map((store) => [store.addAgent('outbound'), store.addAgent('outbound')]);
		emulator.before(() => {
			const placed = stores.flatMap(({ testCalls }) => testCalls).length;
			const [begins, takes] = courses[placed % 4]!;
			const course = { beginsAfter: begins * SECOND, endsAfter: (begins + takes) * SECOND };
			for (const store of stores) store.testCallCourse = course;
		});
		for (const { fault, on, skip, times } of troubles) {
			const match = ({ method }: { method: string }) => on === 'any' || method === on;
			emulator.faults.add({ ...fault, match, skip, times });
		}
		const node = {
			...(continues && { onError: 'continueRegularOutput' as const }),
			...(retryOnFail && RETRY),
		};
		const wanted = items.map(({ client, agent, number }) => ({
			...known.items[client],
			agent: callers[client]![agent]!.id,
			number: NUMBERS[number]!,
			client,
		}));
		const waiting = how === 'alone' ? { waitForResult: false } : { placeCalls: how, waitAtMost: 2 };
		const parameters = { ...waiting, options: { writes } };
		const { json, error } = await callForClients(wanted, parameters, { node });

		// A request that was refused unprocessed may come again: what counts is what was placed.
		const isOf = (client: number) => (one: { client: number }) => one.client === client;
		const keyOf = ({ agent, number }: { agent: string; number: string }) => `${agent} ${number}`;
		stores.forEach(({ testCalls }, client) => {
			const left = wanted.filter(isOf(client)).map(keyOf);
			for (const { agent_id: agent, phone_number: number } of testCalls) {
				const at = left.indexOf(keyOf({ agent, number }));
				expect(at).toBeGreaterThanOrEqual(0);
				left.splice(at, 1);
			}
		});
		// An item without a call says so, and an error of the node means that there is none at all.
		const count = stores.flatMap(({ testCalls }) => testCalls).length;
		const maybe = json.filter((item) => !item.error && item.result !== 'notPlaced');
		expect(count).toBeLessThanOrEqual(maybe.length);
		expect(json).toHaveLength(error ? 0 : items.length);
		const ids = json.flatMap((item) => shown(item)?.id ?? []);
		expect(new Set(ids).size).toBe(ids.length);
		json.forEach((item, at) => {
			if (item.result !== 'ended') return;
			const { client, agent, number } = wanted[at]!;
			const placed = stores[client]!.testCalls.find(
				({ call_id }) => call_id === String(shown(item).id),
			);
			expect(placed).toMatchObject({ agent_id: agent, phone_number: number });
			if (item.task) expect(String((item.task as IDataObject).task_id)).toBe(placed!.task_id);
		});
	});
	await fc.assert(property, { numRuns: 15 });
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

	it('comes for each of several calls when it has ended, also if those under way are hidden', async () => {
		await account({ readings: { underWay: 'hidden' } });
		const ids = underWay(30, 70, 130);
		const { json } = await waitFor(ids);
		expect(json.map((item) => shown(item).id)).toEqual(ids);
		expect(json.map(({ result }) => result)).toEqual(ids.map(() => 'ended'));
	});

	it('ends in an error if there is no such call', async () => {
		const { error } = await waitFor(['3f2b8c1e-5d7a-4e90-9b1c-2a6d4f8e0b37']);
		expect(error?.httpCode).toBe('404');
		expect(error?.message).toContain('shows it only after its end');
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

	/** Changes its counters for this time, and then its state. */
	const runFor = (id: string, ms: number) => {
		const until = clock.server + ms;
		emulator.before(() => {
			const contacted = Math.floor((Math.min(clock.server, until) - until) / SECOND) + 10_000;
			const status = clock.server >= until ? 'completed' : 'running';
			emulator.store.campaigns.change(id, { contacted, status });
		});
		return until;
	};

	it('ends with a final state, in any spelling', async () => {
		await account({ readings: { campaignStates: 'upper case' } });
		const id = started();
		const until = runFor(id, 2 * MINUTE);
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
		const until = runFor(id, 2 * MINUTE);
		const { json } = await waitFor(id, { options: { unchangedFor: 3 } });
		expect(json[0]).toMatchObject({
			result: 'unchanged',
			explanation:
				'Neither its state nor a counter has moved for 3 minutes; its state is is_completed.',
		});
		expect(clock.server - until).toBeGreaterThanOrEqual(3 * MINUTE);
	});

	it('takes the names of final statuses from the credential', async () => {
		await account({ readings: { campaignStates: 'other words' } });
		const id = started();
		runFor(id, MINUTE);
		const names = { campaignEnds: 'over, Is Completed' };
		const { json } = await run('campaign.waitForCompletion', { campaign_id: locator(id) }, [{}], {
			credentials: credentials(undefined, undefined, names),
		});
		expect(json[0]).toMatchObject({ result: 'finished' });
	});
});
