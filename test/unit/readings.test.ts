import { describe, expect, it, test } from 'vitest';

import { saysSomething } from '../../nodes/domain/callParts.ts';
import { turnsOf } from '../../nodes/domain/transcript.ts';
import { valueAt } from '../../nodes/table/record.ts';
import { Newest } from '../../nodes/statistics/groupings.ts';
import { changedFields } from '../../nodes/trigger/events/agentChanged.ts';

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

it('the order of fields inside a setting is no change, and an empty text is like null', () => {
	const [before, after] = [
		{ name: 'A', first_message: null, conversation_style: { energy: 1, custom_note: '' } },
		{ name: 'A', first_message: '', conversation_style: { custom_note: '', energy: 1 } },
	].map((agent) => JSON.stringify(agent)) as [string, string];
	expect(changedFields(before, after)).toEqual([]);
	expect(changedFields(before, JSON.stringify({ name: 'B' }))).toEqual(['name']);
	const languages = ['en', 'it'].map((first, at) =>
		JSON.stringify({ all: [first, ['it', 'en'][at]] }),
	);
	expect(changedFields(languages[0], languages[1]!)).toEqual(['all']);
});

it('a list of names and values has the last value of a name', () => {
	const custom_fields = [
		{ name: 'a', value: 1 },
		{ name: 'a', value: 2 },
	];
	expect(valueAt({ custom_fields }, 'custom_fields[name].a')).toBe(2);
	expect(valueAt({ custom_fields }, 'custom_fields[name].b')).toBeUndefined();
});

test('the newest record says the name, in whichever order they come', () => {
	for (const order of [
		[1, 2],
		[2, 1],
	]) {
		const names = new Newest<string>();
		for (const at of order) names.note('a', at, `name ${at}`);
		expect(names.get('a')).toBe('name 2');
	}
});
