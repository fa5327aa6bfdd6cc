import { describe, expect, it } from 'vitest';

import { saysSomething } from '../../nodes/domain/callParts.ts';
import { turnsOf } from '../../nodes/domain/transcript.ts';

it('an object in an object without a name that is known is shown as JSON', () => {
	const part = { call_id: 'x', text: null, conversation: { agent: 'Hi' } };
	expect(saysSomething(part)).toBe(true);
	expect(turnsOf(part)).toEqual([{ text: JSON.stringify(part) }]);
});

describe('an object that names its content, and has none yet', () => {
	it.each([
		{ call_id: 'x', language: 'it', turns: null },
		{ call_id: 'x', status: 'processing', turns: [] },
		{ call_id: 'x', created_at: '2026-10-01T10:00:00Z', transcript: '' },
		{ summary: null, language: 'it' },
	])('says nothing: %j', (part) => {
		expect(saysSomething(part)).toBe(false);
		if (!('summary' in part)) expect(turnsOf(part)).toEqual([]);
	});

	it('says what another of its fields says', () => {
		expect(saysSomething({ transcript: null, turns: ['Hello'] })).toBe(true);
		expect(turnsOf({ transcript: null, turns: ['Hello'] })).toEqual([{ text: 'Hello' }]);
		for (const part of [
			{ call_id: 'x', text: null, dialogue: ['Hello'] },
			{ turns: [], transcript: 'Hello' },
			{ text: null, transcript: { content: 'Hello' } },
		]) {
			expect(saysSomething(part)).toBe(true);
			expect(turnsOf(part)).toEqual([{ text: 'Hello' }]);
		}
	});
});

it('a turn whose first text is blank has the other one', () => {
	const turn = { role: 'agent', text: '', content: 'Good evening' };
	expect(turnsOf([turn])).toEqual([{ speaker: 'Agent', text: 'Good evening' }]);
});
