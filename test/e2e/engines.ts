// Runs tests of the nodes in the engines of the older hosts. Most other tests see the newest n8n only.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ROOT } from '../support/root.ts';
import { NEWEST, hostsToTest, installHost, type Host } from './host.ts';

/** The packages of n8n that a test loads, and that the nodes load. */
const OF_N8N = ['n8n-core', 'n8n-workflow'];

/** These ask what no version may do. What n8n itself shows of an error differs. */
const FOLDERS = ['test/promises', 'test/faults'];

/** A copy of the checkout whose packages of n8n are those of a host. */
function copyFor({ dir }: Host): string {
	const root = mkdtempSync(join(tmpdir(), 'yk-voice-engine-'));
	const own = join(ROOT, 'node_modules');
	const isCopied = (path: string) => path !== own && path !== join(ROOT, '.git');
	cpSync(ROOT, root, { recursive: true, filter: isCopied });
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

let failed = 0;
for (const name of hostsToTest().filter((host) => host !== NEWEST)) {
	if (!testIn(await installHost(name))) failed++;
}
process.exit(failed);
