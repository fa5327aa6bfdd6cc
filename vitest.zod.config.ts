import { defineConfig } from 'vitest/config';

// What reads input, with the zod that the variable ZOD names: each n8n brings a version of its own.
export default defineConfig({
	resolve: { alias: { zod: process.env.ZOD ?? 'zod' } },
	test: {
		include: ['test/{unit,contract}/**/*.test.ts'],
		// There is no zod in what these are about, and they take the most time.
		exclude: [
			'test/unit/{cursor,emulator,statusChanges}*',
			'test/contract/trigger-{engines,records}.test.ts',
		],
		setupFiles: ['test/support/seed.ts', 'test/support/zod.ts'],
		maxWorkers: '100%',
		testTimeout: 30_000,
		hookTimeout: 60_000,
	},
});
