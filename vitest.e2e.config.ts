import { defineConfig } from 'vitest/config';

export default defineConfig({
	test: {
		include: ['test/e2e/**/*.test.ts'],
		globalSetup: ['.ci/build.mjs', 'test/e2e/setup.ts'],
		setupFiles: ['test/e2e/connections.ts'],
		// Each file runs an n8n or several, and a small machine holds one file's worth.
		fileParallelism: false,
		testTimeout: 120_000,
		hookTimeout: 300_000,
	},
});
