import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Pure modules below `nodes/` that `test/unit/<name>.test.ts` holds alone. */
export const MODULES = [
	'json',
	'time',
	'api/answer',
	'api/baseUrl',
	'api/limiter',
	'api/noAnswer',
	'api/pages',
	'api/path',
	'api/retry',
	'domain/decimal',
	'domain/eventGroups',
	'domain/identifiers',
	'domain/transcript',
	'filters/period',
	'watching/thresholdWatcher',
	'trigger/events/comparing',
	'waiting/rounds',
];

// For Stryker. The tests import the sources, so nothing has to be built.
export default defineConfig({
	test: {
		include: MODULES.map((name) => `test/unit/${basename(name)}.test.ts`),
		setupFiles: ['test/support/seed.ts'],
		testTimeout: 30_000,
	},
});
