import { cp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { defineConfig } from 'tsup';

const require = createRequire(import.meta.url);
const NODES = ['YkVoice', 'YkVoiceTrigger'];
const CREDENTIALS = ['YkVoiceApi', 'YkVoiceAccountsApi', 'YkVoiceOAuth2Api'];

/** The parameters of each node. The build runs these files and ships what they export, as JSON. */
const STATIC = NODES.map((name) => `nodes/${name}/properties.static`);

const entries = [
	'nodes/engine',
	...NODES.map((name) => `nodes/${name}/${name}.node`),
	...CREDENTIALS.map((name) => `credentials/${name}.credentials`),
	...STATIC,
];

export default defineConfig({
	entry: Object.fromEntries(entries.map((path) => [path, `${path}.ts`])),
	format: 'cjs',
	platform: 'neutral',
	target: 'es2022',
	outDir: 'dist',
	clean: true,
	sourcemap: true,
	external: [
		// Packages that every n8n provides at run time. n8n's scanner refuses a bundled zod.
		...['n8n-workflow', 'zod', 'luxon', 'crypto'],
		// The nodes require these files, with the paths that stand in their sources.
		...['../engine', './properties.static'],
	],
	esbuildOptions(options) {
		// Otherwise `import('../engine')` stays as it is, and Node would ask for the file's ending.
		options.supported = { 'dynamic-import': false };
	},
	async onSuccess() {
		for (const path of STATIC) {
			const built = `dist/${path}.js`;
			const data = JSON.stringify(require(`./${built}`), undefined, '\t');
			await writeFile(built.replace(/js$/, 'json'), data);
			await Promise.all([rm(built), rm(`${built}.map`)]);
		}
		for (const name of NODES) {
			await cp(`nodes/${name}/${name}.node.json`, `dist/nodes/${name}/${name}.node.json`);
			const schemas = `nodes/${name}/__schema__`;
			await cp(schemas, `dist/${schemas}`, { recursive: true });
		}
		await cp('icons', 'dist/icons', { recursive: true });
	},
});
