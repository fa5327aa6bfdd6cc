import { defineConfig } from 'vitest/config';

// Servers among which every two readings of two traits meet: see test/dialects/servers.ts.
export default defineConfig({
	test: {
		include: ['test/dialects/**/*.test.ts'],
		env: { DIALECTS: 'pairs' },
		maxWorkers: '100%',
		maxConcurrency: 10,
		globalSetup: ['.ci/build.mjs'],
		setupFiles: ['test/support/seed.ts'],
		testTimeout: 60_000,
		hookTimeout: 60_000,
	},
});
