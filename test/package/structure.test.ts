import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

import { ROOT } from '../support/root.ts';

/** The folders of `nodes/` and the credentials, in layers: a folder imports only from the layers below it. */
const LAYERS = [
	['YkVoice', 'YkVoiceTrigger'],
	['deferred'],
	['engine'],
	['action', 'trigger', 'editor'],
	['resources'],
	['watching', 'report'],
	['waiting'],
	['checks'],
	['statistics'],
	['filters'],
	['table', 'credentials'],
	['domain'],
	['api'],
	['time'],
	['semaphore'],
	['json', 'words'],
	['digest'],
];

const folderOf = (path: string) => /^(?:nodes\/)?(\w+)/.exec(path)?.[1];

/** What each file imports, types too, as paths from the package's root. */
type Imports = Record<string, string[]>;

/** The imports of everything in these folders that is TypeScript, without those of packages. */
function importsIn(...folders: string[]): Imports {
	const paths = folders.flatMap((folder) =>
		readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
			.filter((name) => name.endsWith('.ts'))
			.map((name) => posix.join(folder, name)),
	);
	const asFile = (path: string) =>
		[path, `${path}.ts`, `${path}/index.ts`].find((file) => paths.includes(file)) ?? path;
	const importsOf = (path: string) =>
		ts
			.preProcessFile(readFileSync(join(ROOT, path), 'utf8'), true, true)
			.importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
			.map(({ fileName }) => asFile(posix.join(posix.dirname(path), fileName)));
	return Object.fromEntries(paths.map((path) => [path, importsOf(path)]));
}

/** The imports that neither lead to a lower layer nor stay in their folder. */
function strayImports(imports: Imports): string[] {
	const layerOf = (path: string) =>
		LAYERS.findIndex((folders) => folders.includes(folderOf(path) ?? ''));
	return Object.entries(imports).flatMap(([from, targets]) => {
		if (layerOf(from) < 0) return [`${from} is in no layer`];
		return targets
			.filter((to) => folderOf(to) !== folderOf(from) && layerOf(to) <= layerOf(from))
			.map((to) => `${from} → ${to}`);
	});
}

/** The circles of files that import each other, each once. */
function circles(imports: Imports): string[] {
	const found: string[] = [];
	const done = new Set<string>();
	const walk = (path: string, trail: string[]) => {
		const at = trail.indexOf(path);
		if (at >= 0) found.push([...trail.slice(at), path].join(' → '));
		if (at >= 0 || done.has(path)) return;
		for (const next of imports[path] ?? []) walk(next, [...trail, path]);
		done.add(path);
	};
	for (const path of Object.keys(imports)) walk(path, []);
	return found;
}

const sources = importsIn('nodes', 'credentials');

describe('the structure', () => {
	it('has no import from a higher layer, or from another folder of the same layer', () => {
		expect(strayImports(sources)).toEqual([]);
	});

	it('has no import in a circle', () => {
		expect(circles(sources)).toEqual([]);
	});
});

it('the emulator knows nothing of the nodes, so that a wrong reading of either shows', () => {
	const targets = Object.values(importsIn('test/emulator')).flat();
	expect(targets.length).toBeGreaterThan(0);
	expect(targets.filter((path) => !path.startsWith('test/emulator/'))).toEqual([]);
});

/** What not every version of n8n can do: the name of its condition is where it is tested. */
const OF_SOME_VERSIONS = ['hidesKeys', 'limitsPolls'];

it('no test is left out, but what a version of n8n cannot do', () => {
	const tests = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' }).filter(
		(path) => path.endsWith('.ts') && !path.endsWith('structure.test.ts'),
	);
	expect(tests.length).toBeGreaterThan(50);
	const left = /\b(?:it|test|describe)(?:\.\w+)*\.(?:skip|todo|only|fails|skipIf|runIf\((\w+)\))/g;
	const without = tests.filter((path) =>
		[...readFileSync(join(ROOT, 'test', path), 'utf8').matchAll(left)].some(
			([, condition = '']) => !OF_SOME_VERSIONS.includes(condition),
		),
	);
	expect(without).toEqual([]);
});
