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
