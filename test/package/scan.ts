import { analyzePackage } from '@n8n/scan-community-package/scanner/scanner.mjs';

import { lint } from './lint.ts';
import { pack } from './pack.ts';

/** What n8n's scanner lints of a published tarball. */
const PATTERNS = ['**/*.js', 'package.json'];

// `npm run scan -- a.tgz` looks into that tarball. Without it, the build in dist is packed.
const packed = pack(process.argv[2]);
const faults = await lint(packed.dir, PATTERNS);
const { passed, message, details } = await analyzePackage(packed.dir, PATTERNS);
if (!passed && faults.length === 0) faults.push(`${message} ${details ?? ''}`);
packed.remove();

console.log(`${packed.files.length} files, ${packed.size.toLocaleString('en')} bytes packed`);
for (const file of packed.files) console.log(`  ${file}`);
if (faults.length > 0) {
	console.error(`\nThe scan fails:\n${faults.join('\n')}`);
	process.exitCode = 1;
} else {
	console.log("\nThe scan passes: no error and no warning by n8n's own rules");
}
