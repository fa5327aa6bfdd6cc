import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ROOT } from '../support/root.ts';

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
 * What `npm publish` would upload of the build in dist.
 * @throws Error if there is no build
 */
export function pack(): Packed {
	if (!existsSync(join(ROOT, 'dist'))) {
		throw new Error('There is no build yet. Run "npm run build" first.');
	}
	const temp = mkdtempSync(join(tmpdir(), 'yk-voice-pack-'));
	const dir = join(temp, 'package');
	mkdirSync(dir);
	const flags = ['--json', '--ignore-scripts', '--pack-destination', temp];
	const [{ name, version, filename, size, files }] = JSON.parse(run('npm', ['pack', ...flags])) as [
		{
			name: string;
			version: string;
			filename: string;
			size: number;
			files: Array<{ path: string }>;
		},
	];
	const tarball = join(temp, filename);
	run('tar', ['-xzf', tarball, '-C', dir, '--strip-components=1']);
	return {
		name,
		version,
		tarball,
		files: files.map(({ path }) => path).sort(),
		size,
		dir,
		remove: () => rmSync(temp, { recursive: true }),
	};
}

function run(command: string, args: string[]): string {
	const { status, stdout, stderr } = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8' });
	if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${stderr}`);
	return stdout;
}
