import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { ROOT } from '../support/root.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The tests that `npm test` runs. */
const tests = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
	.filter((path) => path.endsWith('.test.ts') && !path.startsWith('e2e/'))
	.map((path) => ({ path, text: read(join('test', path)) }));

it.each([...read('SECURITY.md').matchAll(/<!-- P(\d+) -->/g)].map(([, number]) => number!))(
	'npm test runs a test of promise %s of SECURITY.md',
	(number) => {
		const named = tests.filter(({ text }) => text.includes(`[P${number}]`));
		expect(named.map(({ path }) => path)).not.toEqual([]);
	},
);

it('no test is left out, so what a title names is run', () => {
	const left = /\b(it|test|describe)(\.\w+)*\.(skip|todo|only|fails)\b/;
	expect(tests.filter(({ text }) => left.test(text)).map(({ path }) => path)).toEqual([]);
});
