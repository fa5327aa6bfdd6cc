import type { Plugin } from 'esbuild';
import { cp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { defineConfig } from 'tsup';

const NODES = ['YkVoice', 'YkVoiceTrigger'];
const CREDENTIALS = ['YkVoiceApi', 'YkVoiceOAuth2Api'];

/**
 * What every n8n provides at run time; a bundled zod would fail n8n's scanner. p-limit is bundled,
 * as n8n 1 has none.
 */
const external = ['n8n-workflow', 'zod', 'luxon', 'crypto'];

/** The engine stays a file of its own, which a node loads when it runs. */
const engineApart: Plugin = {
	name: 'engine-apart',
	setup({ onResolve }) {
		onResolve({ filter: /\/engine$/ }, ({ kind }) =>
			kind === 'dynamic-import' ? { path: '../engine.js', external: true } : undefined,
		);
	},
};

/** Modules named *.static.ts are evaluated here, and ship as what they export, in JSON. */
const evaluated: Plugin = {
	name: 'evaluated',
	setup({ onLoad, esbuild }) {
		onLoad({ filter: /\.static\.ts$/ }, async ({ path }) => {
			const { outputFiles } = await esbuild.build({
				entryPoints: [path],
				bundle: true,
				write: false,
				format: 'cjs',
				platform: 'neutral',
				external,
			});
			const module = { exports: {} };
			const load = new Function('module', 'require', outputFiles[0]!.text);
			load(module, createRequire(import.meta.url));
			const json = (value: unknown) => JSON.stringify(JSON.stringify(value));
			const contents = Object.entries(module.exports)
				.map(([name, value]) => `export const ${name} = JSON.parse(${json(value)});`)
				.join('\n');
			return { contents, loader: 'js' };
		});
	},
};

export default defineConfig({
	entry: Object.fromEntries(
		[
			'nodes/engine',
			...NODES.map((name) => `nodes/${name}/${name}.node`),
			...CREDENTIALS.map((name) => `credentials/${name}.credentials`),
		].map((path) => [path, `${path}.ts`]),
	),
	format: 'cjs',
	platform: 'neutral',
	target: 'es2022',
	outDir: 'dist',
	clean: true,
	splitting: false,
	minify: true,
	external,
	esbuildPlugins: [engineApart, evaluated],
	esbuildOptions(options) {
		// As require, which is what n8n itself loads nodes with.
		options.supported = { 'dynamic-import': false };
	},
	async onSuccess() {
		await cp('icons', 'dist/icons', { recursive: true });
		for (const name of NODES) {
			await cp(`nodes/${name}/${name}.node.json`, `dist/nodes/${name}/${name}.node.json`);
		}
		await cp('nodes/YkVoice/__schema__', 'dist/nodes/YkVoice/__schema__', { recursive: true });
	},
});
