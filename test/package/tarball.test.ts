import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Linter } from 'eslint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { builtNodes } from '../support/built.ts';
import { pack, type Packed } from './pack.ts';
import { readManifest, ROOT, type Manifest } from '../support/root.ts';

/** Bytes of the tarball: what an installation downloads. */
const PACKED_LIMIT = 140_000;
/** What the nodes run, beside them, and what several of these files share. */
const ENGINES = ['action', 'editor', 'trigger'].map((name) => `dist/nodes/engine/${name}.js`);
const SHARED = /^dist\/nodes\/shared\/\w+\.js$/;
/** Bytes of the largest, which its first execution reads and compiles. */
const ENGINE_LIMIT = 115_000;
const PROVIDED_BY_N8N = ['n8n-workflow', 'zod', 'luxon', 'crypto'];

let packed: Packed;
let manifest: Manifest;

beforeAll(() => {
	packed = pack();
	manifest = readManifest(packed.dir);
});

afterAll(() => packed.remove());

describe('the tarball', () => {
	it('has exactly the files that n8n loads, and those a reader looks for', () => {
		const { nodes, credentials } = manifest.n8n;
		const schemas = nodes.flatMap((path) => schemasBeside(path.replace(/[^/]+$/, '')));
		expect(packed.files.filter((path) => !SHARED.test(path))).toEqual(
			[
				'LICENSE.md',
				'README.md',
				'package.json',
				...readdirSync(join(ROOT, 'icons')).map((icon) => `dist/icons/${icon}`),
				...ENGINES,
				...credentials,
				...nodes,
				...nodes.map((path) => path.replace(/\.js$/, '.json')),
				...schemas,
			].sort(),
		);
	});

	it(`has at most ${PACKED_LIMIT} bytes, and each of its engines ${ENGINE_LIMIT}`, () => {
		const engines = ENGINES.map((path) => statSync(join(packed.dir, path)).size);
		console.log(`packed: ${packed.size} bytes; the engines: ${engines.join(', ')} bytes`);
		const wayOut =
			'Delete something, or raise PACKED_LIMIT for a new operation, event or parameter';
		expect(packed.size, wayOut).toBeLessThanOrEqual(PACKED_LIMIT);
		expect(Math.max(...engines)).toBeLessThanOrEqual(ENGINE_LIMIT);
	});

	it('has the tooltips of the editor once, in the descriptions and not in the engines', () => {
		const tooltips = builtNodes
			.flatMap(({ describe }) => describe().properties)
			.flatMap(({ description = [] }) => description);
		const engines = ENGINES.map((path) => readFileSync(join(packed.dir, path), 'utf8')).join();
		const twice = tooltips.filter((text) => engines.includes(JSON.stringify(text)));
		// Those that a function makes of its arguments.
		expect([...new Set(twice)].length).toBeLessThan(10);
	});

	it('names no source map', () => {
		for (const [path, code] of builtFiles()) expect(code, path).not.toContain('sourceMappingURL');
	});
});

// n8n's own rules look at the rest of package.json: see `package/scan`.
it('package.json brings no dependency of any other kind, and names its repository [P20]', () => {
	expect(manifest).not.toHaveProperty('optionalDependencies');
	expect(manifest).not.toHaveProperty('bundleDependencies');
	expect(manifest.repository).toMatchObject({ url: expect.stringMatching(/^git\+https:.*\.git$/) });
});

describe('the built files', () => {
	it('require only what n8n provides, and the engines [P20]', () => {
		const required = builtFiles().flatMap(([path, code]) =>
			[...code.matchAll(/\b(?:require|import)\(\s*(.*?)\s*\)/g)].map(([, name = '']) =>
				fromRoot(path, name.replace(/^(["'`])(.*)\1$/, '$2')),
			),
		);
		const allowed = [...PROVIDED_BY_N8N, ...ENGINES];
		expect(required.filter((name) => !allowed.includes(name) && !SHARED.test(name))).toEqual([]);
		expect(required).toEqual(expect.arrayContaining(['n8n-workflow', ...ENGINES]));
	});

	it('use no global beyond the language, web addresses, buffers, signals and a clock [P20]', () => {
		const linter = new Linter({ configType: 'flat' });
		const faults = builtFiles().flatMap(([path, code]) =>
			linter
				.verify(code, {
					languageOptions: {
						ecmaVersion: 2022,
						sourceType: 'commonjs',
						globals: {
							URL: 'readonly',
							URLSearchParams: 'readonly',
							// Files are handed to n8n as buffers.
							Buffer: 'readonly',
							// They hold the files that are sent.
							Blob: 'readonly',
							FormData: 'readonly',
							// They end requests.
							AbortController: 'readonly',
							AbortSignal: 'readonly',
							// It is never set back.
							performance: 'readonly',
							globalThis: 'off',
						},
					},
					rules: { 'no-undef': ['error', { typeof: true }], 'no-eval': 'error' },
				})
				.map(({ line, message }) => `${path}:${line} ${message}`),
		);
		expect(faults).toEqual([]);
	});
});

/** What a file requires: a path from the package's root, or the name of a package. */
const fromRoot = (path: string, required: string) =>
	required.startsWith('.') ? join(dirname(path), required) : required;

const builtFiles = () =>
	packed.files
		.filter((path) => path.endsWith('.js'))
		.map((path) => [path, readFileSync(join(packed.dir, path), 'utf8')] as const);

/** The output schemas that the source has beside a node, as they are shipped. */
function schemasBeside(folder: string): string[] {
	const source = join(ROOT, folder.replace(/^dist\//, ''), '__schema__');
	if (!existsSync(source)) return [];
	return readdirSync(source, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => join(parentPath, name).slice(source.length + 1))
		.map((path) => `${folder}__schema__/${path}`);
}
