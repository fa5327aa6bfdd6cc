import { expect, it } from 'vitest';

import { saysSomething } from '../../nodes/domain/callParts.ts';
import { turnsOf } from '../../nodes/domain/transcript.ts';

const UNNAMED = { call_id: 'x', text: null, conversation: { agent: 'Hi' } };

it.each<[what: string, part: object, ...texts: string[]]>([
	['nothing if its list is null', { call_id: 'x', language: 'it', turns: null }],
	['nothing if its list is empty', { call_id: 'x', status: 'processing', turns: [] }],
	['nothing if its text is empty', { created_at: '2026-10-01T10:00:00Z', transcript: '' }],
	['what its list says', { transcript: null, turns: ['Hello'] }, 'Hello'],
	['what a list of another name says', { call_id: 'x', text: null, dialogue: ['Hello'] }, 'Hello'],
	['what its text says', { turns: [], transcript: 'Hello' }, 'Hello'],
	['what an object inside it says', { text: null, transcript: { content: 'Hello' } }, 'Hello'],
	['all, as JSON, if no name is known', UNNAMED, JSON.stringify(UNNAMED)],
])('an object that names its content says %s', (_what, part, ...texts) => {
	expect(saysSomething(part)).toBe(texts.length > 0);
	expect(turnsOf(part)).toEqual(texts.map((text) => ({ text })));
});

it('a turn whose first text is blank has the other one', () => {
	const turn = { role: 'agent', text: '', content: 'Good evening' };
	expect(turnsOf([turn])).toEqual([{ speaker: 'Agent', text: 'Good evening' }]);
});
