import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { ROOT } from '../support/root.ts';

const FOLDER = join(ROOT, '.github/workflows');
const workflows = readdirSync(FOLDER).map(
	(name) => [name, readFileSync(join(FOLDER, name), 'utf8')] as const,
);

describe.each(workflows)('the workflow %s', (_name, text) => {
	it('names each action by its commit, which nobody can change later', () => {
		const actions = [...text.matchAll(/uses: (.*)/g)].map(([, action]) => action);
		expect(actions.length).toBeGreaterThan(0);
		for (const action of actions) expect(action).toMatch(/^[\w./-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
	});

	it('leaves no token of the repository for what it runs', () => {
		const checkouts = text.match(/uses: actions\/checkout@/g) ?? [];
		expect(text.match(/persist-credentials: false/g) ?? []).toHaveLength(checkouts.length);
	});
});

describe('a release', () => {
	const text = new Map(workflows).get('publish.yml')!;
	const [head, build, publish] = text.split(/^ {2}(?:build|publish):$/m) as [
		string,
		string,
		string,
	];

	it('is built and tested without any right but to read the sources', () => {
		expect(head).toContain('permissions: {}');
		expect(build).toMatch(/permissions:\n {6}contents: read\n {4}steps:/);
		expect(build).not.toContain('secrets.');
		// What is uploaded is the tarball that was scanned.
		expect(
			[...build.matchAll(/run: (npm .*)|(?<=path: )(.*\.tgz)/g)].map(([step]) => step),
		).toEqual([
			'run: npm test',
			'run: npm pack --ignore-scripts',
			'run: npm run scan -- n8n-nodes-yk-voice-*.tgz',
			'n8n-nodes-yk-voice-*.tgz',
		]);
	});

	it('comes from main, with the version that its tag names', () => {
		expect(build).toContain('git merge-base --is-ancestor "$GITHUB_SHA" origin/main');
		expect(build).toContain('test "$GITHUB_REF_NAME" = "v$(node -p');
	});

	it('is published as it was packed, where nothing of this package runs', () => {
		expect(publish).toContain('needs: build');
		expect(publish).toContain('id-token: write');
		expect(publish).not.toMatch(/checkout|npm (ci|install|test|run|exec)|npx/);
		expect(publish.match(/npm publish.*/g)).toEqual([
			expect.stringMatching(/^npm publish \.\/[\w*.-]+\.tgz --ignore-scripts --provenance /),
		]);
	});

	it('gives the token to one step', () => {
		expect(text.match(/secrets\.\w+/g)).toEqual(['secrets.NPM_TOKEN']);
	});
});

it('the set-up runs no script of any package', () => {
	const setup = readFileSync(join(ROOT, 'scripts/setup.mjs'), 'utf8');
	expect(setup.match(/npm\('.*/g)).toEqual([expect.stringContaining("'ci', '--ignore-scripts'")]);
});
