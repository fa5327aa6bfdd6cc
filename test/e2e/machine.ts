import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { alone } from '../../scripts/alone.mjs';

const PG = '/usr/lib/postgresql';

/** The folder of Debian's PostgreSQL programs, which are not in the PATH. */
export function postgresBin(): string {
	const [newest = ''] = readdirSync(PG).sort((a, b) => Number(b) - Number(a));
	return join(PG, newest, 'bin');
}

export const CHROMIUM = '/usr/bin/chromium';
export const REDIS = '/usr/bin/redis-server';

/** By Debian's package: what the tests run besides n8n, and what compiles n8n's database driver. */
const NEEDED: Record<string, string> = {
	chromium: CHROMIUM,
	'fonts-liberation': '/usr/share/fonts/truetype/liberation',
	'redis-server': REDIS,
	postgresql: PG,
	python3: '/usr/bin/python3',
	make: '/usr/bin/make',
	'g++': '/usr/bin/g++',
};

const missing = () => Object.keys(NEEDED).filter((name) => !existsSync(NEEDED[name]!));

/**
 * Installs what the tests need of the machine.
 * @throws Error where something is missing and cannot be installed by this user
 */
export async function prepareMachine(): Promise<void> {
	if (missing().length > 0) await alone(installMissing, join(tmpdir(), 'yk-voice-machine.lock'));
}

function installMissing(): void {
	const packages = missing();
	if (packages.length === 0) return;
	console.log(`Installing ${packages.join(', ')} …`);
	const install = ['install', '-y', '-qq', '--no-install-recommends', ...packages];
	for (const args of [['update', '-qq'], install]) {
		// The variable is part of the command, as sudo drops the environment.
		const apt = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args];
		const [program = '', ...rest] = process.getuid?.() === 0 ? apt : ['sudo', '-n', ...apt];
		const { status } = spawnSync(program, rest, { stdio: ['ignore', 'ignore', 'inherit'] });
		if (status !== 0) throw new Error(`Please install: ${packages.join(', ')}`);
	}
}
