import { fileURLToPath } from 'node:url';
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

import { MODULES } from './vitest.config.ts';

const RUNNER = 'node_modules/@stryker-mutator/vitest-runner/dist/src/index.js';

/** What the editor shows is no code: its labels and its layout are looked at in test/package. */
const isOfEditor = ({ node }) => {
	const annotation = node.returnType ?? node.id?.typeAnnotation;
	return annotation !== undefined && /"INodePropert/.test(JSON.stringify(annotation));
};
export const strykerPlugins = [
	declareValuePlugin(PluginKind.Ignore, 'editor', {
		shouldIgnore: (path) => (isOfEditor(path) ? 'what the editor shows' : undefined),
	}),
];

// Changes the code of the pure modules, one thought at a time, and asks whether the module's own
// tests notice: `npm run test:mutants`, or `npm run test:mutants -- --mutate nodes/api/retry.ts`.
export default {
	testRunner: 'vitest',
	// By its path: Stryker looks for plugins beside the package, and this one stands below it.
	plugins: [RUNNER, 'stryker.config.mjs'].map((path) =>
		fileURLToPath(new URL(path, import.meta.url)),
	),
	ignorers: ['editor'],
	vitest: { configFile: 'test/mutants/vitest.config.ts' },
	mutate: MODULES.map((name) => `nodes/${name}.ts`),
	reporters: ['clear-text', 'html'],
	clearTextReporter: { logTests: false, reportTests: false },
	htmlReporter: { fileName: 'artifacts/mutants.html' },
	thresholds: { high: 90, low: 75, break: 60 },
	tempDirName: 'artifacts/mutants',
	ignorePatterns: ['artifacts', 'dist', 'docs', 'examples'],
};
