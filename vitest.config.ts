import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

import { hostsToTest, NEWEST } from './test/e2e/host.ts';
import { readManifest } from './test/support/root.ts';

/** The folders of `test` that `npm test` and `npx vitest` run, with `attack`. */
const USUAL = ['unit', 'contract', 'package', 'dialects', 'conformance', 'faults'];

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

/** The newest n8n has its files one after another; the older ones have one file each, at the same time. */
const endToEnd = (host: string): TestProjectInlineConfiguration => ({
	...project(host === NEWEST ? 'e2e' : `e2e-${host}`, {
		include: [`test/e2e/${host === NEWEST ? '*' : 'n8n'}.test.ts`],
		provide: { host },
		globalSetup: ['test/e2e/setup.ts'],
		setupFiles: ['test/e2e/connections.ts'],
		fileParallelism: host !== NEWEST,
		// The examples with a trigger, which wait for their polls.
		maxConcurrency: 30,
		testTimeout: 600_000,
		hookTimeout: 600_000,
	}),
});

const usual = [
	// Loading n8n anew for each file, or for each folder, would take longer than most tests.
	project('usual', { isolate: false, include: [`test/{${USUAL.join(',')}}/**/*.test.ts`] }),
	// Its files set n8n's clock and sleep. On a busy machine a test may take its time.
	project('attack', { isolate: false, testTimeout: 120_000 }),
];

/** Chosen by `npx vitest --project NAME`. */
const others = [
	// Each target with each attack, which takes about an hour.
	project('all-attacks', {
		include: ['test/attack/**/*.test.ts'],
		env: { ATTACK: 'full' },
		testTimeout: 3_600_000,
	}),
	project('all-faults', {
		include: ['test/faults/**/*.test.ts'],
		env: { FAULTS: 'full' },
		// The tests measure time and memory, so only one file runs at a time.
		fileParallelism: false,
		testTimeout: 120_000,
		hookTimeout: 120_000,
	}),
	...ZODS.map(withZod),
	...hostsToTest().map(endToEnd),
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
