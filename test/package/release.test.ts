import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { ROOT } from '../support/root.ts';

const FOLDER = join(ROOT, '.github/workflows');
const workflows = readdirSync(FOLDER).map(
	(name) => [name, readFileSync(join(FOLDER, name), 'utf8')] as const,
);

it.each(workflows)(
	'%s runs what nobody can change later, and leaves no token for it',
	(_name, text) => {
		const actions = [...text.matchAll(/uses: (.*)/g)].map(([, action]) => action!);
		expect(actions.length).toBeGreaterThan(0);
		for (const action of actions) expect(action).toMatch(/^[\w./-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
		const checkouts = actions.filter((action) => action.startsWith('actions/checkout@'));
		expect(text.match(/persist-credentials: false/g) ?? []).toHaveLength(checkouts.length);
	},
);

describe('a release', () => {
	const text = new Map(workflows).get('publish.yml')!;
	const [head, build, publish] = text.split(/^ {2}(?:build|publish):$/m) as [
		string,
		string,
		string,
	];

	it('is built, tested and scanned without any right but to read the sources', () => {
		expect(head).toContain('permissions: {}');
		expect(build).toMatch(/permissions:\n {6}contents: read\n {4}steps:/);
		expect(build).toMatch(/npm test[^]*npm pack --ignore-scripts[^]*npm run scan -- .*\.tgz/);
		// What goes to the next job is the file that was scanned.
		expect(build.match(/\S+\.tgz/g)).toEqual(Array(2).fill('n8n-nodes-yk-voice-*.tgz'));
	});

	it('comes from main, with the version that its tag names', () => {
		expect(build).toContain('git merge-base --is-ancestor "$GITHUB_SHA" origin/main');
		expect(build).toContain('test "$GITHUB_REF_NAME" = "v$(node -p');
	});

	it('is published with provenance, where nothing of this package runs, by the one step with the token', () => {
		expect(publish).toContain('id-token: write');
		expect(publish).not.toMatch(/checkout|npm (ci|install|test|run|exec)|npx/);
		expect(publish).toMatch(/npm publish \.\/\S+\.tgz --ignore-scripts --provenance /);
		expect(publish.match(/npm publish/g)).toHaveLength(1);
		expect(publish).toContain('secrets.NPM_TOKEN');
		expect(text.match(/secrets\.\w+/g)).toHaveLength(1);
	});
});

it('the set-up runs no script of any package', () => {
	const setup = readFileSync(join(ROOT, 'scripts/setup.mjs'), 'utf8');
	expect(setup.match(/npm\('.*/g)).toEqual([expect.stringContaining("'ci', '--ignore-scripts'")]);
});
