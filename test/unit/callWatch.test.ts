import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { USUAL_NAMES } from '../../nodes/api/names.ts';
import { findCalls, taskIn, textsOf, whoIsCalled } from '../../nodes/waiting/callWatch.ts';
import type { TestCall } from '../../nodes/waiting/callWatch.ts';
import type { JsonObject } from '../../nodes/json.ts';

const SINCE = Date.parse('2026-01-15T09:00:00Z');
const at = (seconds: number) => new Date(SINCE + seconds * 1000).toISOString();

const testCall = (...sent: string[]): TestCall => ({
	names: { ...USUAL_NAMES, callNumber: ['phone_number', 'to'], callTask: ['task_id'] },
	since: SINCE,
	before: new Set(['old']),
	sent: textsOf(sent),
	task: 'task-1',
});

const mine = testCall('agent-1', '+39 333 1234567');

const call = (shown: JsonObject = {}): JsonObject => ({
	id: 'call-1',
	created_at: at(3),
	agent_id: 'agent-1',
	phone_number: '+393331234567',
	...shown,
});

describe('the call of a test call', () => {
	it.each<[what: string, shown: JsonObject]>([
		['its agent and number', {}],
		['its agent as an object', { agent_id: undefined, agent: { id: 'agent-1' } }],
		['its number and no agent', { agent_id: undefined }],
		['no date', { created_at: undefined }],
		['a date a little early', { created_at: at(-4) }],
		['a date without a zone', { created_at: '2026-01-15T09:00:03' }],
		['its task, whatever else it shows', { task_id: 'task-1', agent_id: 'agent-9' }],
	])('is found if it shows %s', (_what, shown) => {
		expect(findCalls(mine, [call(shown)], [])).toEqual({ found: [call(shown)], isClear: true });
	});

	it.each<[what: string, shown: JsonObject]>([
		['another agent', { agent_id: 'agent-2' }],
		['another number', { phone_number: '+393331234568' }],
		['no number', { phone_number: undefined }],
		['a date before', { created_at: at(-6) }],
		['another task', { task_id: 'task-2' }],
		['an ID that was listed before', { id: 'old' }],
		['the ID of the task as its own, and no number', { id: 'task-1', phone_number: '' }],
	])('is not one that shows %s', (_what, shown) => {
		expect(findCalls(mine, [call(shown)], [])).toEqual({ found: [], isClear: false });
	});

	it('is not chosen if two match, or if the one may be that of another test call', () => {
		const calls = [call(), call({ id: 'call-2' })];
		expect(findCalls(mine, calls, [])).toEqual({ found: calls, isClear: false });
		expect(findCalls(mine, [call()], [mine])).toEqual({ found: [call()], isClear: false });
	});

	const placedCall = fc.record({
		agent: fc.nat(1),
		number: fc.nat(1),
		isListed: fc.boolean(),
		isLost: fc.boolean(),
	});
	const scene = fc.record({
		placed: fc.array(placedCall, { minLength: 1, maxLength: 4 }),
		showsAgent: fc.boolean(),
		showsTask: fc.boolean(),
	});

	it('is never that of another test call, also if calls are hidden and answers are lost', () => {
		const property = fc.property(scene, ({ placed, showsAgent, showsTask }) => {
			const known = placed.map(({ agent, number, ...rest }, index) => ({
				...rest,
				agent_id: `agent-${agent}`,
				phone_number: `+3933312345${number}0`,
				id: `own-${index}`,
				task_id: `task-${index}`,
			}));
			const testCalls = known.map(({ agent_id, phone_number, task_id, isLost }) => ({
				...testCall(agent_id, phone_number),
				task: isLost ? undefined : task_id,
			}));
			const listed = known.filter(({ isListed }) => isListed);
			const calls = listed.map(({ id, phone_number, agent_id, task_id }) => ({
				id,
				phone_number,
				created_at: at(2),
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

it.each([
	['task_id', { task_id: 'a', id: 'b' }, 'a'],
	['an id', { id: 7 }, '7'],
	['an object', { task_id: { id: 'a', state: 'queued' } }, 'a'],
	['something else', { ok: true }, undefined],
])('the ID of the task is read from an answer with %s', (_form, answer, task) => {
	expect(taskIn(answer, mine.names)).toBe(task);
});

it('two test calls ring the same phone, whatever agent calls and in whatever form', () => {
	const body = { agent_id: 'agent-1', phone_number: '+39 333 1234567' };
	const other = { agent: { id: 'agent-2' }, to: '0039333-1234567', tries: 3 };
	expect(whoIsCalled(other)).toBe(whoIsCalled(body));
	expect(whoIsCalled({ ...body, phone_number: '+393331234568' })).not.toBe(whoIsCalled(body));
});
