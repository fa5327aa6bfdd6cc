import { scan, TARBALL_PATTERNS } from './lint.ts';
import { pack } from './pack.ts';

const packed = pack();
const faults = await scan(packed.dir, TARBALL_PATTERNS);
packed.remove();

console.log(`${packed.files.length} files, ${packed.size.toLocaleString('en')} bytes packed`);
for (const file of packed.files) console.log(`  ${file}`);
if (faults.length > 0) {
	console.error(`\nThe scan fails:\n${faults.join('\n')}`);
	process.exitCode = 1;
} else {
	console.log("\nThe scan passes: no error and no warning by n8n's own rules");
}
