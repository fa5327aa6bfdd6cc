// Takes the addresses out of the lock file, so that it installs from any registry. Run it after
// every `npm install`: npm writes funding pages anew, and .npmrc cannot turn them off.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const path = fileURLToPath(new URL('../package-lock.json', import.meta.url));
const lock = JSON.parse(readFileSync(path, 'utf8'));
for (const entry of Object.values(lock.packages)) {
	delete entry.funding;
	delete entry.resolved;
	// A package's reason for its deprecation may name a page too.
	delete entry.deprecated;
}
writeFileSync(path, `${JSON.stringify(lock, undefined, '\t')}\n`);
