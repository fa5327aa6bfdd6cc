import { describe, expect, test } from 'vitest';

import { USUAL_NAMES } from '../../nodes/api/names.ts';
import { checkCall, type Checks } from '../../nodes/checks/checkCall.ts';

const call = {
	call_status: 'Completed',
	duration_seconds: 60,
	transcript: {
		turns: [
			{ role: 'agent', text: 'Good evening,' },
			{ role: 'agent', text: 'this is Trattoria Aurora, in Hauptstraße 1.' },
			{ role: 'user', text: 'Do you have Tiramisù?' },
			{ role: 'agent', text: 'We don’t, but  we have panna cotta.' },
		],
	},
	summary: 'The caller asked for a dessert.',
};

const check = (checks: Checks, changes: object = {}) =>
	checkCall(checks, { ...call, ...changes }, USUAL_NAMES);

const said = (text: string) => ({ role: 'agent', text });

const PASSED = {
	passed: true,
	failed_checks: '',
	failed_check_count: 0,
	score: 1,
	checks_note: null,
};

describe('a call is checked', () => {
	test.each<[what: string, checks: Checks]>([
		['upper case and accents', { callerMustSay: ['TIRAMISU'] }],
		['what one side said in two turns in a row', { agentMustSay: ['good evening, this is'] }],
		['apostrophes and spaces', { agentMustSay: ["we don't, but we  have"] }],
		['what the other side said', { agentMustNotSay: ['tiramisù'] }],
		['what was not said in a row', { agentMustNotSay: ['aurora. we'] }],
		['the length at its bounds', { minSeconds: 60, maxSeconds: 60 }],
		[
			'the status and the summary',
			{ expectedStatus: 'Completed', summaryMustContain: ['DESSERT'] },
		],
	])('%s', (_what, checks) => {
		expect(check(checks)).toEqual(PASSED);
	});

	test.each([
		['οδοσ', 'Οδοσήμανση', true],
		['Fußball', 'FUẞBALL', true],
		['ばい', 'はい', false],
	])('in any script: whether %s is said by %s', (sought, words, passed) => {
		const transcript = [said(words)];
		expect(check({ agentMustSay: [sought] }, { transcript })).toMatchObject({ passed });
	});

	test.each<[sought: string, words: string, passed?: boolean]>([
		// What a text is written with.
		...[...'ʼʻ′`´‘’‛'].map((mark): [string, string] => ["don't", `We don${mark}t`]),
		['we don’t', "we don't"],
		['“yes”', 'Yes.'],
		['check-in', 'Check‑in'],
		['9-5', '9–5'],
		['well…', 'Well...'],
		['until 11', 'Ｕｎｔｉｌ １１'],
		['co\u00adoperate', 'cooperate'],
		// Punctuation between words is chance.
		['hello we are open until eleven', 'Hello! We are open, until eleven.'],
		['Hello. We are open - until eleven', 'Hello we are open until eleven'],
		['open until eleven', 'open—until eleven'],
		['¿cómo está?', 'Como esta'],
		// What stands between digits, or means something, is none.
		['12.50', 'It is 12,50 euros', false],
		['8:30', 'at 8.30', false],
		['50%', '50 euros', false],
		["we'll", 'we ll', false],
		['12.50', 'It is €12.50.', true],
	])('%s is said by %s', (sought, words, passed = true) => {
		expect(check({ agentMustSay: [sought] }, { transcript: [said(words)] })).toMatchObject({
			passed,
		});
	});

	const notSaid = (text: string): Checks => ({ agentMustNotSay: [text] });
	const used = [{ arguments: 'goodbye' }];
	test.each<[what: string, passed: boolean, checks: Checks, turn: object]>([
		['an unknown part of the agent', false, notSaid('refund'), { content: [{ t: 'A refund.' }] }],
		['a tool that answers', true, notSaid('refund'), { role: 'tool_result', text: 'A refund.' }],
		['a tool that is used', true, notSaid('bye'), { content: null, tool_calls: used }],
		['a caller with a name', true, notSaid('11'), { speaker: 'Max', role: 'user', text: '11?' }],
	])('and what the agent must not say is said by %s', (_what, passed, checks, turn) => {
		const turns = [said('Good evening.'), { role: 'agent', ...turn }];
		expect(check(checks, { transcript: turns })).toMatchObject({ passed });
	});

	const UNHEARD = 'There is no transcript, so nobody knows what was said.';
	test.each<[sentence: string, checks: Checks, changes?: object]>([
		['The agent did not say "Tiramisù".', { agentMustSay: ['Tiramisù', 'Aurora'] }],
		['The agent said "panna cotta".', { agentMustNotSay: ['panna cotta'] }],
		['The caller did not say "goodbye".', { callerMustSay: ['goodbye'] }],
		['The call ended as Completed, not as Voicemail.', { expectedStatus: 'Voicemail' }],
		['The call took 60 seconds, less than 61.', { minSeconds: 61 }],
		['The call took 60 seconds, more than 59.', { maxSeconds: 59 }],
		['The summary does not contain "pizza".', { summaryMustContain: ['pizza'] }],
		// What is not known has not passed.
		[UNHEARD, { agentMustNotSay: ['x'] }, { transcript: null }],
		['There is no summary.', { summaryMustContain: ['x'] }, { summary: null }],
		[
			'The call does not show how long it took.',
			{ maxSeconds: 10 },
			{ duration_seconds: undefined },
		],
		[
			'The call shows no status, but Completed was expected.',
			{ expectedStatus: 'Completed' },
			{ call_status: undefined },
		],
	])('and what is wrong is said: %s', (failed_checks, checks, changes) => {
		expect(check(checks, changes)).toMatchObject({
			passed: false,
			failed_checks,
			failed_check_count: 1,
		});
	});

	test('one unknown speaker takes nothing away from the known ones, and a system says nothing', () => {
		const turns = { agent: 'Hello.', caller: 'A table.', Aurora: 'At eight.', system: 'secret' };
		const transcript = Object.entries(turns).map(([role, text]) => ({ role, text }));
		const failed = (checks: Checks) => check(checks, { transcript }).failed_checks;
		expect(failed({ agentMustNotSay: ['table', 'secret'], callerMustSay: ['table'] })).toBe('');
		const unknown = 'The agent, or somebody unknown, said "eight".';
		expect(failed({ agentMustNotSay: ['eight'] })).toBe(unknown);
		expect(failed({ callerMustSay: ['hello'] })).toBe('The caller did not say "hello".');
	});

	test.each<[what: string, transcript: unknown]>([
		['by a name', [said('Hi.'), { role: 'Mario', text: 'A table for two.' }]],
		['in two lines', 'A table\nfor two.'],
	])(
		'what nobody knows who said counts for both, and the item says so: %s',
		(_what, transcript) => {
			const both = { agentMustSay: ['table for two'], callerMustSay: ['table for two'] };
			const checks_note = expect.stringContaining('counts for both') as string;
			expect(check(both, { transcript })).toEqual({ ...PASSED, checks_note });
		},
	);

	test('a reason of several checks is said once', () => {
		const checks = { agentMustSay: ['good evening', 'x'], maxSeconds: 100 };
		expect(check(checks, { transcript: null })).toEqual({
			passed: false,
			failed_checks: UNHEARD,
			failed_check_count: 2,
			score: 0.33,
			checks_note: null,
		});
	});
});
