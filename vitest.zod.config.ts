import { defineConfig } from 'vitest/config';

import { readManifest } from './test/support/root.ts';

/** Those of package.json, or the one that the variable ZOD names: each n8n brings a zod of its own. */
const VERSIONS = process.env.ZOD
	? [process.env.ZOD]
	: Object.keys(readManifest().devDependencies).filter((name) => name.startsWith('zod-'));

// What reads input.
export default defineConfig({
	test: {
		globalSetup: ['.ci/build.mjs'],
		maxWorkers: '100%',
		projects: VERSIONS.map((zod) => ({
			resolve: { alias: { zod } },
			test: {
				name: zod,
				env: { ZOD: zod },
				include: ['test/{unit,contract}/**/*.test.ts'],
				// There is no zod in what these are about, and they take the most time.
				exclude: [
					'test/unit/{emulator,trigger}*',
					'test/contract/trigger-{engines,records}.test.ts',
				],
				setupFiles: ['test/support/seed.ts', 'test/support/zod.ts'],
				testTimeout: 30_000,
				hookTimeout: 60_000,
			},
		})),
	},
});
