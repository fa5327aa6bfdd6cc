import { fileURLToPath } from 'node:url';

import { MODULES } from './vitest.config.ts';

const RUNNER = 'node_modules/@stryker-mutator/vitest-runner/dist/src/index.js';

// Changes the code of the pure modules, one thought at a time, and asks whether the module's own
// tests notice: `npm run test:mutants`, or `npm run test:mutants -- --mutate nodes/api/retry.ts`.
export default {
	testRunner: 'vitest',
	// By its path: Stryker looks for plugins beside the package, and this one stands below it.
	plugins: [fileURLToPath(new URL(RUNNER, import.meta.url))],
	vitest: { configFile: 'test/mutants/vitest.config.ts' },
	mutate: MODULES.map((name) => `nodes/${name}.ts`),
	reporters: ['clear-text', 'html'],
	clearTextReporter: { logTests: false, reportTests: false },
	htmlReporter: { fileName: 'artifacts/mutants.html' },
	thresholds: { high: 95, low: 90, break: 90 },
	tempDirName: 'artifacts/mutants',
	ignorePatterns: ['artifacts', 'dist', 'docs', 'examples', 'test/e2e'],
};
