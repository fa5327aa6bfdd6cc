import { Linter } from 'eslint';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { pack, type Packed } from './pack.ts';
import { readManifest, ROOT, type Manifest } from '../support/root.ts';

/** What both nodes run. */
const ENGINE = 'dist/nodes/engine.js';
const PROVIDED_BY_N8N = ['n8n-workflow', 'zod', 'luxon', 'crypto'];
const SCHEMAS = ['nodes/YkVoice/__schema__', 'nodes/YkVoiceTrigger/__schema__'];

let packed: Packed;
let manifest: Manifest;

beforeAll(() => {
	packed = pack();
	manifest = readManifest(packed.dir);
});

afterAll(() => packed.remove());

const contentOf = (path: string) => readFileSync(join(packed.dir, path), 'utf8');

/** The scripts of the tarball: each path and its code. */
const scripts = () =>
	packed.files
		.filter((path) => path.endsWith('.js'))
		.map((path) => [path, contentOf(path)] as const);

const filesIn = (folder: string) =>
	readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => join(parentPath, name).slice(ROOT.length));

describe('the tarball', () => {
	it('has exactly the files that n8n loads, their source maps, and those a reader looks for', () => {
		const { nodes, credentials } = manifest.n8n;
		const built = [ENGINE, ...credentials, ...nodes];
		expect(packed.files).toEqual(
			[
				'LICENSE.md',
				'README.md',
				'package.json',
				...[...filesIn('icons'), ...SCHEMAS.flatMap(filesIn)].map((path) => `dist/${path}`),
				...built,
				...built.map((path) => `${path}.map`),
				...nodes.map((path) => path.replace(/js$/, 'json')),
				...nodes.map((path) => `${dirname(path)}/properties.static.json`),
			].sort(),
		);
	});

	it('can be read: no line of its scripts has more than 500 characters', () => {
		for (const [path, code] of scripts()) {
			const long = code.split('\n').findIndex((line) => line.length > 500);
			expect(long + 1, `a line of ${path}`).toBe(0);
		}
	});

	it('has scripts that are made from nodes/ and credentials/ alone, as their source maps show', () => {
		for (const [path, code] of scripts()) {
			const map = `${path}.map`;
			expect(code.endsWith(`\n//# sourceMappingURL=${map.replace(/^.*\//, '')}`), path).toBe(true);
			const { sources, sourcesContent } = JSON.parse(contentOf(map)) as Record<string, string[]>;
			const made = sources!.map((source) => join(dirname(path), source));
			for (const [at, source] of made.entries()) {
				expect(source).toMatch(/^(nodes|credentials)\/[\w./]+\.ts$/);
				expect(sourcesContent![at], source).toBe(readFileSync(join(ROOT, source), 'utf8'));
			}
		}
	});
});

// n8n's own rules look at the rest of package.json: see `package/scan`.
it('package.json brings no dependency of any other kind, and names its repository', () => {
	expect(manifest).not.toHaveProperty('optionalDependencies');
	expect(manifest).not.toHaveProperty('bundleDependencies');
	expect(manifest.repository).toMatchObject({ url: expect.stringMatching(/^git\+https:.*\.git$/) });
});

it('the scripts require only what n8n provides, the engine, and the parameters', () => {
	const required = scripts().flatMap(([, code]) =>
		[...code.matchAll(/\b(?:require|import)\(\s*["'`]?(.*?)["'`]?\s*\)/g)].map(([, name]) => name),
	);
	const own = ['../engine', './properties.static'];
	expect([...new Set(required)].sort()).toEqual([...PROVIDED_BY_N8N, ...own].sort());
});

// n8n's own rules (`npm run scan`) forbid timers, the process and `eval`, and not these.
it('the scripts send nothing but by n8n', () => {
	const linter = new Linter({ configType: 'flat' });
	const senders = ['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource'];
	const rules: Linter.RulesRecord = { 'no-restricted-globals': ['error', ...senders] };
	for (const [path, code] of scripts()) expect(linter.verify(code, { rules }), path).toEqual([]);
});
