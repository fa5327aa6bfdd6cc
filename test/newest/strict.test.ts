import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

import { ROOT } from '../support/root.ts';

/** The folder with n8n's tool, which `npm run newest -- lint` installs. */
const { LINT = '' } = process.env;

const SOURCES = [
	'nodes',
	'credentials',
	'icons',
	'package.json',
	'eslint.config.mjs',
	'tsconfig.json',
];

// `n8n.strict` in package.json asks for n8n's own configuration of eslint. It judges every file of a package
// by the rules for nodes, so the tool sees the sources without the tests.
it('n8n-node lint, in strict mode, finds nothing in the sources', () => {
	const dir = mkdtempSync(join(tmpdir(), 'yk-voice-strict-'));
	onTestFinished(() => rmSync(dir, { recursive: true }));
	for (const name of SOURCES) cpSync(join(ROOT, name), join(dir, name), { recursive: true });
	symlinkSync(join(LINT, 'node_modules'), join(dir, 'node_modules'));
	// Rules of n8n judge differently in a test. An `npm run` hands down the folder of its package.
	const env = Object.entries(process.env).filter(
		([key]) => key !== 'NODE_ENV' && !/^npm_(config_local_prefix|package_|lifecycle_)/.test(key),
	);
	const tool = join(LINT, 'node_modules/.bin/n8n-node');
	const options = { cwd: dir, env: Object.fromEntries(env), encoding: 'utf8' } as const;
	const { status, stdout, stderr } = spawnSync(process.execPath, [tool, 'lint'], options);
	expect(status, stdout + stderr).toBe(0);
});
