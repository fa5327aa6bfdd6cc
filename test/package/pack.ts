import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

import { readManifest, ROOT } from '../support/root.ts';

export interface Packed {
	name: string;
	version: string;
	/** Path of the tarball. */
	tarball: string;
	/** The files of the tarball, sorted. */
	files: string[];
	/** Bytes of the tarball. */
	size: number;
	/** The tarball's contents, extracted. */
	dir: string;
	remove(): void;
}

/**
 * What `npm publish` uploads of the build in dist.
 *
 * @param given a tarball that is there already, to look into
 */
export function pack(given?: string): Packed {
	const temp = mkdtempSync(join(tmpdir(), 'yk-voice-pack-'));
	const flags = ['--silent', '--ignore-scripts', '--pack-destination', temp];
	const tarball = given ?? join(temp, run('npm', ['pack', ...flags]).trim());
	run('tar', ['-xzf', tarball, '-C', temp]);
	const dir = join(temp, 'package');
	const { name, version } = readManifest(dir);
	return {
		name,
		version,
		tarball,
		files: readdirSync(dir, { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile())
			.map((entry) => relative(dir, join(entry.parentPath, entry.name)))
			.sort(),
		size: statSync(tarball).size,
		dir,
		remove: () => rmSync(temp, { recursive: true }),
	};
}

function run(command: string, args: string[]): string {
	const { status, stdout, stderr } = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8' });
	if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${stderr}`);
	return stdout;
}
