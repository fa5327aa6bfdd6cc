import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { pack } from '../package/pack.ts';

export type Pack = ReturnType<typeof packForInstaller>['pack'];

/**
 * Packs the build in dist as `npm publish` would. `bin`, to be put first in n8n's PATH, has an `npm` that
 * answers from the tarball, so that n8n's own installer runs as it does for a user, without a registry.
 */
export function packForInstaller() {
	const { name, version, tarball, remove } = pack();
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
	return { pack: { name, version, bin }, remove };
}
