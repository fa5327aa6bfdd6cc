import { defineConfig } from 'vitest/config';

export default defineConfig({
	test: {
		include: ['test/{unit,contract,package,faults,dialects,conformance}/**/*.test.ts'],
		maxWorkers: '100%',
		// Many of them wait for a server most of the time.
		maxConcurrency: 10,
		globalSetup: ['.ci/build.mjs'],
		setupFiles: ['test/support/seed.ts'],
		testTimeout: 30_000,
		hookTimeout: 60_000,
	},
});
