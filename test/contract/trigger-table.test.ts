import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodePropertyOptions } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { builtNodes } from '../support/built.ts';
import { ROOT } from '../support/root.ts';
import { EVENT_NAMES } from '../support/stage.ts';

const trigger = builtNodes
	.map(({ describe }) => describe())
	.find(({ name }) => /Trigger$/.test(name))!;
const { options = [] } = trigger.properties.find(({ name }) => name === 'event')!;
const events = options as INodePropertyOptions[];

it('each event has a scene in test/support/stage.ts', () => {
	expect([...EVENT_NAMES].sort()).toEqual(events.map(({ value }) => value).sort());
});

it('each event has its line in docs/trigger.md', () => {
	const text = readFileSync(join(ROOT, 'docs/trigger.md'), 'utf8');
	const [, table = ''] = /\n\| Event \|.*\n\|---\|---\|\n([^]*?)\n\n/.exec(text) ?? [];
	const cells = table.split('\n').map((line) => line.split('|')[1]!.replaceAll('¹', ''));
	const named = cells.flatMap((cell) => cell.split(',')).map((name) => name.trim());
	expect(named.sort()).toEqual(events.map(({ name }) => name).sort());
});
