import { defineConfig } from 'vitest/config';

export default defineConfig({
	test: {
		include: ['test/faults/**/*.test.ts'],
		env: { FAULTS: 'full' },
		// Limits of time and memory are measured: one file at a time.
		fileParallelism: false,
		maxConcurrency: 8,
		globalSetup: ['.ci/build.mjs'],
		setupFiles: ['test/support/seed.ts'],
		testTimeout: 120_000,
		hookTimeout: 120_000,
	},
});
