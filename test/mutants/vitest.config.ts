import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';

/** The pure modules below `nodes/` that have tests of their own, `test/unit/<name>.test.ts`. */
export const MODULES = [
	'json',
	'time',
	'api/answer',
	'api/baseUrl',
	'api/errors',
	'api/limiter',
	'api/noAnswer',
	'api/pages',
	'api/path',
	'api/retry',
	'api/lists',
	'domain/eventGroups',
	'domain/identifiers',
	'domain/order',
	'domain/simplify',
	'domain/transcript',
	'table/form',
	'table/kinds',
	'statistics/decimal',
	'filters/period',
	'table/place',
	'table/record',
	'table/schema',
	'watching/listWatcher',
	'watching/statesWatcher',
	'watching/thresholdWatcher',
	'trigger/events/comparing',
	'trigger/storage',
	'waiting/rounds',
];

// For Stryker. The tests import the sources, so nothing has to be built.
export default defineConfig({
	test: {
		// Several modules share the tests of pages and of the trigger's polls.
		include: [...MODULES.map((name) => basename(name)), 'poll'].map(
			(name) => `test/unit/${name}.test.ts`,
		),
		setupFiles: ['test/support/seed.ts'],
		testTimeout: 30_000,
	},
});
