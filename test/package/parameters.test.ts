import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

import { parameterListing, PINNED } from '../../scripts/docs/parameters.ts';

it('no parameter changed unseen: saved workflows hold their names and values', () => {
	const question = 'Is it no breaking change, or meant to be one? Then run "npm run parameters"';
	expect(parameterListing(), `${question} and commit`).toBe(readFileSync(PINNED, 'utf8'));
});
