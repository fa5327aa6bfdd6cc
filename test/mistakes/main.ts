// Makes each mistake of list.txt in the code, one at a time, and runs the test that must notice it:
// `npm run test:mistakes`, or `npm run test:mistakes -- Speed Stop` for some rows. The files are restored.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { ROOT } from '../support/root.ts';

const read = (path: string) => readFileSync(path, 'utf8');

/** Promises of test/promises, and rows of docs/limits.md, each with a mistake that breaks it. */
export const MISTAKES = read(join(import.meta.dirname, 'list.txt'))
	.trim()
	.split('\n')
	.map((line) => {
		const [row = '', test = '', path = '', find = '', replace = ''] = line.split(/ ¦ ?/);
		return { row, test: `test/${test}.test.ts`, path: `nodes/${path}.ts`, find, replace };
	});

export type Mistake = (typeof MISTAKES)[number];

/** The file with the mistake. @throws Error if the text to replace is not there exactly once */
export function withMistake({ row, path, find, replace }: Mistake): string {
	const parts = read(join(ROOT, path)).split(find);
	if (find !== '' && parts.length === 2) return parts.join(replace);
	throw new Error(`${row}: "${find}" stands ${parts.length - 1} times in ${path}, not once`);
}

/** Whether a test fails while the mistake is in. */
function isNoticed(mistake: Mistake): boolean {
	const path = join(ROOT, mistake.path);
	const [right, wrong] = [read(path), withMistake(mistake)];
	const env = { ...process.env, NO_COLOR: '1' };
	const run = (command: string, ...args: string[]) =>
		spawnSync(command, args, { cwd: ROOT, encoding: 'utf8', env });
	try {
		writeFileSync(path, wrong);
		const { status, stderr } = run('node', 'scripts/build.mjs');
		if (status !== 0) throw new Error(`${mistake.row}: the mistake is no code\n${stderr}`);
		const { stdout } = run('vitest', 'run', mistake.test, '--bail=1');
		// A file that does not load is no failed test.
		return /Tests +\d+ failed/.test(stdout);
	} finally {
		writeFileSync(path, right);
	}
}

if (import.meta.main) {
	process.once('SIGINT', () => process.exit(130));
	const rows = process.argv.slice(2);
	let unnoticed = 0;
	for (const mistake of MISTAKES.filter(({ row }) => rows.length === 0 || rows.includes(row))) {
		const isRed = isNoticed(mistake);
		if (!isRed) unnoticed += 1;
		console.log(`${isRed ? 'noticed' : 'NOT NOTICED'}: ${mistake.row} (${mistake.test})`);
		// Now Ctrl-C is heard: the file is as it was.
		await setImmediate();
	}
	process.exit(unnoticed > 0 ? 1 : 0);
}
