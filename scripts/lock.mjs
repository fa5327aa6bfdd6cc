// Removes the addresses from the lock file, so that it installs from any registry. Run it after every
// `npm install`: npm writes funding pages again, and .npmrc cannot turn that off.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const path = fileURLToPath(new URL('../package-lock.json', import.meta.url));
const lock = JSON.parse(readFileSync(path, 'utf8'));
for (const entry of Object.values(lock.packages)) {
	delete entry.funding;
	// The folder of a package that is part of this repository is no address.
	if (!entry.link) delete entry.resolved;
	// The text of a deprecation may contain an address too.
	delete entry.deprecated;
}
writeFileSync(path, `${JSON.stringify(lock, undefined, '\t')}\n`);
