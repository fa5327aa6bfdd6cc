// Runs Stryker: `npm run test:mutants`. It has a folder of its own, because only this needs its 150
// packages.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { ROOT } from '../support/root.ts';

const HERE = import.meta.dirname;

function run(cwd: string, command: string, ...args: string[]): void {
	const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' });
	if (status !== 0) process.exit(status ?? 1);
}

run(HERE, 'npm', 'ci', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund');
const stryker = join(HERE, 'node_modules/@stryker-mutator/core/bin/stryker.js');
const config = join(HERE, 'stryker.config.mjs');
run(ROOT, process.execPath, stryker, 'run', config, ...process.argv.slice(2));
