// Runs tests of the nodes in the engines of the older hosts. Most other tests see the newest n8n only.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ROOT } from '../support/root.ts';
import { NEWEST, hostsToTest, installHost, type Host } from './host.ts';
import { prepareMachine } from './machine.ts';

/** The packages of n8n that a test loads, and that the nodes load. */
const OF_N8N = ['n8n-core', 'n8n-workflow'];

/** What the tests read. The tests that read the repository itself stay where it is. */
const COPIED = [
	'credentials',
	'dist',
	'icons',
	'nodes',
	'scripts',
	'test',
	'package.json',
	'package-lock.json',
	'tsconfig.json',
	'tsup.config.ts',
	'vitest.config.ts',
];

/** These ask what no version may do. What n8n itself shows of an error differs. */
const FOLDERS = ['test/promises', 'test/faults'];

/** A copy of the checkout whose packages of n8n are those of a host. */
function copyFor({ dir }: Host): string {
	const root = mkdtempSync(join(tmpdir(), 'yk-voice-engine-'));
	for (const name of COPIED) cpSync(join(ROOT, name), join(root, name), { recursive: true });
	const own = join(ROOT, 'node_modules');
	const packages = readdirSync(own).filter((name) => !OF_N8N.includes(name));
	mkdirSync(join(root, 'node_modules'));
	for (const name of packages) symlinkSync(join(own, name), join(root, 'node_modules', name));
	for (const name of OF_N8N) {
		symlinkSync(join(dir, 'node_modules', name), join(root, 'node_modules', name));
	}
	return root;
}

/** Runs the tests in the engine of a host. */
function testIn(host: Host): boolean {
	const root = copyFor(host);
	try {
		console.log(`\nIn the engine of ${host.name}:`);
		const vitest = join(root, 'node_modules/vitest/vitest.mjs');
		const { status } = spawnSync(process.execPath, [vitest, 'run', ...FOLDERS], {
			cwd: root,
			stdio: ['ignore', 'inherit', 'inherit'],
		});
		return status === 0;
	} finally {
		rmSync(root, { recursive: true, force: true });
	}
}

await prepareMachine();
let failed = 0;
for (const name of hostsToTest().filter((host) => host !== NEWEST)) {
	if (!testIn(await installHost(name))) failed++;
}
process.exit(failed);
