import { transform, type Plugin } from 'esbuild';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { defineConfig } from 'tsup';

const NODES = ['YkVoice', 'YkVoiceTrigger'];
/** Each a file of its own beside the nodes, loaded when it first runs; what they share is one too. */
const ENGINES = ['action', 'editor', 'trigger'];
const CREDENTIALS = ['YkVoiceApi', 'YkVoiceOAuth2Api'];

/**
 * What every n8n provides at run time; a bundled zod would fail n8n's scanner. p-limit is bundled,
 * as n8n 1 has none.
 */
const external = ['n8n-workflow', 'zod', 'luxon', 'crypto'];

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

async function builtFiles(): Promise<string[]> {
	const entries = await readdir('dist', { recursive: true });
	return entries.filter((path) => path.endsWith('.js')).map((path) => `dist/${path}`);
}

export default defineConfig({
	entry: Object.fromEntries(
		[
			...ENGINES.map((name) => `nodes/engine/${name}`),
			...NODES.map((name) => `nodes/${name}/${name}.node`),
			...CREDENTIALS.map((name) => `credentials/${name}.credentials`),
		].map((path) => [path, `${path}.ts`]),
	),
	// Only modules can share files; they become CommonJS at the end.
	format: 'esm',
	outExtension: () => ({ js: '.js' }),
	platform: 'neutral',
	target: 'es2022',
	outDir: 'dist',
	clean: true,
	splitting: true,
	external,
	esbuildPlugins: [evaluated],
	esbuildOptions(options) {
		options.chunkNames = 'nodes/shared/[hash]';
	},
	async onSuccess() {
		for (const path of await builtFiles()) {
			const { code } = await transform(await readFile(path, 'utf8'), {
				format: 'cjs',
				target: 'es2022',
				minify: true,
				// As require, which is what n8n itself loads nodes with.
				supported: { 'dynamic-import': false },
			});
			await writeFile(path, code);
		}
		await cp('icons', 'dist/icons', { recursive: true });
		for (const name of NODES) {
			await cp(`nodes/${name}/${name}.node.json`, `dist/nodes/${name}/${name}.node.json`);
		}
		await cp('nodes/YkVoice/__schema__', 'dist/nodes/YkVoice/__schema__', { recursive: true });
	},
});
