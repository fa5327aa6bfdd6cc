import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { pack, type Packed } from '../package/pack.ts';

/** The packed tarball, and a folder whose `npm` hands it to n8n's own installer. */
export interface Pack {
	name: string;
	version: string;
	/** To be put first in n8n's PATH. */
	bin: string;
}

/** Packs the build in dist as `npm publish` would. */
export function packForInstaller(): { pack: Pack; remove(): void } {
	const packed = pack();
	const { name, version, remove } = packed;
	return { pack: { name, version, bin: registryless(packed) }, remove };
}

/**
 * An `npm` that answers n8n's three questions (view, pack, install) from the tarball, so that the
 * installer runs as it does for a user, without a registry.
 */
function registryless({ name, version, tarball }: Packed): string {
	const bin = join(dirname(tarball), 'bin');
	mkdirSync(bin);
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
