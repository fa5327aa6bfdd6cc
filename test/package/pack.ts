import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ROOT } from '../support/root.ts';

export interface Packed {
	/** The files of the tarball, sorted. */
	files: string[];
	/** Bytes of the tarball. */
	size: number;
	/** The tarball's contents, extracted. */
	dir: string;
	remove(): void;
}

/** What `npm publish` would upload, as far as the build has got. */
export function pack(): Packed {
	const temp = mkdtempSync(join(tmpdir(), 'yk-voice-pack-'));
	const dir = join(temp, 'package');
	mkdirSync(dir);
	const flags = ['--json', '--ignore-scripts', '--pack-destination', temp];
	const [tarball] = JSON.parse(run('npm', ['pack', ...flags])) as [
		{ filename: string; size: number; files: Array<{ path: string }> },
	];
	run('tar', ['-xzf', join(temp, tarball.filename), '-C', dir, '--strip-components=1']);
	return {
		files: tarball.files.map(({ path }) => path).sort(),
		size: tarball.size,
		dir,
		remove: () => rmSync(temp, { recursive: true }),
	};
}

export function run(command: string, args: string[]): string {
	const { status, stdout, stderr } = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8' });
	if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${stderr}`);
	return stdout;
}
