import { expect, it } from 'vitest';

import { makeAgent } from '../emulator/records.ts';
import { Random } from '../emulator/random.ts';

import { changedFields, changesOf, settingsText } from '../../nodes/trigger/events/agentChanged.ts';

const agent = (prompt_instructions: string) => ({ id: 'a', name: 'Ann', prompt_instructions });

it('a change behind the first 1,000 characters of a prompt is found, and the old value shows the beginning', () => {
	const long = 'Be brief. '.repeat(2000);
	const [before, after] = [long, `${long}Sing.`].map((prompt) => settingsText(agent(prompt), []));
	expect(changesOf(before, after!, agent(`${long}Sing.`))).toEqual({
		change: 'changed',
		changed_fields: 'prompt_instructions',
		previous_values: { prompt_instructions: `${long.slice(0, 1000)}…` },
		new_values: { prompt_instructions: `${long}Sing.` },
	});
	expect(before!.length).toBeLessThan(1200);
});

it('190 agents with long prompts take less than 1 MB', () => {
	const long = 'Be brief. '.repeat(2000);
	const prompts = { prompt_instructions: long, call_summary_custom_prompt: long, tools: { long } };
	const text = settingsText(
		{
			...makeAgent({ random: new Random(1), at: 0, id: () => '', created_at: '' }, 'inbound'),
			...prompts,
		},
		[],
	);
	expect(190 * text.length).toBeLessThan(1_000_000);
});

it.each<[what: string, before: object, after: object, changed: string[]]>([
	['another order of fields is none', { a: { b: 1, c: 2 } }, { a: { c: 2, b: 1 } }, []],
	['an empty text for null is none', { a: null }, { a: '' }, []],
	['a field that is shown for the first time is none', {}, { a: 1 }, []],
	['another address of the preview is none', { voice: { url: 1 } }, { voice: { url: 2 } }, []],
	['another time of the change is none', { updated_at: 1 }, { updated_at: 2 }, []],
	['an ignored field inside another one is none', { a: { tone: 1 } }, { a: { tone: 2 } }, []],
	['a setting that is not shown any more is empty', { a: 1, b: 1 }, { b: 1 }, ['a']],
	['another order of a list is one', { a: ['en', 'it'] }, { a: ['it', 'en'] }, ['a']],
])('what is a change of a setting: %s', (_what, before, after, changed) => {
	const known = settingsText({ ...before }, ['tone']);
	expect(changedFields(known, settingsText({ ...after }, ['tone'], known))).toEqual(changed);
});
