import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

import { parameterListing, PINNED } from '../../scripts/docs/parameters.ts';

it('no parameter changed unseen: saved workflows hold their names and values', () => {
	const listing = parameterListing().split('\n');
	const pinned = readFileSync(PINNED, 'utf8').split('\n');
	const gone = pinned.filter((line) => !listing.includes(line)).map((line) => `- ${line}`);
	const come = listing.filter((line) => !pinned.includes(line)).map((line) => `+ ${line}`);
	const changes = [...gone, ...come].join('\n');
	expect(
		changes,
		`Is it no breaking change, or meant to be one? Then run "npm run parameters" and commit test/parameters.txt:\n${changes}\n`,
	).toBe('');
	expect(listing).toEqual(pinned);
});
