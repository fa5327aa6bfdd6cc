import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const PG = '/usr/lib/postgresql';

/** The folder of Debian's PostgreSQL programs, which are not in the PATH. */
export function postgresBin(): string | undefined {
	const [newest] = existsSync(PG) ? readdirSync(PG).sort((a, b) => Number(b) - Number(a)) : [];
	return newest === undefined ? undefined : join(PG, newest, 'bin');
}

export const CHROMIUM = '/usr/bin/chromium';
export const REDIS = '/usr/bin/redis-server';

/**
 * What the tests run besides n8n, from Debian's packages.
 * @throws Error where something is missing and cannot be installed by this user
 */
export function prepareMachine(): void {
	const missing = [
		...(existsSync(CHROMIUM) ? [] : ['chromium', 'fonts-liberation']),
		...(existsSync(REDIS) ? [] : ['redis-server']),
		...(postgresBin() === undefined ? ['postgresql'] : []),
	];
	if (missing.length === 0) return;
	if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
		throw new Error(`Please install: ${missing.join(', ')}`);
	}
	console.log(`Installing ${missing.join(', ')} …`);
	apt('update', '-qq');
	apt('install', '-y', '-qq', '--no-install-recommends', ...missing);
}

function apt(...args: string[]): void {
	const { status, stderr } = spawnSync('apt-get', args, {
		env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
		stdio: ['ignore', 'ignore', 'pipe'],
		encoding: 'utf8',
	});
	if (status !== 0) throw new Error(`apt-get ${args.join(' ')} failed\n${stderr}`);
}
