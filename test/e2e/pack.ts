import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The packed tarball, and a folder whose `npm` hands it to n8n's own installer. */
export interface Pack {
	name: string;
	version: string;
	tarball: string;
	/** To be put first in n8n's PATH. */
	bin: string;
}

/** Packs the build in dist as `npm publish` would. */
export function pack(into = mkdtempSync(join(tmpdir(), 'yk-voice-e2e-'))): Pack {
	const { name, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
		name: string;
		version: string;
	};
	const { status, stdout, stderr } = spawnSync(
		'npm',
		['pack', '--json', '--ignore-scripts', '--pack-destination', into],
		{ cwd: ROOT, encoding: 'utf8' },
	);
	if (status !== 0) throw new Error(`npm pack failed\n${stderr}`);
	const tarball = join(into, `${name}-${version}.tgz`);
	if (!stdout.includes(`${name}-${version}.tgz`)) throw new Error(`npm pack wrote ${stdout}`);
	return { name, version, tarball, bin: registryless(into, { name, version, tarball }) };
}

/**
 * An `npm` that answers n8n's three questions (view, pack, install) from the tarball, so that the
 * installer runs as it does for a user, without a registry.
 */
function registryless(into: string, { name, version, tarball }: Omit<Pack, 'bin'>): string {
	const bin = join(into, 'bin');
	mkdirSync(bin, { recursive: true });
	const script = `#!/bin/sh
case "$1" in
view) echo '"${version}"' ;;
pack) cp '${tarball}' './${name}-${version}.tgz' && echo '${name}-${version}.tgz' ;;
install) ;;
outdated) echo '{}' ;;
*) echo "not expected of n8n: npm $*" >&2; exit 1 ;;
esac
`;
	writeFileSync(join(bin, 'npm'), script);
	chmodSync(join(bin, 'npm'), 0o755);
	return bin;
}
