import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { alone } from '../../scripts/alone.mjs';

const PG = '/usr/lib/postgresql';

/** The folder of Debian's PostgreSQL programs, which are not in the PATH. */
export function postgresBin(): string | undefined {
	const [newest] = existsSync(PG) ? readdirSync(PG).sort((a, b) => Number(b) - Number(a)) : [];
	return newest === undefined ? undefined : join(PG, newest, 'bin');
}

export const CHROMIUM = '/usr/bin/chromium';
export const REDIS = '/usr/bin/redis-server';

/** What compiles n8n's database driver where there is no n8n yet. */
const COMPILER = ['python3', 'make', 'g++'];

const isInPath = (program: string) =>
	(process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));

/**
 * What the tests run besides n8n, from Debian's packages.
 * @throws Error where something is missing and cannot be installed by this user
 */
export async function prepareMachine(): Promise<void> {
	await alone(installMissing, join(tmpdir(), 'yk-voice-machine.lock'));
}

function installMissing(): void {
	const missing = [
		...(existsSync(CHROMIUM) ? [] : ['chromium', 'fonts-liberation']),
		...(existsSync(REDIS) ? [] : ['redis-server']),
		...(postgresBin() === undefined ? ['postgresql'] : []),
		...COMPILER.filter((program) => !isInPath(program)),
	];
	if (missing.length === 0) return;
	const prefix = asRoot();
	if (prefix === undefined || !existsSync('/usr/bin/apt-get')) {
		throw new Error(`Please install: ${missing.join(', ')}`);
	}
	console.log(`Installing ${missing.join(', ')} …`);
	apt(prefix, 'update', '-qq');
	apt(prefix, 'install', '-y', '-qq', '--no-install-recommends', ...missing);
}

/** What a command of root begins with, or nothing where this user may not become root unasked. */
function asRoot(): string[] | undefined {
	if (process.getuid?.() === 0) return [];
	const { status } = spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' });
	return status === 0 ? ['sudo', '-n'] : undefined;
}

function apt(prefix: string[], ...args: string[]): void {
	// The variable is part of the command, as sudo drops the environment.
	const command = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args];
	const [program = '', ...rest] = command;
	const { status, stderr } = spawnSync(program, rest, { encoding: 'utf8' });
	if (status !== 0) throw new Error(`apt-get ${args.join(' ')} failed\n${stderr}`);
}
