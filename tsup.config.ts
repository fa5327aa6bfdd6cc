import type { Plugin } from 'esbuild';
import { cp, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { minify } from 'terser';
import { defineConfig } from 'tsup';
import ts from 'typescript';

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

/** What the editor shows of a parameter or a row, besides its name. */
const EDITOR_TEXTS = ['action', 'description', 'hint', 'meanings', 'placeholder'];

/** What else only the editor uses, of a parameter. The `search` of a row is another thing. */
const EDITOR_SETTINGS = [
	...['dependsOn', 'idExample', 'loadOptionsMethod', 'noDataExpression'],
	...['rule', 'search', 'typedAs', 'typeOptions'],
];

/** Leaves both out of the engines. They ship once, in the JSON of `evaluated`. */
const withoutEditorTexts: Plugin = {
	name: 'without-editor-texts',
	setup({ onLoad }) {
		const rooms =
			/[\\/]nodes[\\/](checks|filters|report|resources|statistics|table|trigger|waiting|watching)[\\/].*\.ts$/;
		onLoad({ filter: rooms }, async ({ path }) => {
			const text = await readFile(path, 'utf8');
			const left: string[] = [];
			let end = 0;
			const visit = (node: ts.Node): void => {
				if (isEditorText(node)) {
					left.push(text.slice(end, node.getFullStart()));
					end = node.getEnd() + (text[node.getEnd()] === ',' ? 1 : 0);
				} else ts.forEachChild(node, visit);
			};
			visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
			return { contents: left.join('') + text.slice(end), loader: 'ts' };
		});
	},
};

/** Whether this is such a text or setting in the literal of a parameter, a row or a resource. */
function isEditorText(node: ts.Node): boolean {
	if (!ts.isPropertyAssignment(node)) return false;
	const own = node.name.getText();
	const names = (node.parent as ts.ObjectLiteralExpression).properties.map((one) =>
		one.name?.getText(),
	);
	if (names.includes('displayName') && EDITOR_SETTINGS.includes(own)) return true;
	const isSaid = ['displayName', 'request', 'operations'].some((name) => names.includes(name));
	return isSaid && EDITOR_TEXTS.includes(own);
}

async function builtFiles(): Promise<string[]> {
	const entries = await readdir('dist', { recursive: true });
	return entries.filter((path) => path.endsWith('.js')).map((path) => `dist/${path}`);
}

/**
 * A built ES module as CommonJS, with which n8n loads nodes. What esbuild itself would write takes a half
 * kilobyte more in each file, and looks up each import at each use.
 */
function asCommonJs(text: string): string {
	let code = '';
	let end = 0;
	const visit = (node: ts.Node): void => {
		const changed = inCommonJs(node);
		if (changed === undefined) return ts.forEachChild(node, visit);
		code += text.slice(end, node.getStart()) + changed;
		end = node.getEnd();
	};
	visit(ts.createSourceFile('module.js', text, ts.ScriptTarget.Latest, true));
	return code + text.slice(end);
}

/** What esbuild writes of imports and exports, in CommonJS. Undefined for all other code. */
function inCommonJs(node: ts.Node): string | undefined {
	if (ts.isImportDeclaration(node)) {
		const names = node.importClause?.namedBindings?.getText().replaceAll(' as ', ':');
		return `${names === undefined ? '' : `const ${names}=`}require(${node.moduleSpecifier.getText()});`;
	}
	if (ts.isExportDeclaration(node) && node.exportClause && ts.isNamedExports(node.exportClause)) {
		const names = node.exportClause.elements.map((one) => one.getText().split(' as ').reverse());
		return `module.exports={${names.map((pair) => pair.join(':')).join()}};`;
	}
	if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
		return `Promise.resolve().then(()=>require(${node.arguments[0]!.getText()}))`;
	}
	return undefined;
}

/** Gives the shared files names that do not change with their contents, the largest first. */
async function nameShared(): Promise<void> {
	const dir = 'dist/nodes/shared';
	const sized = await Promise.all(
		(await readdir(dir)).map(async (name) => ({ name, size: (await stat(`${dir}/${name}`)).size })),
	);
	const names = sized.toSorted((one, other) => other.size - one.size).map(({ name }) => name);
	for (const path of await builtFiles()) {
		const code = await readFile(path, 'utf8');
		await writeFile(
			path,
			names.reduce((text, name, at) => text.replaceAll(`/${name}`, `/${at + 1}.js`), code),
		);
	}
	for (const [at, name] of names.entries()) await rename(`${dir}/${name}`, `${dir}/${at + 1}.js`);
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
	esbuildPlugins: [evaluated, withoutEditorTexts],
	esbuildOptions(options) {
		options.chunkNames = 'nodes/shared/[hash]';
		// Shared files name their exports for each other. Short names save 3 kB.
		options.minifyIdentifiers = true;
	},
	async onSuccess() {
		for (const path of await builtFiles()) {
			const code = asCommonJs(await readFile(path, 'utf8'));
			// terser writes 3 % less than esbuild.
			const small = await minify(code, { ecma: 2020, toplevel: true, compress: { passes: 2 } });
			await writeFile(path, small.code!);
		}
		await nameShared();
		await cp('icons', 'dist/icons', { recursive: true });
		for (const name of NODES) {
			await cp(`nodes/${name}/${name}.node.json`, `dist/nodes/${name}/${name}.node.json`);
		}
		await cp('nodes/YkVoice/__schema__', 'dist/nodes/YkVoice/__schema__', { recursive: true });
	},
});
