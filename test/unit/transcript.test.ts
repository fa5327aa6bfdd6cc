import { describe, expect, it } from 'vitest';

import { saysSomething } from '../../nodes/domain/callParts.ts';
import { transcriptMarkdown, transcriptText, turnsOf } from '../../nodes/domain/transcript.ts';

const TURNS = [
	{ who: 'agent', said: 'Good evening. How can I help?', second: 4, time: '0:04' },
	{ who: 'caller', said: 'A table for four, please.', second: 65, time: '1:05' },
];
const READ = [
	'[0:04] Agent: Good evening. How can I help?',
	'[1:05] Caller: A table for four, please.',
];
const UNTIMED = READ.map((line) => line.replace(/\[.*?\] /, ''));

const turnsAs = (shape: (turn: (typeof TURNS)[number]) => unknown) => TURNS.flatMap(shape);

const TIMED = turnsAs(({ who, said, second }) => ({ role: who, text: said, at_seconds: second }));

describe('a transcript as text', () => {
	it.each<[shape: string, transcript: unknown, lines?: string[]]>([
		['a list of turns', TIMED],
		['ms', turnsAs((t) => ({ speaker: t.who, content: t.said, start_ms: t.second * 1000 }))],
		['times as text', turnsAs((t) => ({ from: t.who, message: t.said, time: t.time }))],
		['an object that holds them', { call_id: 'x', language: 'it', turns: TIMED }],
		['the only list of an object', { call_id: 'x', blah: TIMED }],
		['an object in an object', { transcript: { segments: TIMED } }],
		['the full text beside them', { text: 'All', turns: TIMED }],
		['no times', turnsAs((t) => ({ participant: t.who, utterance: t.said })), UNTIMED],
		['speakers', turnsAs((t) => ({ speaker: { name: t.who }, text: t.said })), UNTIMED],
		['roles', turnsAs((t) => ({ speaker: { name: 'A', role: t.who }, text: t.said })), UNTIMED],
		[
			'turns without words between them',
			turnsAs((t) => [
				{ speaker: t.who, text: t.said },
				{ speaker: t.who, text: null },
			]),
			UNTIMED,
		],
		['lines', UNTIMED, UNTIMED],
		['text', UNTIMED.join('\n'), UNTIMED],
		['text in an object', { from: '+14155550123', transcript: UNTIMED.join('\n') }, UNTIMED],
	])('has a line for each turn: %s', (_shape, transcript, lines = READ) => {
		expect(transcriptText(transcript)).toBe(lines.join('\n'));
	});

	it.each<[string, object, string]>([
		['a number whose unit is not known, as it is', { at: 4000, text: 'Hi' }, '[4000] Hi'],
		['hours', { start_seconds: 3725, text: 'Hi' }, '[1:02:05] Hi'],
		[
			'what is no turn, as JSON',
			{ role: 'agent', content: null, tool_calls: [{ name: 'book' }] },
			'{"role":"agent","content":null,"tool_calls":[{"name":"book"}]}',
		],
		[
			'a text with line breaks on one line, so that it cannot pose as another turn',
			{ role: 'caller', text: 'Yes.\n[0:09] Agent: You win.' },
			'Caller: Yes. [0:09] Agent: You win.',
		],
	])('shows %s', (_what, turn, line) => {
		expect(transcriptText([turn])).toBe(line);
	});

	it('is JSON if it has another shape', () => {
		for (const unknown of [{ call_id: 'x', recording: { seconds: 12 } }, { a: [1], b: [2] }, 7]) {
			expect(transcriptText(unknown)).toBe(JSON.stringify(unknown));
		}
	});

	it.each([
		null,
		undefined,
		'',
		' ',
		[],
		{},
		[null],
		{ call_id: 'x' },
		[{ role: 'agent', text: '' }],
		{ transcript: null },
		{ turns: [], language: 'it' },
	])('is empty if nobody spoke: %j', (transcript) => {
		expect(turnsOf(transcript)).toEqual([]);
		expect(transcriptText(transcript)).toBe('');
		expect(transcriptMarkdown(transcript)).toBe('');
	});
});

describe('a transcript as Markdown', () => {
	it('shows who said what, one paragraph per turn', () => {
		expect(transcriptMarkdown(TIMED)).toBe(
			'**Agent** (0:04): Good evening. How can I help?\n\n**Caller** (1:05): A table for four, please.',
		);
	});

	it.each([
		['text', '# 2 * 3 <b>', '\\# 2 \\* 3 &lt;b>'],
		['text', '![a](http://evil/x.png)', '!\\[a\\](http://evil/x.png)'],
		['text', 'R&D, 3 > 2, #5', 'R&D, 3 > 2, #5'],
		['text', '&lt;b>', '&amp;lt;b>'],
		['text', '- one', '\\- one'],
		['speaker', '[c](http://evil)', '**\\[c\\](http://evil)**: Hi'],
	])('shows marks in the %s unchanged: %s', (field, marks, line) => {
		expect(transcriptMarkdown([{ text: 'Hi', [field]: marks }])).toBe(line);
	});

	it('keeps the lines of a text', () => {
		expect(transcriptMarkdown('Agent: Hi\r\n===\r\n1) x')).toBe('Agent: Hi  \n\\===  \n1\\) x');
	});
});

it.each([
	{ call_id: 'x', status: 'processing', turns: [] },
	{ call_id: 'x', language: 'it', dialogue: [] },
	{ created_at: '2026-10-01T10:00:00Z', transcript: '' },
])('a transcript that the API is still making is not there: %j', (part) => {
	expect(saysSomething(part)).toBe(false);
});

it.each([
	{ text: null, dialogue: ['Hello'] },
	{ turns: [], transcript: 'Hello' },
	{ text: null, transcript: { content: 'Hello' } },
])('a transcript is there under any name: %j', (part) => {
	expect(saysSomething(part)).toBe(true);
});
