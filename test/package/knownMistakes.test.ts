import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { KNOWN } from '../mutants/known.ts';
import { ROOT } from '../support/root.ts';

// `npm run test:mutants -- --known` makes the mistakes, which takes long.
it.each(KNOWN)('$name: what the mistake edits stands in $file once', ({ file, edits }) => {
	const text = readFileSync(join(ROOT, file), 'utf8');
	for (const [from] of edits) expect(text.split(from).length - 1, from).toBe(1);
});
