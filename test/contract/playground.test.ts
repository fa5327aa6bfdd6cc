import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';

import type { FaultKind, LoggedRequest } from '../emulator/index.ts';
import {
	accountInTime,
	agentOf,
	asJson,
	clock,
	CONTINUE,
	credentials,
	emulator,
	fail,
	named,
	restart,
	run,
	succeed,
} from '../support/account.ts';
import type { NodeRun } from '../support/harness.ts';
import { locator } from '../support/samples.ts';
import { MINUTE, SECOND } from '../support/stage.ts';

/** Numbers that may be called. */
const NUMBERS = Array.from({ length: 30 }, (_, at) => `+3933312345${String(at).padStart(2, '0')}`);
const UNVERIFIED = '+393330000000';

accountInTime();

const account = async (readings = {}) => {
	await restart({ readings });
	for (let agent = 0; agent < 2; agent++) emulator.store.addAgent('outbound');
	for (const number of NUMBERS) emulator.store.verifiedNumbers.add(number);
};

beforeEach(async () => await account());

const agents = () => emulator.store.agents.all();
const course = (given: typeof emulator.store.testCallCourse) =>
	void (emulator.store.testCallCourse = given);

/** Makes a test call for each number or item, with the first agent, and waits for the results. */
const call = async (
	parameters: INodeParameters = {},
	rest: Partial<NodeRun> = {},
	wanted: Array<string | IDataObject> = [NUMBERS[0]!],
) => {
	const items = wanted.map((item) => (typeof item === 'string' ? { number: item } : item));
	const agent_id = locator(`={{ $json.agent ?? "${agents()[0]!.id}" }}`);
	const given = { agent_id, phone_number: '={{ $json.number }}', waitForResult: true };
	return await run('playground.makeTestCall', { ...given, ...parameters }, items, rest);
};

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
const ofItem = () => ({ credentials: credentials('={{ $json.apiKey }}') });

const isPost = ({ method }: Pick<LoggedRequest, 'method'>) => method === 'POST';
const posts = () => emulator.requests.filter(isPost);
const shown = (item: IDataObject | undefined) => item?.call as IDataObject;
const resultsOf = ({ json }: { json: IDataObject[] }) => json.map(({ result }) => result);
/** The calls that were placed, in their order. */
const made = () => emulator.store.testCalls.map(({ call_id }) => call_id);

const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const ALONE = { waitForResult: false };
const IN_TURN = { placeCalls: 'oneAfterAnother' };

// That a call whose answer is lost is never placed again: promises/callOnce.
describe('a test call', () => {
	it('whose answer is lost is found in the call history, or is said to be unknown', async () => {
		course({ endsAfter: MINUTE });
		for (const [at, parameters] of [ALONE, { waitAtMost: 2 }].entries()) {
			emulator.faults.add({ kind: 'reset-after', match: isPost });
			const { json, error, hints } = await call(parameters, { node: RETRY }, [NUMBERS[at]!]);
			expect(error).toBeUndefined();
			expect(json[0]).toMatchObject({ task: null });
			if (at === 1) expect(shown(json[0]).phone_number).toBe(NUMBERS[at]);
			else expect(json[0]!.explanation).toContain('It is not known whether the call was placed');
			expect(hints).toHaveLength(1 - at);
		}
		expect(posts()).toHaveLength(2);
	});

	it('reads a number in JSON as people have it, and refuses one without a country code', async () => {
		const agent_id = agentOf('outbound').id;
		const given = (phone_number: string) => asJson({ agent_id, phone_number });
		const [number] = emulator.store.verifiedNumbers;
		await succeed('playground.makeTestCall', given(`tel:${number}`));
		expect(emulator.requests.at(-1)?.body).toMatchObject({ phone_number: number });
		const { message } = await fail('playground.makeTestCall', given('333 1234567'));
		expect(message).toContain('has no country code');
	});

	it('that is refused loses no other call, and the message says so', async () => {
		course({ endsAfter: 30 * SECOND });
		const numbers = [NUMBERS[0]!, UNVERIFIED, NUMBERS[1]!];
		const { json, error, hints } = await call(ALONE, {}, numbers);
		expect(error).toBeUndefined();
		const [first, second] = emulator.store.testCalls;
		const explanation = expect.stringContaining('the phone number is not verified') as string;
		expect(json).toEqual([
			{ task_id: first!.task_id },
			{ task: null, result: 'notPlaced', explanation, call: null },
			{ task_id: second!.task_id },
		]);
		expect(hints).toHaveLength(1);
		const inTurn = resultsOf(await call(IN_TURN, {}, numbers));
		expect(inTurn).toEqual(['ended', 'notPlaced', 'ended']);
	});

	it('that is refused first is an error; with Continue the others are placed', async () => {
		const numbers = [UNVERIFIED, NUMBERS[0]!];
		for (const parameters of [ALONE, {}, IN_TURN]) {
			const { error } = await call(parameters, { node: RETRY }, numbers);
			expect(error?.httpCode).toBe('400');
		}
		expect(emulator.store.testCalls).toEqual([]);
		const { json } = await call(IN_TURN, CONTINUE, numbers);
		expect(json).toMatchObject([{ status: 400 }, { result: 'ended' }]);
	});

	const TWICE = [0, 1, 0].map((at) => NUMBERS[at]!);
	const MANY = NUMBERS.slice(0, 11);
	const SAME = { agentMustSay: 'x', agentMustNotSay: 'x' };

	it.each<[message: string, INodeParameters, Partial<NodeRun>?, numbers?: string[]]>([
		['must have at least one field', { specifyFields: 'json', json: '{}' }],
		["'Retry On Fail' is on", {}, { node: { ...RETRY, ...CONTINUE.node } }, MANY.slice(0, 2)],
		['2 items call the same number', {}, {}, TWICE],
		["11 items would place as many calls, but 'Max Calls per Run' is 10", ALONE, {}, MANY],
		["has a text that is also in 'Agent Must Say'", { checks: SAME }],
		[
			"'Checks → Max Seconds' must not be less than 'Min Seconds'",
			{ checks: { minSeconds: 20, maxSeconds: 10 } },
		],
	])('is refused before anything is sent: %s', async (message, parameters, rest, numbers) => {
		const { error, json } = await call(parameters, rest, numbers);
		expect(error?.message ?? json[0]!.error).toContain(message);
		expect(emulator.requests).toEqual([]);
	});

	it('counts for Max Calls per Run only if its item can be read', async () => {
		const parameters = { ...ALONE, options: { maxCalls: 1 } };
		const { json } = await call(parameters, CONTINUE, ['no number', NUMBERS[0]!]);
		expect(json.map((item) => Object.keys(item)[0])).toEqual(['error', 'task_id']);
	});

	it('is not placed again in an execution that n8n runs again, unless it placed none', async () => {
		const again = { executionId: 'one that a worker left' };
		await call(ALONE, again);
		const second = await call(ALONE, again);
		expect(second.error?.message).toContain('n8n runs this execution again');
		expect(made()).toHaveLength(1);
		const third = { executionId: 'another' };
		emulator.faults.add({ kind: 'status', status: 401 });
		expect((await call(ALONE, third)).error).toBeDefined();
		expect((await call(ALONE, third)).error).toBeUndefined();
		expect(made()).toHaveLength(2);
	});
});

// How often the node looks for a call: unit/rounds. Which call it is: unit/callWatch.
describe('the result of a test call', () => {
	it('is the task and the call with its parts, when the call has ended and they exist', async () => {
		course({ beginsAfter: 4 * SECOND, endsAfter: 40 * SECOND, summaryAfter: 60 * SECOND });
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
					transfer_time: null,
					summary: expect.any(String) as string,
				}) as unknown,
			},
		]);
		expect(hints).toEqual([]);
	});

	it.each([
		{ callAgent: 'absent', taskId: 'id', noPart: 'blank', transcript: 'list' },
		{ ids: 'whole number', taskId: 'task', callTask: 'task_id' },
		{ ids: 'encoded', zone: 'none', fraction: 'no digits', noPart: '409' },
	] as const)('is found if the API reads %j', async (readings) => {
		await account(readings);
		const parts = { summaryAfter: 30 * SECOND, transcriptAfter: 40 * SECOND };
		course({ beginsAfter: 3 * SECOND, endsAfter: 20 * SECOND, ...parts });
		const { json } = await call({ waitFor: ['summary', 'transcript'] });
		expect(json[0]).toMatchObject({ result: 'ended', call: { summary: expect.any(String) } });
		expect(String(shown(json[0]).id)).toBe(made()[0]);
	});

	it('has the transcript as a text for a table', async () => {
		course({ endsAfter: 20 * SECOND, transcriptAfter: 40 * SECOND });
		const { json } = await call({ waitFor: ['transcriptText'] });
		expect(json[0]).toMatchObject({ result: 'ended' });
		expect(shown(json[0]).transcript_text).toMatch(/Aurora/);
		expect(shown(json[0])).not.toHaveProperty('transcript');
	});

	it('is not the call of another agent, to another number, or from before', async () => {
		const [agent, other] = agents();
		const mine = { agent_id: agent!.id, phone_number: NUMBERS[0]! };
		// Under way before, and listed only when it ends.
		const visibleAt = clock.server + 10 * SECOND;
		emulator.store.addCall({ ...mine, created_at: clock.iso(30 * SECOND) }, { visibleAt });
		emulator.store.addCall({ ...mine, created_at: clock.iso() });
		course({ beginsAfter: 20 * SECOND, endsAfter: 50 * SECOND });
		emulator.before((request) => {
			if (!isPost(request)) return;
			emulator.store.addCall({ ...mine, agent_id: other!.id });
			emulator.store.addCall({ ...mine, phone_number: NUMBERS[1]! });
		});
		const { json } = await call();
		expect(json[0]).toMatchObject({ result: 'ended', call: { id: made()[0] } });
	});

	it('is ambiguous if two calls match: the user is told at once, and none is chosen', async () => {
		course({ endsAfter: 5 * MINUTE });
		const began = clock.server;
		const mine = { agent_id: agents()[0]!.id, phone_number: NUMBERS[0]! };
		const created_at = clock.iso(-10 * SECOND);
		emulator.store.addCall({ ...mine, created_at }, { visibleAt: clock.server + 10 * SECOND });
		const { json, hints } = await call();
		expect(json[0]).toMatchObject({ result: 'ambiguous', call: null });
		const ids = emulator.store.calls.all().map(({ id }) => id);
		for (const id of ids) expect(json[0]!.explanation).toContain(id);
		expect(hints[0]?.message).toContain('Another run, or an item before, was calling');
		expect(clock.server - began).toBeLessThan(MINUTE);
		expect(posts()).toHaveLength(1);
	});

	it('is not found if calls show no number, until the user enters the name of the field', async () => {
		await account({ names: 'others' });
		const { json } = await call();
		expect(json[0]).toMatchObject({ result: 'notFound', call: null });
		expect(json[0]!.explanation).toContain("'Call: Number Called' or 'Call: Task'");
		const again = await call({}, named({ callNumber: 'caller' }), [NUMBERS[2]!]);
		expect(resultsOf(again)).toEqual(['ended']);
	});

	it('is what is known after Wait at Most', async () => {
		const after = async (at: number, given: typeof emulator.store.testCallCourse, more = {}) => {
			course(given);
			return (await call({ waitAtMost: 3, ...more }, {}, [NUMBERS[at]!])).json[0]!;
		};
		expect(await after(0, null)).toMatchObject({ result: 'notFound', call: null });
		const early = await after(1, { endsAfter: 5 * MINUTE });
		expect(early.result).toBe('underWay');
		expect(early.explanation).toContain('its status is In Progress');
		const bare = await after(2, { summaryAfter: 9 * MINUTE }, { waitFor: ['summary'] });
		expect(bare).toMatchObject({ result: 'incomplete', call: { summary: null } });
	});

	it('is an error if the key may not read the call history, and no call is placed', async () => {
		const { error } = await call({}, { credentials: credentials(emulator.keys.writeCalls) });
		expect(error?.httpCode).toBe('403');
		expect(error?.description).toMatch(/No call was placed.*READ or READ_WRITE/);
		expect(posts()).toEqual([]);
	});

	it('is unknown, and no error, if the key is revoked meanwhile: n8n would place the call again', async () => {
		course({ endsAfter: 5 * MINUTE });
		const match = ({ method, path }: { method: string; path: string }) =>
			method === 'GET' && path === '/call-history';
		emulator.faults.add({ kind: 'status', status: 401, match, skip: 4, times: 1000 });
		const { json, error } = await call({}, { node: RETRY });
		expect(error).toBeUndefined();
		const task = { task_id: emulator.store.testCalls[0]!.task_id };
		expect(json[0]).toMatchObject({ result: 'unknown', task });
		expect(json[0]!.explanation).toContain('401');
		expect(posts()).toHaveLength(1);
	});
});

describe('One After Another', () => {
	/** How long after each other the calls were placed, in ms. */
	const pauses = () =>
		posts()
			.slice(1)
			.map(({ at }, before) => at - posts()[before]!.at);

	it('gives each item its own call, all of them to one phone, and waits for no summary in between', async () => {
		course({ beginsAfter: 3 * SECOND, endsAfter: 40 * SECOND, summaryAfter: 3 * MINUTE });
		const numbers = Array<string>(3).fill(NUMBERS[0]!);
		const result = await call({ ...IN_TURN, waitFor: ['summary'] }, {}, numbers);
		expect(resultsOf(result)).toEqual(['ended', 'ended', 'ended']);
		expect(result.json.map((item) => shown(item).id)).toEqual(made());
		for (const item of result.json) expect(shown(item).summary).toEqual(expect.any(String));
		expect(result.hints).toEqual([]);
		expect(Math.min(...pauses())).toBeGreaterThanOrEqual(40 * SECOND);
		expect(Math.max(...pauses())).toBeLessThan(2 * MINUTE);
	});

	it('finds its call while another run calls the same number, if calls show their task', async () => {
		for (const callTask of ['task_id', 'absent'] as const) {
			await account({ callTask });
			course({ beginsAfter: 3 * SECOND, endsAfter: 40 * SECOND });
			const results = await Promise.all([call(IN_TURN), call(IN_TURN)]);
			const wanted = callTask === 'task_id' ? 'ended' : 'ambiguous';
			expect(results.flatMap(resultsOf)).toEqual([wanted, wanted]);
			for (const { json } of results) {
				const about = wanted === 'ended' ? 'The call ended' : 'Another run';
				expect(json[0]!.explanation).toContain(about);
			}
		}
	});

	it('keeps the order of the items over all accounts, also with Parallel Writes', async () => {
		const { items } = clients();
		const order = [0, 0, 1].map((at) => items[at]!);
		const result = await call({ ...IN_TURN, options: { writes: 5 } }, ofItem(), order);
		expect(resultsOf(result)).toEqual(['ended', 'ended', 'ended']);
		const called = posts().map(({ body }) => (body as IDataObject).agent_id);
		expect(called).toEqual(order.map(({ agent }) => agent));
		expect(Math.min(...pauses())).toBeGreaterThanOrEqual(MINUTE);
	});
});

// Each answer after which nobody knows whether a call was placed: promises/callOnce.
it.each<[what: string, fault: FaultKind]>([
	['a connection that breaks before the request is handled', { kind: 'reset-before' }],
	['a connection that breaks after it', { kind: 'reset-after' }],
	['half an answer', { kind: 'half-body' }],
	['a page', { kind: 'html' }],
	...[400, 401, 429, 500, 503].map((status): [string, FaultKind] => [
		`status ${status}`,
		{ kind: 'status', status, retryAfter: '1' },
	]),
])(
	'after %s no call is placed twice, and no item gets the call of another one',
	async (_what, fault) => {
		for (const placeCalls of ['allAtOnce', 'oneAfterAnother']) {
			for (const skip of [0, 1, 2, 4]) {
				await account();
				const { organizations, items } = clients();
				const wanted = [items[0]!, items[1]!, { ...items[0]!, number: NUMBERS[1]! }];
				emulator.faults.add({ ...fault, skip, times: 2 });
				const waiting = { placeCalls, waitAtMost: 2 };
				const node = skip === 1 ? CONTINUE.node : RETRY;
				const { json, error } = await call(waiting, { ...ofItem(), node }, wanted);

				const placed = organizations.flatMap(({ store }) => store.testCalls);
				const called = placed.map(({ agent_id, phone_number }) => `${agent_id} ${phone_number}`);
				expect(called).toEqual([...new Set(called)]);
				// An item without a call says so, and an error of the node means that there is none at all.
				const maybe = json.filter((item) => !item.error && item.result !== 'notPlaced');
				expect(placed.length).toBeLessThanOrEqual(maybe.length);
				expect(json).toHaveLength(error ? 0 : wanted.length);
				json.forEach((item, at) => {
					const { agent: agent_id, number: phone_number } = wanted[at]!;
					if (item.result === 'ended') expect(item.call).toMatchObject({ agent_id, phone_number });
				});
			}
		}
	},
);

// What each check looks at: unit/checkCall.
describe('Checks', () => {
	const check = async (checks: INodeParameters, item: IDataObject = {}) =>
		await call({ checks }, {}, [{ number: NUMBERS[0]!, ...item }]);

	it('say whether the call passed, and wait for what they look at', async () => {
		course({ endsAfter: MINUTE, transcriptAfter: 3 * MINUTE });
		const { json } = await check({ agentMustSay: 'trattoria AURORA', expectedStatus: 'Completed' });
		expect(json[0]).toMatchObject({ passed: true, failed_checks: '', score: 1, result: 'ended' });
		expect(shown(json[0]).transcript).toEqual(expect.anything());
		const failed = await check({ agentMustSay: 'Aurora\nno such words', maxSeconds: '9999' });
		expect(failed.json[0]).toMatchObject({
			passed: false,
			failed_checks: 'The agent did not say "no such words".',
			explanation: 'The call ended: Completed. The agent did not say "no such words".',
		});
	});

	it('fail for a call that nobody answered, or whose result is not known', async () => {
		course({ endsAfter: MINUTE, status: 'Not Answered', transcriptAfter: Infinity });
		const unanswered = await check({ agentMustNotSay: 'I do not know' });
		expect(unanswered.json[0]).toMatchObject({
			result: 'ended',
			passed: false,
			failed_checks: 'The call ended as Not Answered, so nothing was said.',
		});
		course(null);
		const [unknown] = (await check({ expectedStatus: 'Completed' })).json;
		expect(unknown).toMatchObject({ result: 'notFound', passed: false });
		expect(unknown!.failed_checks).toBe(unknown!.explanation);
	});

	it.each([' ', null])(
		'that are blank, as an empty cell of a table, are none: %j',
		async (blank) => {
			course({ endsAfter: MINUTE });
			const cell = '={{ $json.blank }}';
			const checks = { agentMustSay: cell, expectedStatus: cell, maxSeconds: cell };
			const { json, error } = await check({ ...checks, minSeconds: 1 }, { blank });
			expect(error).toBeUndefined();
			expect(json[0]).toMatchObject({ passed: true, score: 1, failed_checks: '' });
			emulator.reset();
			const unchecked = (await check(checks, { blank })).error?.message;
			expect(unchecked).toMatch(/'Checks' are all blank for this item\. Fill one in/);
			expect(emulator.requests).toEqual([]);
		},
	);

	it('whose expression gives nothing are a mistake: a column that is misspelt checks nothing', async () => {
		const checks = { agentMustSay: '={{ $json.must_sey }}', expectedStatus: 'Completed' };
		const { error } = await check(checks, { must_say: 'until eleven' });
		expect(error?.message).toContain("'Checks → Agent Must Say' has no value. Correct its");
		expect(emulator.requests).toEqual([]);
	});

	it('are separated by semicolons, as by lines', async () => {
		const { json } = await check({ agentMustSay: 'Aurora; no such; words\nnor these' });
		expect(json[0]).toMatchObject({ failed_check_count: 3, score: 0.25 });
	});

	describe('of a row that was not called', () => {
		const checks = { agentMustSay: 'Aurora', maxSeconds: '={{ $json.most }}' };
		const uncalled = (why: string) => ({
			task: null,
			passed: false,
			failed_checks: expect.stringContaining(why) as string,
			failed_check_count: null,
			score: 0,
			checks_note: null,
			result: 'notPlaced',
			explanation: expect.stringContaining(why) as string,
			call: null,
		});
		/** What last night left in the table. */
		const last = { most: 999, test: 'Hours', input_test: 'x', passed: true, score: 1 };
		const kept = { test: 'Hours', input_test: 'x', input_passed: true, input_score: 1, most: 999 };
		const rows = (...numbers: string[]) => numbers.map((number) => ({ ...last, number }));
		const ALL = { inputFields: '*' };

		it.each<[who: string, why: string, wanted: IDataObject[], rest?: object, node?: object]>([
			['the node', "'Phone Number' must", rows('no number', NUMBERS[0]!)],
			['the API', 'not verified', rows(UNVERIFIED, NUMBERS[0]!)],
			['the API, later', 'not verified', rows(NUMBERS[0]!, UNVERIFIED)],
			['Max Calls per Run', "'Max Calls per Run' is 10", rows(...NUMBERS.slice(0, 11))],
			['Retry On Fail', "'Retry On Fail' is on", rows(...NUMBERS.slice(0, 2)), {}, RETRY],
			['an expression', 'urlEncode', rows(NUMBERS[0]!), { agentMustSay: '={{ 5..urlEncode() }}' }],
			['the credential', 'Base URL', rows(NUMBERS[0]!)],
			['the checks', 'all blank', rows(NUMBERS[0]!), { agentMustSay: '', maxSeconds: '' }],
		])('they say so, in the columns of the others: refused by %s', async (...given) => {
			const [who, why, wanted, more, node] = given;
			course({ endsAfter: MINUTE });
			for (const onError of ['continueRegularOutput', 'continueErrorOutput'] as const) {
				await account();
				course({ endsAfter: MINUTE });
				const rest: Partial<NodeRun> = { node: { onError } };
				if (who === 'the credential') rest.credentials = credentials(undefined, 'ftp://x');
				else Object.assign(rest.node!, node);
				const parameters = { checks: { ...checks, ...more }, options: ALL };
				const { json, error, hints } = await call(parameters, rest, wanted);
				expect(error).toBeUndefined();
				expect(json).toHaveLength(wanted.length);
				const isRefused = ({ result }: IDataObject) => result === 'notPlaced';
				expect(json.filter(isRefused).length).toBeGreaterThan(0);
				for (const item of json) {
					const { number, ...fields } = item;
					if (isRefused(item)) expect(fields).toEqual({ ...kept, ...uncalled(why) });
					else expect(fields).toMatchObject({ ...kept, passed: true, score: 1 });
					// Said once: it begins with the same words.
					expect(item.explanation).not.toContain('No call was placed');
					expect(Object.keys(item).toSorted()).toEqual(Object.keys(json[0]!).toSorted());
					expect(NUMBERS.concat(UNVERIFIED, 'no number')).toContain(number);
				}
				const named = json.length > 1 && json.some((item) => !isRefused(item));
				expect(hints[0]?.message).toMatch(named ? /^Row [12]: The call was not/ : /^The call was/);
			}
		});
	});
});
