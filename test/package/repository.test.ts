import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { ROOT } from '../support/root.ts';

const { status, stdout } = spawnSync(
	'git',
	['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
	{ cwd: ROOT, encoding: 'utf8' },
);

/** What is, or is about to be, in the repository; a file deleted but not yet committed is not. */
const files = stdout.split('\0').flatMap((path): Array<[string, string]> => {
	try {
		return path === '' ? [] : [[path, readFileSync(join(ROOT, path), 'utf8')]];
	} catch {
		return [];
	}
});

const holding = (isFound: (content: string) => boolean, among = files) =>
	among.filter(([, content]) => isFound(content)).map(([path]) => path);

// Without git, as in a downloaded archive, there is no list of files to judge.
describe.skipIf(status !== 0)('no file of the repository holds', () => {
	it('a path of the machine it was made on', () => {
		const own = [ROOT.replace(/\/$/, ''), homedir()].filter((path) => path.length > 1);
		const isForeign = /(?<![\w.~/$}-])\/(home|root|work|Users)\/[\w.-]/;
		expect(
			holding((text) => isForeign.test(text) || own.some((path) => containsPath(text, path))),
		).toEqual([]);
	});

	it('the host of a package registry', () => {
		const hosts = [
			['registry', 'npmjs', 'org'],
			['registry', 'yarnpkg', 'com'],
			['registry', 'npmmirror', 'com'],
		].map((parts) => parts.join('.'));
		const configured = spawnSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' });
		if (URL.canParse(configured.stdout.trim())) hosts.push(new URL(configured.stdout).host);
		expect(holding((text) => hosts.some((host) => text.includes(host)))).toEqual([]);
	});
});

describe.skipIf(status !== 0)('every lock file', () => {
	const locks = files.filter(([path]) => /(^|\/)package-lock\.json$/.test(path));

	const entriesOf = (text: string) =>
		Object.entries(
			(
				JSON.parse(text) as {
					packages: Record<string, { integrity?: string; resolved?: string; link?: boolean }>;
				}
			).packages,
		);

	it('names no place to install from, so that it installs from any registry (npm run lock)', () => {
		const isAddressed = (text: string) =>
			entriesOf(text).some(([, { resolved, link }]) => resolved !== undefined && !link);
		expect(holding(isAddressed, locks)).toEqual([]);
	});

	it('holds the packages of every platform, for the package itself', () => {
		const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
			packages: Record<string, { optionalDependencies?: Record<string, string> }>;
		};
		const held = new Set(
			Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, '')),
		);
		const missing = Object.values(packages)
			.flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
			.filter((name) => !held.has(name));
		// npm leaves them out where the registry has them not yet; `npm ci` then refuses the lock.
		expect(missing).toEqual([]);
	});

	it('pins every package by its hash', () => {
		for (const [path, text] of locks) {
			// A folder of this repository needs no hash.
			const unpinned = entriesOf(text).filter(
				([name, { integrity, link }]) => name.includes('node_modules/') && !integrity && !link,
			);
			expect(
				unpinned.map(([name]) => name),
				path,
			).toEqual([]);
		}
	});
});

/** Whole path segments only: the root user's home is a part of many a longer word. */
function containsPath(text: string, path: string): boolean {
	const escaped = path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
	return new RegExp(`(?<![\\w.~/-])${escaped}(?![\\w-])`).test(text);
}
