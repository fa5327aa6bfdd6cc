// Asks of each known mistake whether a test notices it: `npm run test:mutants -- --known`.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../support/root.ts';
import { KNOWN, type KnownMutant } from './known.ts';

const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');

/** Random lives of a trigger, for each mistake. */
const HISTORIES = '100';

/** Whether the test passes, with the mistake or, without a name, with the sources as they are. */
function passes({ test, only }: KnownMutant, name = ''): boolean {
	const args = ['run', '--config', 'test/mutants/known.config.ts', test];
	if (only !== undefined) args.push('-t', `^${only},`);
	const env = { ...process.env, MUTANT: name, HISTORIES };
	return spawnSync(process.execPath, [VITEST, ...args], { cwd: ROOT, env }).status === 0;
}

/** @throws Error where an edit has nothing to change any more */
export function assertApplies({ name, file, edits }: KnownMutant): void {
	const code = readFileSync(join(ROOT, file), 'utf8');
	for (const [from] of edits) {
		const times = code.split(from).length - 1;
		if (times !== 1) throw new Error(`${name}: ${file} has ${times} times: ${from}`);
	}
}

/** Whether each of those whose name holds a text is noticed. */
export function runKnown(wanted = ''): boolean {
	const mutants = KNOWN.filter(({ name }) => name.includes(wanted));
	for (const mutant of mutants) assertApplies(mutant);
	const tests = new Map(mutants.map((mutant) => [`${mutant.test} ${mutant.only}`, mutant]));
	const failing = [...tests.values()].filter((mutant) => !passes(mutant));
	for (const { test, only } of failing)
		console.log(`fails without a mutant: ${test} ${only ?? ''}`);
	const unnoticed = mutants.filter((mutant) => {
		const isUnnoticed = passes(mutant, mutant.name);
		console.log(`${isUnnoticed ? 'NOT NOTICED' : 'noticed'}: ${mutant.name}`);
		return isUnnoticed;
	});
	return failing.length === 0 && unnoticed.length === 0;
}
