/** Writes the output schemas that n8n shows before a node has run: `node test/contract/write-schemas.ts`. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { operations } from './run-sample.ts';
import { answersOf, schemaOf, SCHEMAS } from './schemas.ts';

rmSync(SCHEMAS, { recursive: true, force: true });
for (const name of operations) {
	const file = join(SCHEMAS, `${name.replace('.', '/')}.json`);
	mkdirSync(dirname(file), { recursive: true });
	const schema = JSON.stringify(schemaOf(name, await answersOf(name)), null, '\t');
	writeFileSync(file, `${schema.replace(/\[\s+("\w+"),\s+("\w+")\s+\]/g, '[$1, $2]')}\n`);
}
