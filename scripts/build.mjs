// The build in dist, and whether it is one of the sources as they are. Plain JavaScript for Node 20.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { alone } from './alone.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const STAMP = join(ROOT, 'node_modules/.build-stamp');

/** All that the build reads: the lock file stands for its tools and for what it bundles. */
const SOURCES = [
	'nodes',
	'credentials',
	'icons',
	'package.json',
	'package-lock.json',
	'tsconfig.json',
	'tsup.config.ts',
];

/** Vitest's global set-up: no test passes against a build of what is no longer there. */
export default async function setup(project) {
	await ensureBuilt();
	project.onTestsRerun(ensureBuilt);
}

/**
 * Builds where dist is missing, was made of other sources, or was changed since.
 * @throws Error where the build fails, with what it said
 */
export async function ensureBuilt() {
	await alone(() => {
		const stamp = existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : '';
		if (stamp !== stampOf(hashOf(SOURCES))) build();
	});
}

function build() {
	rmSync(STAMP, { force: true });
	// As they are now: what is saved while this builds asks for another build.
	const sources = hashOf(SOURCES);
	const { status, stdout, stderr } = spawnSync('node_modules/.bin/tsup', ['--silent'], {
		cwd: ROOT,
		encoding: 'utf8',
		shell: process.platform === 'win32',
	});
	if (status !== 0) throw new Error(`The build failed, so nothing was run.\n${stdout}${stderr}`);
	writeFileSync(STAMP, stampOf(sources));
}

/** What was built, and of which sources. */
const stampOf = (sources) => `${sources} ${hashOf(['dist'])}`;

/** Of the contents of files, and of all files in folders. */
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

/** A file, or all that are below a folder. */
function filesOf(path) {
	const full = join(ROOT, path);
	if (!existsSync(full)) return [];
	if (!statSync(full).isDirectory()) return [path];
	return readdirSync(full)
		.sort()
		.flatMap((name) => filesOf(`${path}/${name}`));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await alone(build);
