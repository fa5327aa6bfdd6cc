// Asks of each known mistake whether a test notices it: `npm run test:mutants -- --known`.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../support/root.ts';
import { KNOWN, type KnownMistake } from './known.ts';

const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');

/** How many random histories of a trigger each mistake is tried with. */
const HISTORIES = '100';

/** Whether a test passes, with the mistake of this name, or without one. */
function passes(test: string, mistake = ''): boolean {
	const [file, event] = test.split(' ');
	const args = ['run', '--config', 'test/mutants/known.config.ts', `test/unit/${file}.test.ts`];
	if (event !== undefined) args.push('-t', `^${event},`);
	const env = { ...process.env, MISTAKE: mistake, HISTORIES };
	return spawnSync(process.execPath, [VITEST, ...args], { cwd: ROOT, env }).status === 0;
}

/** @throws Error if the code that the mistake edits is no longer there */
export function assertApplies({ name, file, edits }: KnownMistake): void {
	const code = readFileSync(join(ROOT, file), 'utf8');
	for (const [from] of edits) {
		const times = code.split(from).length - 1;
		if (times !== 1) throw new Error(`${name}: ${file} has ${times} times: ${from}`);
	}
}

/** Whether each mistake is noticed whose name contains a text. */
export function runKnown(wanted = ''): boolean {
	const mistakes = KNOWN.filter(({ name }) => name.includes(wanted));
	mistakes.forEach(assertApplies);
	const failing = [...new Set(mistakes.map(({ test }) => test))].filter((test) => !passes(test));
	for (const test of failing) console.log(`fails without a mistake: ${test}`);
	const unnoticed = mistakes.filter(({ name, test }) => {
		const isUnnoticed = passes(test, name);
		console.log(`${isUnnoticed ? 'NOT NOTICED' : 'noticed'}: ${name}`);
		return isUnnoticed;
	});
	return failing.length === 0 && unnoticed.length === 0;
}
