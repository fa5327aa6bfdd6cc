import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { transcriptMarkdown, transcriptText, turnsOf } from '../../nodes/domain/transcript.ts';

const TURNS = [
	{ who: 'agent', said: 'Good evening, Trattoria Aurora. How can I help?', second: 0 },
	{ who: 'caller', said: 'A table for four, please.', second: 4 },
	{ who: 'agent', said: 'At what time?', second: 65 },
];

const READ = [
	'[0:00] Agent: Good evening, Trattoria Aurora. How can I help?',
	'[0:04] Caller: A table for four, please.',
	'[1:05] Agent: At what time?',
].join('\n');

const UNTIMED = READ.replaceAll(/\[.*?\] /g, '');

/** The turns with other names for the speaker, the text and the time. */
const turns = (speaker: string, text: string, rest: (second: number) => object) =>
	TURNS.map(({ who, said, second }) => ({ [speaker]: who, [text]: said, ...rest(second) }));

const TIMED = turns('role', 'text', (at) => ({ at }));

describe('a transcript as text', () => {
	it.each<[string, unknown]>([
		['turns with seconds', turns('role', 'text', (at_seconds) => ({ at_seconds }))],
		['turns with milliseconds', turns('speaker', 'content', (s) => ({ start_ms: s * 1000 }))],
		['camel case', turns('speakerName', 'utterance', (s) => ({ startTimeMs: s * 1000 }))],
		['seconds without a unit', turns('from', 'message', (start) => ({ start }))],
		['milliseconds without a unit', turns('from', 'body', (s) => ({ start: s * 1000 }))],
		['fractions', turns('participant', 'sentence', (s) => ({ offset: s + 0.5 }))],
		['numbers as text', turns('author', 'transcript', (s) => ({ timestamp: `${s}.25` }))],
		['seconds alone', turns('sender', 'said', (seconds) => ({ seconds }))],
		['a short unit', turns('who', 'line', (start_s) => ({ start_s }))],
		['a time within the call', turns('role', 'text', (s) => ({ time_in_call_secs: s }))],
		['turns in an object', { call_id: 'x', turns: TIMED }],
		['turns in any field', { call_id: 'x', blah: TIMED }],
		['turns deep inside', { transcript: { result: { segments: TIMED } } }],
		['the full text beside it', { text: 'All', turns: TIMED }],
		['JSON as text', JSON.stringify(TIMED)],
		['JSON inside', { transcript: JSON.stringify(TIMED) }],
		['numbered turns', { ...TIMED }],
	])('reads %s', (_shape, transcript) => {
		expect(transcriptText(transcript)).toBe(READ);
	});

	it.each<[string, unknown]>([
		[
			'speakers as objects',
			TURNS.map(({ who, said }) => ({ speaker: { name: who, id: 7 }, text: said })),
		],
		[
			'texts in parts',
			TURNS.map(({ who, said }) => ({ role: who, content: [{ type: 'text', text: said }] })),
		],
		[
			'words',
			TURNS.map(({ who, said }) => ({
				role: who,
				words: said.split(' ').map((word) => ({ word })),
			})),
		],
		['names as keys', TURNS.map(({ who, said }) => ({ [who]: said }))],
		['pairs', TURNS.map(({ who, said }) => [who, said])],
		['lines', TURNS.map(({ who, said }) => `${who === 'agent' ? 'Agent' : 'Caller'}: ${said}`)],
		['text', UNTIMED],
		['text in an object', { call_id: 'x', from: '+14155550123', transcript: UNTIMED }],
	])('reads %s', (_shape, transcript) => {
		expect(transcriptText(transcript)).toBe(UNTIMED);
	});

	it.each<[string, unknown, string]>([
		[
			'ISO times',
			{ at: '2026-01-31T09:00:00Z', role: 'agent', text: 'Hi' },
			'[2026-01-31T09:00:00Z] Agent: Hi',
		],
		['clock times', { time: '00:01:05', role: 'agent', text: 'Hi' }, '[00:01:05] Agent: Hi'],
		[
			'seconds since 1970',
			{ at: 1769850000, role: 'agent', text: 'Hi' },
			'[2026-01-31T09:00:00.000Z] Agent: Hi',
		],
		[
			'milliseconds since 1970',
			{ at: 1769850000000, role: 'agent', text: 'Hi' },
			'[2026-01-31T09:00:00.000Z] Agent: Hi',
		],
		['a number whose unit is not known', { at: 4000, text: 'Hi' }, '[4000] Hi'],
		['hours', { start_seconds: 3725, text: 'Hi' }, '[1:02:05] Hi'],
		['a numbered speaker', { speaker: 0, text: 'Hi' }, 'Speaker 0: Hi'],
		[
			'a turn that called a tool',
			{ role: 'agent', content: null, tool_calls: [{ name: 'book' }] },
			'{"role":"agent","content":null,"tool_calls":[{"name":"book"}]}',
		],
		['an entry without text', { mood: 3, colour: 'blue' }, '{"mood":3,"colour":"blue"}'],
	])('shows %s', (_what, turn, line) => {
		expect(transcriptText([turn])).toBe(line);
	});

	it('keeps an object that holds no turns as JSON', () => {
		const unknown = { call_id: 'x', recording: { seconds: 12 } };
		expect(transcriptText(unknown)).toBe(JSON.stringify(unknown));
	});

	it.each([
		[null],
		[undefined],
		[''],
		[' '],
		[[]],
		[{}],
		['[]'],
		[{ call_id: 'x' }],
		[{ call_id: 'x', turns: [] }],
		[{ call_id: 'x', transcript: null }],
		[{ turns: [], language: 'it' }],
		[[{ role: 'agent', text: '' }]],
	])('is empty for %j', (transcript) => {
		expect(turnsOf(transcript)).toEqual([]);
		expect(transcriptText(transcript)).toBe('');
		expect(transcriptMarkdown(transcript)).toBe('');
	});

	const SPEAKERS = fc.constantFrom('speaker', 'role', 'from', 'participant', 'speakerName');
	const TEXTS = fc.constantFrom('text', 'content', 'message', 'utterance', 'transcript');
	const said = fc.string({ minLength: 1 }).filter((text) => /^[^[{]*\S/.test(text));

	it('keeps every text in its order, whatever the fields are called', () => {
		fc.assert(
			fc.property(SPEAKERS, TEXTS, fc.array(said, { minLength: 1 }), (speaker, text, texts) => {
				const list = texts.map((one, at) => ({ [speaker]: `s${at % 2}`, [text]: one }));
				const holder = { call_id: 'x', anything: list };
				expect(turnsOf(list).map((turn) => turn.text)).toEqual(texts);
				expect(turnsOf(holder)).toEqual(turnsOf(list));
			}),
		);
	});

	it('shows at least one text of each entry of any list', () => {
		fc.assert(
			fc.property(fc.array(fc.dictionary(fc.string(), said, { minKeys: 2 })), (list) => {
				const written = transcriptText(list);
				for (const entry of list) {
					const held = Object.values(entry);
					expect(
						held.some((one) => written.includes(one) || written.includes(JSON.stringify(one))),
					).toBe(true);
				}
			}),
		);
	});

	it('never fails, and shows numbers and booleans', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (transcript) => {
				const written = transcriptText(transcript);
				expect(typeof transcriptMarkdown(transcript)).toBe('string');
				const isScalar = typeof transcript === 'number' || typeof transcript === 'boolean';
				if (isScalar) expect(written).toBe(String(transcript));
			}),
		);
	});
});

describe('a transcript as Markdown', () => {
	it('shows who said what', () => {
		expect(transcriptMarkdown(TIMED)).toBe(
			[
				'**Agent** (0:00): Good evening, Trattoria Aurora. How can I help?',
				'**Caller** (0:04): A table for four, please.',
				'**Agent** (1:05): At what time?',
			].join('\n\n'),
		);
	});

	it('escapes the marks of Markdown', () => {
		const [line] = transcriptMarkdown([{ text: '# 2 * 3 <b>' }]).split('\n');
		expect(line).toBe('\\# 2 \\* 3 \\<b\\>');
	});
});
