import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

import { hostsToTest, NEWEST } from './test/e2e/host.ts';
import { readManifest } from './test/support/root.ts';

/** The folders of `test` that `npm test` and `npx vitest run` run. */
const USUAL = ['unit', 'contract', 'package', 'dialects', 'faults', 'promises'];

/** `npm run test:all` sets it: the long forms of the tests. */
const isWeekly = Boolean(process.env.WEEKLY);

/** The versions of zod in package.json, or the one that the variable ZOD names: each n8n brings its own. */
const ZODS = process.env.ZOD
	? [process.env.ZOD]
	: Object.keys(readManifest().devDependencies).filter((name) => name.startsWith('zod-'));

/** The tests that another version of zod can break: those of the files that import it, and of all input. */
const OF_ZOD = [
	'test/unit/{schema,kinds,form,record,operation,checkCall}.test.ts',
	'test/contract/{input,apiRequest}.test.ts',
];

type TestOptions = TestProjectInlineConfiguration['test'];

const project = (name: string, test: TestOptions): TestProjectInlineConfiguration => ({
	extends: true,
	// Loading n8n again for each file would take longer than most tests.
	test: { name, isolate: false, include: [`test/${name}/**/*.test.ts`], ...test },
});

const withZod = (zod: string): TestProjectInlineConfiguration => ({
	...project(zod, { env: { ZOD: zod }, include: OF_ZOD, setupFiles: ['test/support/zod.ts'] }),
	resolve: { alias: { zod } },
});

/** The newest n8n has its files one after another; the older ones have one file each, at the same time. */
const endToEnd = (host: string): TestProjectInlineConfiguration => ({
	...project(host === NEWEST ? 'e2e' : `e2e-${host}`, {
		include: [`test/e2e/${host === NEWEST ? '*' : 'n8n'}.test.ts`],
		isolate: true,
		provide: { host },
		// It packs dist, and Vitest runs the set-up that all projects share after it.
		globalSetup: ['scripts/build.mjs', 'test/e2e/setup.ts'],
		setupFiles: ['test/e2e/connections.ts'],
		fileParallelism: host !== NEWEST,
		// The examples with a trigger, which wait for their polls.
		maxConcurrency: 30,
		testTimeout: 1_200_000,
		hookTimeout: 1_200_000,
	}),
});

const usual = [project('usual', { include: [`test/{${USUAL.join(',')}}/**/*.test.ts`] })];

/** Chosen by `npx vitest --project NAME`. */
const others = [project('newest', {}), ...ZODS.map(withZod), ...hostsToTest().map(endToEnd)];

const isChosen = process.argv.some((argument) => argument.startsWith('--project'));
const isEndToEnd = process.argv.some((argument) => argument.startsWith('--project=e2e'));

export default defineConfig({
	test: {
		// Some tests wait, so one worker more keeps all cores busy.
		maxWorkers: availableParallelism() + 1,
		// Most tests that run at once wait for a server most of the time.
		maxConcurrency: 10,
		globalSetup: ['scripts/build.mjs'],
		setupFiles: ['test/support/seed.ts'],
		...(isEndToEnd && { reporters: ['default', 'test/e2e/tested.ts'] }),
		// On a busy machine a test may take its time, and the long forms take hours.
		testTimeout: isWeekly ? 3_600_000 : 300_000,
		hookTimeout: 300_000,
		projects: [...usual, ...(isChosen ? others : [])],
	},
});
