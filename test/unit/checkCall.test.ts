import { describe, expect, test } from 'vitest';

import { USUAL_NAMES } from '../../nodes/api/names.ts';
import { checkCall, unchecked, type Checks } from '../../nodes/checks/checkCall.ts';

const TURNS = [
	{ role: 'agent', text: 'Good evening,' },
	{ role: 'agent', text: 'this is Trattoria Aurora, in Hauptstraße 1.' },
	{ role: 'user', text: 'Do you have Tiramisù?' },
	{ role: 'agent', text: 'We don’t, but  we have panna cotta.' },
];

const call = {
	call_status: 'Completed',
	duration_seconds: 60,
	transcript: { turns: TURNS },
	summary: 'The caller asked for a dessert.',
};

/** The sentences of what failed. */
const failed = (checks: Checks, changes: object = {}) =>
	checkCall(checks, { ...call, ...changes }, USUAL_NAMES)
		.failed_checks.split(/(?<=\.) (?=The)/)
		.filter(Boolean);

const PASSED = { passed: true, failed_checks: '', failed_check_count: 0, score: 1 };

test.each<Checks>([{}, { agentMustSay: [], agentMustNotSay: [], expectedStatus: undefined }])(
	'without a check, nobody knows if the call passes, and a note says so: %j',
	(checks) => {
		const checks_note = 'All checks are blank for this item, so nothing was checked.';
		expect(checkCall(checks, call, USUAL_NAMES)).toEqual({
			...{ passed: null, failed_checks: '', failed_check_count: 0, score: null, checks_note },
		});
	},
);

describe('a call is checked', () => {
	test.each<[what: string, checks: Checks]>([
		['upper case and accents', { callerMustSay: ['TIRAMISU'] }],
		['what one side said in two turns in a row', { agentMustSay: ['good evening, this is'] }],
		['a letter that upper case makes two of', { agentMustSay: ['HAUPTSTRASSE'] }],
		['apostrophes and spaces', { agentMustSay: ["we don't, but we  have"] }],
		['what the other side said', { agentMustNotSay: ['tiramisù'] }],
		['what was not said in a row', { agentMustNotSay: ['aurora. we'] }],
		['the status in another spelling', { expectedStatus: 'Completed' }],
		['the length at its bounds', { minSeconds: 60, maxSeconds: 60 }],
		['the summary', { summaryMustContain: ['a DESSERT'] }],
	])('%s', (_what, checks) => {
		expect(checkCall(checks, call, USUAL_NAMES)).toEqual(PASSED);
	});

	test.each([
		['οδοσ', 'Οδοσήμανση'],
		['ΚΑΛΟΣ', 'ΚΑΛΟΣΎΝΗ'],
		['Fußball', 'FUẞBALL'],
		['o\u0308l', 'ÖL'],
	])('%s is said by %s', (sought, said) => {
		const transcript = { turns: [{ role: 'agent', text: said }] };
		expect(failed({ agentMustSay: [sought] }, { transcript })).toEqual([]);
	});

	test.each([
		['हाँ', 'नहीं'],
		['ばい', 'はい'],
		['\u0301', 'Yes.'],
	])('%s is not said by %s', (sought, said) => {
		const transcript = { turns: [{ role: 'agent', text: said }] };
		expect(failed({ agentMustSay: [sought] }, { transcript })).toHaveLength(1);
	});

	test.each([
		{ text: null, content: [{ type: 'text', text: 'A full refund.' }] },
		{ content: null, audio: { transcript: 'A full refund.' } },
	])('what an unknown part says is not overlooked: %j', (turn) => {
		const transcript = [{ role: 'assistant', ...turn }];
		expect(failed({ agentMustNotSay: ['refund'] }, { transcript })).toHaveLength(1);
	});

	test.each<[who: string, transcript: object[], checks: Checks, failures: number]>([
		['a tool', [{ role: 'tool_result', text: 'A refund.' }], { agentMustNotSay: ['refund'] }, 0],
		[
			'a tool that is used',
			[{ role: 'agent', content: null, tool_calls: [{ arguments: 'goodbye' }] }],
			{ agentMustNotSay: ['goodbye'] },
			0,
		],
		[
			'a caller with a name',
			[{ speaker: 'Max Weber', role: 'user', text: 'Open until eleven?' }],
			{ agentMustSay: ['eleven'] },
			1,
		],
	])('%s is not the agent', (_who, turns, checks, failures) => {
		const transcript = [{ role: 'assistant', content: 'Good evening.' }, ...turns];
		expect(failed(checks, { transcript })).toHaveLength(failures);
	});

	test.each<[checks: Checks, sentences: string[]]>([
		[{ agentMustSay: ['Tiramisù', 'Aurora'] }, ['The agent did not say "Tiramisù".']],
		[{ agentMustNotSay: ['panna cotta'] }, ['The agent said "panna cotta".']],
		[{ callerMustSay: ['goodbye'] }, ['The caller did not say "goodbye".']],
		[{ expectedStatus: 'Voicemail' }, ['The call ended as Completed, not as Voicemail.']],
		[{ minSeconds: 61 }, ['The call took 60 seconds, less than 61.']],
		[{ maxSeconds: 59 }, ['The call took 60 seconds, more than 59.']],
		[{ summaryMustContain: ['pizza'] }, ['The summary does not contain "pizza".']],
		[
			{ agentMustSay: ['x y z'], expectedStatus: 'Busy', maxSeconds: 1 },
			[
				'The call ended as Completed, not as Busy.',
				'The call took 60 seconds, more than 1.',
				'The agent did not say "x y z".',
			],
		],
	])('and what is wrong is said: %j', (checks, sentences) => {
		expect(checkCall(checks, call, USUAL_NAMES)).toMatchObject({
			passed: false,
			failed_checks: sentences.join(' '),
			failed_check_count: sentences.length,
		});
	});

	test('one unknown speaker takes nothing away from the known ones, and a system says nothing', () => {
		const transcript = [
			{ role: 'agent', text: 'Hello.' },
			{ role: 'caller', text: 'A table.' },
			{ role: 'Aurora', text: 'At eight.' },
			{ role: 'system', text: 'secret' },
		];
		const check = (checks: Checks) => failed(checks, { transcript });
		expect(check({ agentMustNotSay: ['table', 'secret'], callerMustSay: ['table'] })).toEqual([]);
		expect(check({ agentMustNotSay: ['eight'] })).toEqual([
			'The agent, or somebody unknown, said "eight".',
		]);
		expect(check({ callerMustSay: ['hello'] })).toEqual(['The caller did not say "hello".']);
	});

	test('a table gets text and numbers: how many failed, and the share that passed', () => {
		const checks: Checks = {
			agentMustSay: ['good evening', 'x y z'],
			expectedStatus: 'Completed',
			maxSeconds: 100,
		};
		expect(checkCall(checks, call, USUAL_NAMES)).toEqual({
			passed: false,
			failed_checks: 'The agent did not say "x y z".',
			failed_check_count: 1,
			score: 0.75,
		});
		// A third has too many decimals for a table.
		const third = { agentMustSay: ['good evening', 'x', 'y'] };
		expect(checkCall(third, call, USUAL_NAMES)).toMatchObject({ score: 0.33 });
		// One reason for several checks is said once.
		expect(checkCall(checks, { ...call, transcript: null }, USUAL_NAMES)).toMatchObject({
			failed_checks: 'There is no transcript, so nobody knows what was said.',
			failed_check_count: 2,
			score: 0.5,
		});
		expect(unchecked('Nobody knows.', checks)).toEqual({
			...{ passed: false, failed_checks: 'Nobody knows.', failed_check_count: 4, score: 0 },
		});
	});

	const NO_TRANSCRIPT = ['There is no transcript, so nobody knows what was said.'];
	test.each<[changes: object, checks: Checks, sentences: string[]]>([
		[{ transcript: null }, { agentMustNotSay: ['x'] }, NO_TRANSCRIPT],
		[{ transcript: { turns: [] } }, { agentMustNotSay: ['x'] }, NO_TRANSCRIPT],
		[{ summary: null }, { summaryMustContain: ['x'] }, ['There is no summary.']],
		[
			{ duration_seconds: undefined },
			{ maxSeconds: 10 },
			['The call does not show how long it took.'],
		],
		[
			{ call_status: undefined },
			{ expectedStatus: 'Completed' },
			['The call shows no status, but Completed was expected.'],
		],
	])('what is not known has not passed: %j', (changes, checks, sentences) => {
		expect(failed(checks, changes)).toEqual(sentences);
	});

	test('what the transcript assigns to nobody counts for both, and the item says so', () => {
		const mixed = [
			{ role: 'agent', text: 'Good evening.' },
			{ role: 'Mario', text: 'A table' },
			{ role: 'Mario', text: 'for two.' },
		];
		const checks = { agentMustSay: ['table for two'], callerMustSay: ['table for two'] };
		for (const transcript of [mixed, 'Good evening.\nA table for two.', 'A table\nfor two.']) {
			expect(checkCall(checks, { ...call, transcript }, USUAL_NAMES)).toEqual({
				...PASSED,
				checks_note: expect.stringContaining('counts for both'),
			});
		}
	});
});
