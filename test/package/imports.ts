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
 * The imports that do not lead to a lower floor, or stay in their own room.
 *
 * @param floors the rooms of each floor, the highest first
 * @param roomOf the room that a file is in; undefined where it is in none, and is told too
 */
export function strayImports(
	imports: Imports,
	floors: ReadonlyArray<readonly string[]>,
	roomOf: (path: string) => string | undefined,
): string[] {
	const floorOf = (path: string) => {
		const room = roomOf(path);
		return floors.findIndex((rooms) => rooms.some((one) => one === room));
	};
	return [...imports].flatMap(([from, targets]) => {
		if (floorOf(from) < 0) return [`${from} is in no room`];
		return targets
			.filter((to) => roomOf(to) !== roomOf(from) && floorOf(to) <= floorOf(from))
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
