import { defineConfig } from 'vitest/config';

// What reads input, with the zod that the variable ZOD names: each n8n brings a version of its own.
export default defineConfig({
	resolve: { alias: { zod: process.env.ZOD ?? 'zod' } },
	test: {
		include: ['test/{unit,contract}/**/*.test.ts'],
		// The cursor has no zod in it, and takes the most time.
		exclude: ['test/unit/cursor.*', 'test/unit/emulator-*'],
		setupFiles: ['test/seed.ts', 'test/zod.ts'],
		maxWorkers: '100%',
		testTimeout: 30_000,
		hookTimeout: 60_000,
	},
});
