// Builds dist if the sources have changed. Plain JavaScript for Node 20.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { alone } from './alone.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const STAMP = join(ROOT, 'node_modules/.build-stamp');

/** Everything that the build reads. The lock file stands for the tools. */
const SOURCES = [
	'nodes',
	'credentials',
	'icons',
	'package.json',
	'package-lock.json',
	'tsconfig.json',
	'tsup.config.ts',
];

/** Vitest's global set-up, so that no test runs against an old build. */
export default async function setup(project) {
	await ensureBuilt();
	project.onTestsRerun(ensureBuilt);
}

/**
 * Builds if dist is missing, was built from other sources, or was changed.
 * @throws Error with the output of the build if it fails
 */
export async function ensureBuilt() {
	await alone(() => {
		const stamp = existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : '';
		if (stamp !== stampOf(hashOf(SOURCES))) build();
	});
}

function build() {
	rmSync(STAMP, { force: true });
	// Taken before the build: a file that is saved meanwhile needs another build.
	const sources = hashOf(SOURCES);
	const { status, stdout, stderr } = spawnSync('node_modules/.bin/tsup', ['--silent'], {
		cwd: ROOT,
		encoding: 'utf8',
		shell: process.platform === 'win32',
	});
	if (status !== 0) throw new Error(`The build failed, so nothing was run.\n${stdout}${stderr}`);
	writeFileSync(STAMP, stampOf(sources));
}

/** A stamp for a build and its sources. */
const stampOf = (sources) => `${sources} ${hashOf(['dist'])}`;

/** A hash of the contents of files and folders. */
function hashOf(paths) {
	const hash = createHash('sha256');
	for (const path of paths.flatMap(filesOf)) {
		hash
			.update(`${path}\0`)
			.update(readFileSync(join(ROOT, path)))
			.update('\0');
	}
	return hash.digest('hex');
}

/** A file itself, or all files below a folder. */
function filesOf(path) {
	const full = join(ROOT, path);
	if (!existsSync(full)) return [];
	if (!statSync(full).isDirectory()) return [path];
	return readdirSync(full)
		.sort()
		.flatMap((name) => filesOf(`${path}/${name}`));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await alone(build);
