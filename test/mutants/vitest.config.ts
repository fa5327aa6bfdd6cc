import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';

/**
 * The pure modules below `nodes/` that have tests of their own, `test/unit/<name>.test.ts`. Pace is
 * missing: its simulations take minutes, for each change.
 */
export const MODULES = [
	'json',
	'api/answer',
	'api/baseUrl',
	'api/errors',
	'api/pages',
	'api/path',
	'api/queue',
	'api/retry',
	'resources/transcript',
	'table/eventGroups',
	'table/period',
	'table/record',
	'table/schema',
	'table/simplify',
	'trigger/balance',
	'trigger/kinds/fingerprint',
	'trigger/kinds/sightings',
	'trigger/memory',
];

// For Stryker. The tests import the sources, so that nothing is to be built.
export default defineConfig({
	test: {
		include: MODULES.map((name) => `test/unit/${basename(name)}.test.ts`),
		setupFiles: ['test/support/seed.ts'],
		testTimeout: 30_000,
	},
});
