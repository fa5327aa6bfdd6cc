import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

import { readManifest } from './test/support/root.ts';

/** The folders of `test` that `npm test` and `npx vitest` run. */
const USUAL = ['unit', 'contract', 'package', 'dialects', 'conformance', 'faults', 'promises'];

/** The versions of zod in package.json, or the one that the variable ZOD names: each n8n brings its own. */
const ZODS = process.env.ZOD
	? [process.env.ZOD]
	: Object.keys(readManifest().devDependencies).filter((name) => name.startsWith('zod-'));

type TestOptions = TestProjectInlineConfiguration['test'];

const project = (name: string, test: TestOptions): TestProjectInlineConfiguration => ({
	extends: true,
	test: { name, include: [`test/${name}/**/*.test.ts`], ...test },
});

const withZod = (zod: string): TestProjectInlineConfiguration => ({
	...project(zod, {
		env: { ZOD: zod },
		include: ['test/{unit,contract}/**/*.test.ts'],
		// These take the most time, and use no zod.
		exclude: ['test/unit/{emulator,trigger}*', 'test/contract/trigger-{engines,records}.test.ts'],
		setupFiles: ['test/support/zod.ts'],
	}),
	resolve: { alias: { zod } },
});

const usual = [
	// Loading n8n anew for each file, or for each folder, would take longer than most tests.
	project('usual', { isolate: false, include: [`test/{${USUAL.join(',')}}/**/*.test.ts`] }),
];

/** Chosen by `npx vitest --project NAME`. */
const others = [
	project('all-faults', {
		include: ['test/faults/**/*.test.ts'],
		env: { FAULTS: 'full' },
		// The tests measure time and memory, so only one file runs at a time.
		fileParallelism: false,
		testTimeout: 120_000,
		hookTimeout: 120_000,
	}),
	...ZODS.map(withZod),
	project('e2e', {
		globalSetup: ['test/e2e/setup.ts'],
		setupFiles: ['test/e2e/connections.ts'],
		// Each file starts one n8n or more, and a small machine has memory for one file.
		fileParallelism: false,
		testTimeout: 300_000,
		hookTimeout: 300_000,
	}),
];

const isChosen = process.argv.some((argument) => argument.startsWith('--project'));

export default defineConfig({
	test: {
		// Some tests wait, so one worker more keeps all cores busy.
		maxWorkers: availableParallelism() + 1,
		// Most tests that run at once wait for a server most of the time.
		maxConcurrency: 10,
		globalSetup: ['scripts/build.mjs'],
		setupFiles: ['test/support/seed.ts'],
		testTimeout: 120_000,
		hookTimeout: 60_000,
		projects: [...usual, ...(isChosen ? others : [])],
	},
});
