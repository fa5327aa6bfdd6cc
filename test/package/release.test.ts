import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

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

it('a release is tested and scanned from main before the one step with a token, which runs nothing of it', () => {
	const text = new Map(workflows).get('publish.yml')!;
	const [build = '', publish = ''] = text.split(/^ {2}publish:$/m);
	expect(build).toContain('git merge-base --is-ancestor "$GITHUB_SHA" origin/main');
	expect(build).toMatch(/npm test[^]*npm pack --ignore-scripts[^]*npm run scan -- .*\.tgz/);
	expect(build).not.toMatch(/secrets\.|id-token/);
	expect(publish).not.toMatch(/checkout|npm (ci|install|test|run|exec)|npx/);
	expect(publish).toMatch(/npm publish \.\/\S+\.tgz --ignore-scripts --provenance /);
});
