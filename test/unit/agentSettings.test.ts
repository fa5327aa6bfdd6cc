import { expect, it } from 'vitest';

import { changedFields, changesOf, settingsText } from '../../nodes/trigger/agentSettings.ts';

/** What is remembered of an agent that has this prompt, if there are so many agents. */
const agent = (prompt_instructions: string) => ({ id: 'a', name: 'Ann', prompt_instructions });
const settings = (prompt: string, count: number) => settingsText(agent(prompt), [], { count });

const LONG = 'Be brief. '.repeat(2000);

it('the settings of 200 agents with the longest prompts take less than 250,000 characters [P94]', () => {
	expect(200 * settings(LONG, 200).length).toBeLessThan(250_000);
	expect(settings(LONG, 10)).toContain(LONG);
});

it('a change behind the beginning that is remembered is found, and the old value shows the beginning [P94]', () => {
	const [before, after] = [settings(LONG, 200), settings(`${LONG}Sing.`, 200)];
	expect(changesOf(before, after, agent(`${LONG}Sing.`))).toEqual({
		change: 'changed',
		changed_fields: ['prompt_instructions'],
		previous_values: { prompt_instructions: `${LONG.slice(0, 200)}…` },
		new_values: { prompt_instructions: `${LONG}Sing.` },
	});
});

it('a field of a setting may be called toString', () => {
	const texts = [1, 2].map((a) =>
		JSON.stringify({ voice_settings: { toString: { toString: 'x' }, a } }),
	);
	expect(changedFields(texts[0], texts[1]!)).toEqual(['voice_settings']);
});

it('more or fewer agents than before are no change of a prompt', () => {
	const [whole, cut] = [settings(LONG, 10), settings(LONG, 200)];
	expect([changedFields(whole, cut), changedFields(cut, whole), changedFields(cut, cut)]).toEqual([
		[],
		[],
		[],
	]);
	expect(changedFields(settings(`${LONG}Sing.`, 10), cut)).toEqual(['prompt_instructions']);
});

it('settings that are no longer shown are remembered, but no more than a hundred', () => {
	const extra = Object.fromEntries(Array.from({ length: 4500 }, (_, at) => [`field_${at}`, 'x']));
	const before = settingsText({ ...agent('Hi'), ...extra }, [], { count: 1 });
	const after = JSON.parse(settingsText(agent('Hi'), [], { count: 1, before })) as object;
	expect(Object.keys(after)).toHaveLength(103);
});
