import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { USUAL_NAMES } from '../../nodes/api/names.ts';
import {
	findCalls,
	taskIn,
	textsOf,
	whoIsCalled,
	type TestCall,
} from '../../nodes/waiting/callWatch.ts';
import type { JsonObject } from '../../nodes/json.ts';

const names = {
	...USUAL_NAMES,
	callNumber: ['phone_number', 'to'],
	callTask: ['task_id'],
};

const SINCE = Date.parse('2026-01-15T09:00:00Z');
const at = (seconds: number) => new Date(SINCE + seconds * 1000).toISOString();

const testCall = (partial: Partial<TestCall> = {}): TestCall => ({
	names,
	sent: textsOf({ agent_id: 'agent-1', more: { phone_number: '+39 333 1234567' } }),
	since: SINCE,
	before: new Set(),
	...partial,
});

const call = (partial: JsonObject = {}): JsonObject => ({
	id: 'call-1',
	created_at: at(3),
	agent_id: 'agent-1',
	phone_number: '+393331234567',
	...partial,
});

const find = (calls: JsonObject[], partial: Partial<TestCall> = {}, others: TestCall[] = []) =>
	findCalls(testCall(partial), calls, others);

const clearly = (one: JsonObject) => ({ found: [one], isClear: true });
const nothing = { found: [], isClear: false };

describe('the call of a test call', () => {
	it.each([
		['its agent and number', call()],
		['its agent as an object', call({ agent_id: undefined, agent: { id: 'agent-1' } })],
		['its number and no agent', call({ agent_id: undefined })],
		['no date', call({ created_at: undefined })],
		['a date a little early', call({ created_at: at(-4) })],
		['a date without a zone', call({ created_at: '2026-01-15T09:00:03' })],
	])('is found if it shows %s', (_what, one) => {
		expect(find([one])).toEqual(clearly(one));
	});

	it.each([
		['another agent', call({ agent_id: 'agent-2' })],
		['another number', call({ phone_number: '+393331234568' })],
		['no number', call({ phone_number: undefined })],
		['a number that is partly hidden', call({ phone_number: '+39333****567' })],
		['a date before', call({ created_at: at(-6) })],
		['another task', call({ task_id: 'task-2' })],
		['an ID that was listed before', call({ id: 'old' })],
		['the ID of the task as its own, and another number', call({ id: 'task-1', phone_number: '' })],
	])('is not one that shows %s', (_what, one) => {
		expect(find([one], { task: 'task-1', before: new Set(['old']) })).toEqual(nothing);
	});

	it('is the one that names its task, whatever else shows its number', () => {
		const named = call({ id: 'call-2', task_id: 'task-1', agent_id: 'agent-9' });
		expect(find([call(), named], { task: 'task-1' })).toEqual(clearly(named));
	});

	it('is not chosen if two match, or if the one may be that of another test call', () => {
		const calls = [call(), call({ id: 'call-2' })];
		expect(find(calls)).toEqual({ found: calls, isClear: false });
		expect(find([call()], {}, [testCall()])).toEqual({ found: [call()], isClear: false });
	});

	/** Test calls, other calls of the time, and what the list shows of each. */
	const scene = fc.record({
		placed: fc.array(
			fc.record({
				agent: fc.nat(1),
				number: fc.nat(1),
				isListed: fc.boolean(),
				isLost: fc.boolean(),
			}),
			{ minLength: 1, maxLength: 4 },
		),
		showsAgent: fc.boolean(),
		showsTask: fc.boolean(),
	});

	it('is never that of another test call, also if calls are hidden and answers are lost', () => {
		fc.assert(
			fc.property(scene, ({ placed, showsAgent, showsTask }) => {
				const number = (n: number) => `+3933312345${n}0`;
				const testCalls = placed.map(({ agent, number: n, isLost }, index) =>
					testCall({
						sent: textsOf([`agent-${agent}`, number(n)]),
						task: isLost ? undefined : `task-${index}`,
					}),
				);
				const calls = placed.flatMap(({ agent, number: n, isListed }, index) => {
					const shown = { created_at: at(2), phone_number: number(n) };
					const more = {
						...(showsAgent && { agent_id: `agent-${agent}` }),
						...(showsTask && { task_id: `task-${index}` }),
					};
					return isListed ? [{ id: `own-${index}`, ...shown, ...more }] : [];
				});
				testCalls.forEach((one, index) => {
					const others = testCalls.filter((other) => other !== one);
					const { found, isClear } = findCalls(one, calls, others);
					if (isClear) expect(found.map(({ id }) => id)).toEqual([`own-${index}`]);
					const isTold = showsTask && !placed[index]!.isLost && placed[index]!.isListed;
					expect(isClear || !isTold).toBe(true);
				});
			}),
			{ numRuns: 50 },
		);
	});
});

it('two test calls are the same if agent and number are, whatever else their bodies hold', () => {
	const agent = '3f2b8c1e-5d7a-4e90-9b1c-2a6d4f8e0b37';
	const body = { agent_id: agent, phone_number: '+39 333 1234567', note: 'a' };
	const same = { to: { number: '0039333-1234567' }, agent: agent.toUpperCase(), tries: 3 };
	expect(whoIsCalled(body)).toBe(whoIsCalled(same));
	expect(whoIsCalled(body)).not.toBe(whoIsCalled({ ...body, phone_number: '+393331234568' }));
});

it.each([
	['task_id', { task_id: 'a', id: 'b' }, 'a'],
	['an id', { id: 7 }, '7'],
	['an object', { task_id: { id: 'a', state: 'queued' } }, 'a'],
	['the first of a list', [{ task_id: 'a' }], 'a'],
	['nothing', null, undefined],
	['something else', { ok: true }, undefined],
])('the ID of the task is read from an answer with %s', (_form, answer, task) => {
	expect(taskIn(answer, names)).toBe(task);
});
