import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';

import { ROOT } from '../support/root.ts';

/** What `.gitignore` leaves out. */
const IGNORED = /^(\.git|node_modules|dist|coverage|artifacts|\.lock)$|\.(tgz|log|tsbuildinfo)$/;

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** All files below a folder. */
const filesBelow = (folder: string): string[] =>
	readdirSync(join(ROOT, folder), { withFileTypes: true })
		.filter(({ name }) => !IGNORED.test(name))
		.flatMap((entry) => {
			const path = posix.join(folder, entry.name);
			return entry.isDirectory() ? filesBelow(path) : [path];
		});

/** What is, or is about to be, in the repository. */
const files = filesBelow('');

describe('no file of the repository holds', () => {
	it('a path of the machine it was made on', () => {
		const escaped = [ROOT.replace(/\/$/, ''), homedir()]
			.filter((path) => path.length > 1)
			.map((path) => path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
		// Whole path segments only: the root user's home is a part of many a longer word.
		const own = new RegExp(`(?<![\\w.~/-])(${escaped.join('|')})(?![\\w-])`);
		const foreign = /(?<![\w.~/$}-])\/(home|root|work|Users)\/[\w.-]/;
		const isOfMachine = (text: string) => foreign.test(text) || own.test(text);
		expect(files.filter((path) => isOfMachine(read(path)))).toEqual([]);
	});

	it('the host of a package registry', () => {
		const hosts = [
			['registry', 'npmjs', 'org'],
			['registry', 'yarnpkg', 'com'],
			['registry', 'npmmirror', 'com'],
		].map((parts) => parts.join('.'));
		const configured = spawnSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' });
		if (URL.canParse(configured.stdout.trim())) hosts.push(new URL(configured.stdout).host);
		const holdsHost = (text: string) => hosts.some((host) => text.includes(host));
		expect(files.filter((path) => holdsHost(read(path)))).toEqual([]);
	});
});

interface Locked {
	integrity?: string;
	resolved?: string;
	link?: boolean;
}

const locks = files.filter((path) => /(^|\/)package-lock\.json$/.test(path));

describe.each(locks)('%s', (path) => {
	const { packages } = JSON.parse(read(path)) as { packages: Record<string, Locked> };
	// A folder of this repository is linked.
	const installed = Object.entries(packages).filter(
		([name, { link }]) => name.includes('node_modules/') && !link,
	);

	it('names no place to install from, so that it installs from any registry (npm run lock)', () => {
		const addressed = installed.filter(([, { resolved }]) => resolved !== undefined);
		expect(addressed.map(([name]) => name)).toEqual([]);
	});

	it('pins every package by its hash', () => {
		expect(installed.filter(([, { integrity }]) => !integrity).map(([name]) => name)).toEqual([]);
	});
});
