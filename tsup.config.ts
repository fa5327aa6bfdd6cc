import { cp } from 'node:fs/promises';
import { defineConfig } from 'tsup';

const NODES = ['YkVoice', 'YkVoiceTrigger'];
const CREDENTIALS = ['YkVoiceApi', 'YkVoiceOAuth2Api'];

export default defineConfig({
	entry: Object.fromEntries(
		[
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
	// What n8n provides at run time is never bundled: a bundled zod fails n8n's scanner.
	external: ['n8n-workflow', 'zod', 'luxon', 'p-limit', 'crypto'],
	async onSuccess() {
		await cp('icons', 'dist/icons', { recursive: true });
		for (const name of NODES) {
			await cp(`nodes/${name}/${name}.node.json`, `dist/nodes/${name}/${name}.node.json`);
		}
		await cp('nodes/YkVoice/__schema__', 'dist/nodes/YkVoice/__schema__', { recursive: true });
	},
});
