// Makes a fresh checkout ready to run: dependencies when the lock file changed, and the build.
// Plain JavaScript for Node 20, because it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const STAMP = 'node_modules/.setup-stamp';
const major = Number(process.versions.node.split('.')[0]);
if (major < 20) {
	console.error(`Node 20 or later is needed; this is ${process.version}.`);
	process.exit(1);
}

const run = (command, ...args) => {
	const { status } = spawnSync(command, args, {
		stdio: ['ignore', 'inherit', 'inherit'],
		shell: process.platform === 'win32',
	});
	if (status !== 0) {
		console.error(`Set-up failed at: ${command} ${args.join(' ')}`);
		process.exit(status ?? 1);
	}
};

const lock = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex');
if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== lock) {
	console.log('Installing the dependencies, once (about a minute) …');
	rmSync(STAMP, { force: true });
	// Install scripts would compile isolated-vm for minutes on Node 20; only Node 24's own is needed.
	run('npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error');
	run('npm', 'rebuild', 'node', '--loglevel=error');
	writeFileSync(STAMP, lock);
}
if (process.argv.includes('--build')) run('npm', 'run', '--silent', 'build');
