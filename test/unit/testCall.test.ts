import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { hasEnded, type CallFields } from '../../nodes/domain/call.ts';
import type { JsonObject } from '../../nodes/json.ts';
import { findCalls, type TestCall } from '../../nodes/domain/testCall.ts';

const fields: CallFields = {
	agent: ['agent_id', 'agent'],
	number: ['phone_number', 'to'],
	task: ['task_id'],
	status: ['call_status', 'status'],
};

const SINCE = Date.parse('2026-01-15T09:00:00Z');
const at = (seconds: number) => new Date(SINCE + seconds * 1000).toISOString();

const testCall = (partial: Partial<TestCall> = {}): TestCall => ({
	fields,
	sent: ['agent-1', '+39 333 1234567'],
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

const find = (calls: JsonObject[], partial: Partial<TestCall> = {}) =>
	findCalls([testCall(partial)], calls)[0];

describe('the listed call of a test call', () => {
	it.each([
		['its agent and number', call()],
		[
			'its agent as an object',
			call({ agent_id: undefined, agent: { id: 'agent-1', name: 'Ann' } }),
		],
		['its agent in other letters', call({ agent_id: 'AGENT-1' })],
		['its agent and no number', call({ phone_number: undefined })],
		['its number and no agent', call({ agent_id: undefined })],
		['its number among others', call({ phone_number: '+390699999999', to: '0039 333-1234567' })],
		['a number that cannot be compared', call({ phone_number: '+39333****567' })],
		['an agent that cannot be read', call({ agent_id: { name: 'Ann' } })],
		['no date', call({ created_at: undefined })],
		['a date a little early', call({ created_at: at(-4) })],
		['a date without a zone', call({ created_at: '2026-01-15T09:00:03' })],
		['an id that is a number', call({ id: 7 })],
	])('may show %s', (_what, one) => {
		expect(find([one])).toEqual({ kind: 'one', call: one });
	});

	it.each([
		['another agent', call({ agent_id: 'agent-2' })],
		['another number', call({ phone_number: '+393331234568' })],
		['null as its agent', call({ agent_id: null })],
		['a date before', call({ created_at: at(-6) })],
		['that it came in', call({ direction: 'inbound' })],
		['another task', call({ task_id: 'task-2' })],
	])('does not show %s', (_what, one) => {
		expect(find([one], { task: 'task-1' })).toEqual({ kind: 'none' });
	});

	it('was not there before the test call', () => {
		expect(find([call()], { before: new Set(['call-1']) })).toEqual({ kind: 'none' });
		expect(find([call({ id: 7 })], { before: new Set(['7']) })).toEqual({ kind: 'none' });
	});

	it('is not chosen if there are several', () => {
		const calls = [call(), call({ id: 'call-2' })];
		expect(find(calls)).toEqual({ kind: 'several', calls });
	});

	it('is the one with the ID of its task, whatever else it shows', () => {
		const named = call({ id: 'call-2', task_id: 'task-1', agent_id: 'agent-9' });
		expect(find([call(), named], { task: 'task-1' })).toEqual({ kind: 'one', call: named });
		const itself = call({ id: 'task-1', agent_id: undefined, phone_number: undefined });
		expect(find([itself], { task: 'task-1' })).toEqual({ kind: 'one', call: itself });
	});

	it('is not known if calls show neither agent nor number', () => {
		const bare = { id: 'call-1', created_at: at(3) };
		expect(find([bare])).toEqual({ kind: 'unnamed', calls: [bare] });
		expect(find([bare, call({ id: 'call-2' })])).toEqual({
			kind: 'one',
			call: call({ id: 'call-2' }),
			doubts: [bare],
		});
	});

	it('is not chosen if it can be that of another test call, unless it names one of their tasks', () => {
		const two = [testCall({ task: 'task-1' }), testCall({ task: 'task-2' })];
		const calls = [call()];
		expect(findCalls(two, calls)).toEqual([
			{ kind: 'several', calls },
			{ kind: 'several', calls },
		]);
		const named = [call({ task_id: 'task-1' }), call({ id: 'call-2' })];
		expect(findCalls(two, named)).toEqual([
			{ kind: 'one', call: named[0] },
			{ kind: 'one', call: named[1] },
		]);
	});

	/** Some test calls, other calls, and what the list shows of each. */
	const scene = fc.record({
		placedCalls: fc.array(fc.record({ agent: fc.nat(1), number: fc.nat(2) }), {
			minLength: 1,
			maxLength: 4,
		}),
		others: fc.array(fc.record({ agent: fc.nat(1), number: fc.nat(2) }), { maxLength: 3 }),
		showsAgent: fc.boolean(),
		showsNumber: fc.boolean(),
		showsTask: fc.boolean(),
	});

	it('is never guessed: the call that is found is always the right one', () => {
		fc.assert(
			fc.property(scene, ({ placedCalls, others, showsAgent, showsNumber, showsTask }) => {
				const number = (n: number) => `+3933312345${n}0`;
				const placed = placedCalls.map((one, index) =>
					testCall({ sent: [`agent-${one.agent}`, number(one.number)], task: `task-${index}` }),
				);
				const record = (one: { agent: number; number: number }, id: string, task?: string) => ({
					id,
					created_at: at(2),
					...(showsAgent && { agent_id: `agent-${one.agent}` }),
					...(showsNumber && { phone_number: number(one.number) }),
					...(showsTask && task && { task_id: task }),
				});
				const calls = [
					...placedCalls.map((one, index) => record(one, `own-${index}`, `task-${index}`)),
					...others.map((one, index) => record(one, `other-${index}`, `foreign-${index}`)),
				];
				findCalls(placed, calls).forEach((finding, index) => {
					if (finding.kind === 'one') expect(finding.call.id).toBe(`own-${index}`);
					else if (showsTask) throw new Error(`test call ${index} is not found by its task`);
				});
			}),
		);
	});
});

describe('the end of a call', () => {
	it.each([
		'Completed',
		'not_answered',
		'REJECTED',
		'failed',
		'Busy',
		'voicemail',
		'ended in queue',
	])('is %s', (status) => expect(hasEnded({ call_status: status }, fields.status)).toBe(true));

	it.each(['In Progress', 'queued', 'Ringing', '', null, undefined, 7])('is not %s', (status) =>
		expect(hasEnded({ status }, fields.status)).toBe(false),
	);

	it('is shown by the first field that holds a status', () => {
		expect(hasEnded({ call_status: null, status: 'Busy' }, fields.status)).toBe(true);
		expect(hasEnded({ call_status: 'In Progress', status: 'Busy' }, fields.status)).toBe(false);
	});
});
