import { transform, type Plugin } from 'esbuild';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { defineConfig } from 'tsup';

const NODES = ['YkVoice', 'YkVoiceTrigger'];
/** The code of the nodes: one file each, loaded when it first runs. Shared code gets files of its own. */
const ENGINES = ['action', 'editor', 'trigger'];
const CREDENTIALS = ['YkVoiceApi', 'YkVoiceOAuth2Api'];

/** Packages that every n8n provides at run time. n8n's scanner refuses a bundled zod. */
const external = ['n8n-workflow', 'zod', 'luxon', 'crypto'];

/** Runs modules named *.static.ts at build time. Their exports ship as JSON. */
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
	// Code can be shared between files only as ES modules. They become CommonJS at the end.
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
				// import() becomes require, with which n8n loads nodes.
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
