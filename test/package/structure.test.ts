import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { circles, importsIn, importsOf, strayImports } from './imports.ts';
import { readManifest, ROOT } from '../support/root.ts';

const NODES = ['YkVoice', 'YkVoiceTrigger'];

/** The folders of `nodes/` and the credentials, in layers: a folder imports only from the layers below it. */
const LAYERS = [
	NODES,
	['deferred'],
	['engine'],
	['action', 'trigger', 'editor'],
	['resources'],
	['watching', 'report'],
	['waiting'],
	['checks'],
	['statistics'],
	['table', 'credentials'],
	['domain'],
	['api'],
	['time'],
	['semaphore'],
	['json', 'words'],
	['digest'],
];

const folderOf = (path: string) => /^(?:nodes\/)?(\w+)/.exec(path)?.[1];

const sources = importsIn(['nodes', 'credentials']);

describe('the structure', () => {
	it('has no import from a higher layer, or from another folder of the same layer', () => {
		expect(sources.size).toBeGreaterThan(0);
		expect(strayImports(sources, LAYERS, folderOf)).toEqual([]);
	});

	it('has no import in a circle', () => {
		expect(circles(sources)).toEqual([]);
	});

	it('has every folder that is named here', () => {
		const folders = new Set([...sources.keys()].map(folderOf));
		expect(LAYERS.flat().filter((folder) => !folders.has(folder))).toEqual([]);
	});

	it.each(NODES)('%s holds only what n8n loads', (name) => {
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

it('the page for maintainers has every helper of the tests', () => {
	const glossary = readFileSync(join(ROOT, 'docs/development/maintaining.md'), 'utf8');
	const helpers = readdirSync(join(ROOT, 'test/support'));
	expect(helpers.filter((name) => !glossary.includes(`\`${name}\``))).toEqual([]);
});

const API = 'nodes/api/session.ts';
const POLL = 'nodes/trigger/poll.ts';

it.each<[what: string, imports: Record<string, string[]>, stray: string]>([
	['leads up', { [API]: ['nodes/table/schema.ts'] }, `${API} → nodes/table/schema.ts`],
	[
		'leads across',
		{ [POLL]: ['nodes/action/run.ts', 'nodes/trigger/storage.ts'] },
		`${POLL} → nodes/action/run.ts`,
	],
	['takes a test', { [API]: ['test/support/clock.ts'] }, `${API} → test/support/clock.ts`],
	['stands in no layer', { 'nodes/helpers.ts': [] }, 'nodes/helpers.ts is in no layer'],
])('an import that %s is found', (_what, imports, stray) => {
	expect(strayImports(new Map(Object.entries(imports)), LAYERS, folderOf)).toEqual([stray]);
});

it('a circle is found once, and not the way that leads to it', () => {
	const files = { a: ['b'], b: ['c', 'd'], c: ['b'], d: [], e: ['e'] };
	expect(circles(new Map(Object.entries(files)))).toEqual(['b → c → b', 'e → e']);
});

it.each([
	"import type { X } from './x';",
	"export { x } from './x';",
	"const x = await import('./x');",
	"const x = require('./x');",
])('every way to import is found: %s', (source) => {
	expect(importsOf(source)).toEqual(['./x']);
});
