import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';

import { ROOT } from '../support/root.ts';

/** What each file imports, both as paths from the package's root. Packages are left out. */
export type Imports = ReadonlyMap<string, readonly string[]>;

/** Everything in `folders` that is TypeScript, with its imports: of types, and at run time too. */
export function importsIn(folders: string[]): Imports {
	const paths = folders.flatMap((folder) =>
		readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
			.filter((name) => name.endsWith('.ts'))
			.map((name) => posix.join(folder, name.replaceAll('\\', '/'))),
	);
	const known = new Set(paths);
	return new Map(
		paths.map((path) => {
			const names = importsOf(readFileSync(join(ROOT, path), 'utf8'));
			return [path, names.filter(isRelative).map((name) => resolved(path, name, known))];
		}),
	);
}

/** The modules that a source names: `import`, `export … from`, `import()` and `require()`. */
export function importsOf(source: string): string[] {
	const { importedFiles } = ts.preProcessFile(source, true, true);
	return [...new Set(importedFiles.map(({ fileName }) => fileName))];
}

const isRelative = (name: string) => name.startsWith('.');

/** As TypeScript resolves it: with or without the ending, and a folder's index. */
function resolved(from: string, name: string, known: ReadonlySet<string>): string {
	const path = posix.join(posix.dirname(from), name);
	const candidates = [path, `${path}.ts`, `${path}/index.ts`];
	return candidates.find((candidate) => known.has(candidate)) ?? path;
}

/**
 * The imports that do not lead to a lower layer, or stay in their own folder.
 *
 * @param layers the folders of each layer, the highest first
 * @param folderOf the folder that a file is in. A file that is in none is listed too
 */
export function strayImports(
	imports: Imports,
	layers: ReadonlyArray<readonly string[]>,
	folderOf: (path: string) => string | undefined,
): string[] {
	const layerOf = (path: string) => {
		const folder = folderOf(path);
		return layers.findIndex((folders) => folders.some((one) => one === folder));
	};
	return [...imports].flatMap(([from, targets]) => {
		if (layerOf(from) < 0) return [`${from} is in no layer`];
		return targets
			.filter((to) => folderOf(to) !== folderOf(from) && layerOf(to) <= layerOf(from))
			.map((to) => `${from} → ${to}`);
	});
}

/** The circles of files that import each other, each told once. */
export function circles(imports: Imports): string[] {
	const found: string[] = [];
	const done = new Set<string>();
	const walk = (path: string, trail: string[]) => {
		const at = trail.indexOf(path);
		if (at >= 0) found.push([...trail.slice(at), path].join(' → '));
		if (at >= 0 || done.has(path)) return;
		for (const next of imports.get(path) ?? []) walk(next, [...trail, path]);
		done.add(path);
	};
	for (const path of imports.keys()) walk(path, []);
	return found;
}
