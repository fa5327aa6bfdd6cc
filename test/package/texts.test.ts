import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

import { PINNED_TEXTS, textListing } from '../../scripts/docs/texts.ts';

it('no text of the editor changed unseen: test/texts.txt is for a reviewer to read in one go', async () => {
	const pinned = readFileSync(PINNED_TEXTS, 'utf8');
	expect(await textListing(), 'Is it meant? Then run "npm run texts" and commit').toBe(pinned);
});
