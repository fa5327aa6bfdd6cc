import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { circles, importsIn, importsOf, strayImports, type Imports } from './imports.ts';
import { readManifest, ROOT } from '../support/root.ts';

const DOORS = ['YkVoice', 'YkVoiceTrigger'];

/** The rooms of `nodes/` and the credentials, from the door inwards: a room imports from those below it. */
const FLOORS = [
	DOORS,
	['deferred'],
	['engine'],
	['action', 'trigger', 'editor'],
	['resources'],
	['statistics', 'waiting'],
	['table', 'credentials'],
	['domain'],
	['api'],
	['json', 'time'],
];

const roomOf = (path: string) => /^(?:nodes\/)?(\w+)/.exec(path)?.[1];

const sources = importsIn(['nodes', 'credentials']);

describe('the house', () => {
	it('has no import that leads up, or across to another room of its floor', () => {
		expect(sources.size).toBeGreaterThan(0);
		expect(strayImports(sources, FLOORS, roomOf)).toEqual([]);
	});

	it('has no import in a circle', () => {
		expect(circles(sources)).toEqual([]);
	});

	it('has a room for each floor that is named here', () => {
		const rooms = new Set([...sources.keys()].map(roomOf));
		expect(FLOORS.flat().filter((room) => !rooms.has(room))).toEqual([]);
	});

	it.each(DOORS)('%s holds only what n8n loads', (name) => {
		const files = readdirSync(join(ROOT, 'nodes', name)).sort();
		const loaded = [`${name}.node.json`, `${name}.node.ts`, 'properties.static.ts'];
		expect(files.filter((file) => file !== '__schema__')).toEqual(loaded);
		expect(readManifest().n8n.nodes).toContain(`dist/nodes/${name}/${name}.node.js`);
	});
});

it('the emulator knows nothing of the nodes, so that a wrong reading of either shows', () => {
	const own = importsIn(['test/emulator']);
	const strays = [...own].flatMap(([from, targets]) =>
		targets.filter((to) => !to.startsWith('test/emulator/')).map((to) => `${from} → ${to}`),
	);
	expect(own.size).toBeGreaterThan(0);
	expect(strays).toEqual([]);
});

it('CONTRIBUTING’s glossary has every helper of the tests', () => {
	const glossary = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
	const helpers = readdirSync(join(ROOT, 'test/support'));
	expect(helpers.filter((name) => !glossary.includes(`\`${name}\``))).toEqual([]);
});

describe('of what would break it is told', () => {
	const house = (imports: Record<string, string[]>): Imports => new Map(Object.entries(imports));
	const check = (imports: Record<string, string[]>) => strayImports(house(imports), FLOORS, roomOf);

	it('an import that leads up', () => {
		const file = 'nodes/api/session.ts';
		expect(check({ [file]: ['nodes/json.ts', 'nodes/table/schema.ts'] })).toEqual([
			`${file} → nodes/table/schema.ts`,
		]);
	});

	it('an import across', () => {
		const file = 'nodes/trigger/poll.ts';
		expect(check({ [file]: ['nodes/action/run.ts', 'nodes/trigger/memory.ts'] })).toEqual([
			`${file} → nodes/action/run.ts`,
		]);
	});

	it('a door that is imported, and a file that is in no room', () => {
		expect(
			check({ 'nodes/engine.ts': ['nodes/YkVoice/YkVoice.node.ts'], 'nodes/helpers.ts': [] }),
		).toEqual([
			'nodes/engine.ts → nodes/YkVoice/YkVoice.node.ts',
			'nodes/helpers.ts is in no room',
		]);
	});

	it('an import of the tests', () => {
		const file = 'nodes/api/session.ts';
		expect(check({ [file]: ['test/support/clock.ts'] })).toEqual([
			`${file} → test/support/clock.ts`,
		]);
	});

	it('a circle, once, and not the way that leads to it', () => {
		const files = { a: ['b'], b: ['c', 'd'], c: ['b'], d: [] };
		expect(circles(house(files))).toEqual(['b → c → b']);
	});

	it('a file that imports itself', () => {
		expect(circles(house({ a: ['a'] }))).toEqual(['a → a']);
	});

	it.each([
		["import { x } from './x';", './x'],
		["import type { X } from './x';", './x'],
		["import './x';", './x'],
		["export { x } from './x';", './x'],
		["export type * from './x';", './x'],
		["const x = await import('./x');", './x'],
		["let x: import('./x').X;", './x'],
		["const x = require('./x');", './x'],
	])('every way to import: %s', (source, name) => {
		expect(importsOf(source)).toEqual([name]);
	});
});
