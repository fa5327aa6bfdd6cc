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
	'api/pages/chain',
	'api/pages/counting',
	'api/pages/index',
	'api/pages/keyed',
	'api/pages/page',
	'api/pages/plain',
	'api/path',
	'api/queue',
	'api/rateLimit',
	'api/retry',
	'api/batches',
	'api/total',
	'domain/contact',
	'domain/eventGroups',
	'domain/phoneNumber',
	'domain/keys',
	'domain/order',
	'domain/simplify',
	'domain/transcript',
	'table/period',
	'table/record',
	'table/refusedFields',
	'table/schema',
	'trigger/kinds/list',
	'trigger/kinds/memory',
	'trigger/kinds/states',
	'trigger/kinds/threshold',
	'trigger/kinds/progress',
	'trigger/storage',
];

/** The tests of those that are no `<name>.test.ts`. */
const TESTS: Readonly<Record<string, string>> = {
	'api/pages/chain': 'pages',
	'api/pages/counting': 'pages.grouped',
	'api/pages/index': 'pages',
	'api/pages/keyed': 'pages',
	'api/pages/page': 'pages',
	'api/pages/plain': 'pages.plain',
	'trigger/kinds/list': 'trigger.model',
	'trigger/kinds/memory': 'trigger.model',
	'trigger/kinds/states': 'trigger.model',
	'trigger/kinds/threshold': 'trigger.model',
	'trigger/kinds/progress': 'trigger.model',
	'trigger/storage': 'trigger.model',
};

// For Stryker. The tests import the sources, so that nothing is to be built.
export default defineConfig({
	test: {
		include: MODULES.map((name) => `test/unit/${TESTS[name] ?? basename(name)}.test.ts`),
		setupFiles: ['test/support/seed.ts'],
		// Of the model's random lives, for each change.
		env: { HISTORIES: '8' },
		testTimeout: 30_000,
	},
});
