// Removes the addresses from the lock file of this or another folder, so that it installs from any registry.
// Run it after every `npm install`: npm writes funding pages again, and .npmrc cannot turn that off.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder = join(import.meta.dirname, '..')] = process.argv.slice(2);
const path = join(folder, 'package-lock.json');
const lock = JSON.parse(readFileSync(path, 'utf8'));
for (const entry of Object.values(lock.packages)) {
	delete entry.funding;
	// The folder of a package that is part of this repository is no address.
	if (!entry.link) delete entry.resolved;
	// The text of a deprecation may contain an address too.
	delete entry.deprecated;
}
writeFileSync(path, `${JSON.stringify(lock, undefined, '\t')}\n`);
