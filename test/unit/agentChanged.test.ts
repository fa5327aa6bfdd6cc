import { expect, it } from 'vitest';

import { changedFields, changesOf, settingsText } from '../../nodes/trigger/events/agentChanged.ts';

const agent = (prompt_instructions: string) => ({ id: 'a', name: 'Ann', prompt_instructions });
const settings = (prompt: string) => settingsText(agent(prompt), []);

const LONG = 'Be brief. '.repeat(2000);

it('a change behind the first 5,000 characters of a prompt is found, and the old value shows the beginning', () => {
	const [before, after] = [settings(LONG), settings(`${LONG}Sing.`)];
	expect(changesOf(before, after, agent(`${LONG}Sing.`))).toEqual({
		change: 'changed',
		changed_fields: 'prompt_instructions',
		previous_values: { prompt_instructions: expect.stringContaining(`${LONG.slice(0, 5000)}…`) },
		new_values: { prompt_instructions: `${LONG}Sing.` },
	});
	expect(before.length).toBeLessThan(5200);
});

it.each<[what: string, before: object, after: object, changed: string[]]>([
	['another order of fields', { a: { b: 1, c: 2 } }, { a: { c: 2, b: 1 } }, []],
	['an empty text for null', { a: null, b: { c: '' } }, { a: '', b: { c: null } }, []],
	['another value', { a: 1, b: 1 }, { a: 1, b: 2 }, ['b']],
	['another order of a list', { all: ['en', 'it'] }, { all: ['it', 'en'] }, ['all']],
])('what is a change of a setting: %s', (_what, before, after, changed) => {
	expect(changedFields(JSON.stringify(before), JSON.stringify(after))).toEqual(changed);
});

it.each<[what: string, changed: object]>([
	['changes by itself', { updated_at: '2027-01-01T00:00:00Z' }],
	['is ignored', { ai_speed: 1.3 }],
	['is ignored inside another one', { conversation_style: { tone: 'formal', pace: 'calm' } }],
	['is shown for the first time', { is_new: 1 }],
])('a field that %s is no change', (_what, changed) => {
	const [before, after] = [{}, changed].map((more) => {
		const style = { conversation_style: { tone: 'warm', pace: 'calm' } };
		return settingsText({ ...agent('Hi'), ai_speed: 1, ...style, ...more }, ['ai_speed', 'tone']);
	});
	expect(changedFields(before, after!)).toEqual([]);
});

it('a setting that the API does not show any more is empty, and is a change when it is back', () => {
	const shown = settings('Hi');
	const gone = settingsText({ id: 'a', name: 'Ann' }, [], shown);
	const back = settingsText(agent('Hello'), [], gone);
	const still = settingsText({ id: 'a', name: 'Ann' }, [], gone);
	const pairs = [
		[shown, gone],
		[gone, still],
		[gone, back],
	] as const;
	expect(pairs.map((pair) => changedFields(...pair))).toEqual([
		['prompt_instructions'],
		[],
		['prompt_instructions'],
	]);
});
