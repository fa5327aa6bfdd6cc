// Prepares a checkout: installs if the lock file changed, builds if the sources changed. Then it runs
// the given command: `node scripts/setup.mjs vitest run`. Plain JavaScript for Node 20, because it
// runs before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

import { alone } from './alone.mjs';
import { ensureBuilt } from './build.mjs';

const STAMP = 'node_modules/.setup-stamp';
const SHELL = process.platform === 'win32';
const [command, ...args] = process.argv.slice(2);

const major = Number(process.versions.node.split('.')[0]);
if (major < 20) fail(`Node 20 or later is needed; this is ${process.version}.`);

await alone(ensureInstalled);
try {
	await ensureBuilt();
} catch (error) {
	fail(error.message);
}

if (command !== undefined) {
	// npm has put node_modules/.bin first in PATH, so `node` is that of scripts/node from here on.
	const child = spawn(command, args, { stdio: 'inherit', shell: SHELL });
	// The terminal sends Ctrl-C to both processes. The child decides how it ends.
	process.on('SIGINT', () => {});
	process.on('SIGTERM', () => child.kill('SIGTERM'));
	child.on('error', ({ message }) => fail(`${command} could not be started: ${message}`));
	child.on('exit', (code) => process.exit(code ?? 1));
}

function ensureInstalled() {
	const lock = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex');
	if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === lock) return;
	console.log('Installing the dependencies, once (about a minute) …');
	rmSync(STAMP, { force: true });
	// No package may run a script: some download what the lock does not hold, and on Node 20 isolated-vm
	// would be compiled for minutes. Node 24 itself is a package of scripts/node.
	npm('ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error');
	if (!existsSync('node_modules/.bin/node') && major < 24) {
		fail(
			'scripts/node has no Node 24 for this kind of machine. Install Node 24, and run this again.',
		);
	}
	writeFileSync(STAMP, lock);
}

function npm(...args) {
	const stdio = ['ignore', 'inherit', 'inherit'];
	const { status } = spawnSync('npm', args, { stdio, shell: SHELL });
	if (status !== 0) fail(`Set-up failed at: npm ${args.join(' ')}`);
}

function fail(message) {
	console.error(message);
	process.exit(1);
}
