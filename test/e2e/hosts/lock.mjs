// Writes the lock of one host anew: without addresses, so that it installs from any registry.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [name] = process.argv.slice(2);
if (name === undefined) {
	console.error('usage: node test/e2e/hosts/lock.mjs n8n-2.41');
	process.exit(2);
}
const cwd = fileURLToPath(new URL(name, import.meta.url));
const flags = ['--package-lock-only', '--legacy-peer-deps', '--ignore-scripts', '--loglevel=error'];
const { status } = spawnSync('npm', ['install', ...flags], { cwd, stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);

const path = `${cwd}/package-lock.json`;
const lock = JSON.parse(readFileSync(path, 'utf8'));
for (const entry of Object.values(lock.packages)) {
	delete entry.funding;
	delete entry.resolved;
}
writeFileSync(path, `${JSON.stringify(lock, undefined, '\t')}\n`);
