import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const HOSTS = ['n8n-2.41', 'n8n-2.20', 'n8n-1.123'] as const;

export type HostName = (typeof HOSTS)[number];

/** One version of n8n with the Node it asks for, installed outside the checkout. */
export interface Host {
	name: HostName;
	version: string;
	dir: string;
	node: string;
	/** The command-line program, to be run with `node`. */
	bin: string;
}

/** The version that a user is most likely to have, which the tests of one version run in. */
export const NEWEST: HostName = 'n8n-2.41';

/** All versions, or those that E2E_HOSTS names, such as `n8n-2.41`. */
export function hostsToTest(): HostName[] {
	const wanted = process.env.E2E_HOSTS?.split(',');
	return HOSTS.filter((name) => name === NEWEST || wanted === undefined || wanted.includes(name));
}

const cacheRoot = () =>
	join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'n8n-nodes-yk-voice');

/** What compiles in an n8n of this version; everything else in it ships prebuilt or is not used. */
const NATIVE = ['sqlite3'];

/** Installs one version of n8n, once for every lock file. */
export function installHost(name: HostName): Host {
	const source = fileURLToPath(new URL(`hosts/${name}`, import.meta.url));
	const files = ['package.json', 'package-lock.json'];
	const hash = createHash('sha256');
	for (const file of files) hash.update(readFileSync(join(source, file)));
	const dir = join(cacheRoot(), `${name}-${hash.digest('hex').slice(0, 16)}`);
	const stamp = join(dir, '.installed');
	const host = (): Host => ({
		name,
		dir,
		version: versionOf(join(dir, 'node_modules/n8n')),
		node: join(dir, 'node_modules/node/bin/node'),
		bin: join(dir, 'node_modules/n8n/bin/n8n'),
	});
	if (existsSync(stamp)) return host();

	console.log(`Installing ${name}, once (three to six minutes) …`);
	mkdirSync(dir, { recursive: true });
	for (const file of files) copyFileSync(join(source, file), join(dir, file));
	// Not `npm ci`: it refuses a lock when a registry lacks an optional package for another system.
	npm(dir, {}, 'install', '--no-save', '--ignore-scripts');
	npm(dir, {}, 'rebuild', 'node');
	npm(dir, { npm_config_nodedir: headers(dir) }, 'rebuild', ...NATIVE);
	writeFileSync(stamp, '');
	return host();
}

const versionOf = (dir: string) =>
	(JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as { version: string }).version;

function npm(dir: string, env: NodeJS.ProcessEnv, ...args: string[]): void {
	const flags = ['--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error'];
	const own = join(dir, 'node_modules/node/bin');
	// An `npm run` around this one hands down settings of its own, such as its prefix.
	const inherited = Object.entries(process.env).filter(
		([key]) => !/^npm_(config_local_prefix|package_|lifecycle_)/.test(key),
	);
	const { status } = spawnSync('npm', [...args, ...flags], {
		cwd: dir,
		env: {
			...Object.fromEntries(inherited),
			PATH: `${own}${delimiter}${process.env.PATH}`,
			...env,
		},
		stdio: ['ignore', 'inherit', 'inherit'],
	});
	if (status !== 0) throw new Error(`npm ${args.join(' ')} failed in ${dir}`);
}

/** The npm package `node` brings the headers of its own version, so nothing is downloaded for them. */
function headers(dir: string): string {
	const found = [join(dir, 'node_modules/node/node_modules'), join(dir, 'node_modules')].flatMap(
		(parent) =>
			existsSync(parent)
				? readdirSync(parent)
						.filter((entry) => /^node-(linux|darwin|win)/.test(entry))
						.map((entry) => join(parent, entry))
				: [],
	);
	const [first] = found.filter((path) => existsSync(join(path, 'include/node/node.h')));
	if (first === undefined) throw new Error(`There are no Node headers in ${dir}`);
	return first;
}

if (import.meta.main) {
	const names = process.argv.slice(2);
	for (const name of names.length > 0 ? names : HOSTS) console.log(installHost(name as HostName));
}
