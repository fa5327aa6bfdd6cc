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
	...{ names, since: SINCE, before: new Set<string>() },
	sent: textsOf({ agent_id: 'agent-1', more: { phone_number: '+39 333 1234567' } }),
	...partial,
});

const call = (partial: JsonObject = {}): JsonObject => ({
	...{ id: 'call-1', created_at: at(3), agent_id: 'agent-1', phone_number: '+393331234567' },
	...partial,
});

const find = (calls: JsonObject[], partial: Partial<TestCall> = {}, others: TestCall[] = []) =>
	findCalls(testCall(partial), calls, others);

const clearly = (one: JsonObject) => ({ found: [one], isClear: true });

describe('the call of a test call', () => {
	it.each<[what: string, shown: JsonObject]>([
		['its agent and number', {}],
		['its agent as an object', { agent_id: undefined, agent: { id: 'agent-1' } }],
		['its number and no agent', { agent_id: undefined }],
		['no date', { created_at: undefined }],
		['a date a little early', { created_at: at(-4) }],
		['a date without a zone', { created_at: '2026-01-15T09:00:03' }],
	])('is found if it shows %s', (_what, shown) => {
		expect(find([call(shown)])).toEqual(clearly(call(shown)));
	});

	it.each<[what: string, shown: JsonObject]>([
		['another agent', { agent_id: 'agent-2' }],
		['another number', { phone_number: '+393331234568' }],
		['no number', { phone_number: undefined }],
		['a number that is partly hidden', { phone_number: '+39333****567' }],
		['a date before', { created_at: at(-6) }],
		['another task', { task_id: 'task-2' }],
		['an ID that was listed before', { id: 'old' }],
		['the ID of the task as its own, and no number', { id: 'task-1', phone_number: '' }],
	])('is not one that shows %s', (_what, shown) => {
		const found = find([call(shown)], { task: 'task-1', before: new Set(['old']) });
		expect(found).toEqual({ found: [], isClear: false });
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

	const placedCall = fc.record({
		...{ agent: fc.nat(1), number: fc.nat(1), isListed: fc.boolean(), isLost: fc.boolean() },
	});
	const scene = fc.record({
		placed: fc.array(placedCall, { minLength: 1, maxLength: 4 }),
		...{ showsAgent: fc.boolean(), showsTask: fc.boolean() },
	});

	it('is never that of another test call, also if calls are hidden and answers are lost', () => {
		const property = fc.property(scene, ({ placed, showsAgent, showsTask }) => {
			const known = placed.map(({ agent, number, ...rest }, index) => ({
				...{ ...rest, agent_id: `agent-${agent}`, phone_number: `+3933312345${number}0` },
				...{ id: `own-${index}`, task_id: `task-${index}` },
			}));
			const testCalls = known.map(({ agent_id, phone_number, task_id, isLost }) =>
				testCall({ sent: textsOf([agent_id, phone_number]), task: isLost ? undefined : task_id }),
			);
			const listed = known.filter(({ isListed }) => isListed);
			const calls = listed.map(({ id, phone_number, agent_id, task_id }) => ({
				...{ id, phone_number, created_at: at(2) },
				...(showsAgent && { agent_id }),
				...(showsTask && { task_id }),
			}));
			known.forEach(({ id, isLost, isListed }, index) => {
				const others = testCalls.filter((_, other) => other !== index);
				const { found, isClear } = findCalls(testCalls[index]!, calls, others);
				if (isClear) expect(found.map((one) => one.id)).toEqual([id]);
				expect(isClear || !showsTask || isLost || !isListed).toBe(true);
			});
		});
		fc.assert(property, { numRuns: 50 });
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
