import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { postgresBin, REDIS } from './machine.ts';
import { freePort } from './n8n.ts';

export interface Service {
	port: number;
	stop(): Promise<void>;
}

async function listening(port: number): Promise<void> {
	for (let tries = 0; tries < 150; tries++) {
		const socket = connect(port, '127.0.0.1');
		const connected = once(socket, 'connect');
		const isUp = await connected.then(() => true).catch(() => false);
		socket.destroy();
		if (isUp) return;
		await sleep(100);
	}
	throw new Error(`Nothing listens on port ${port}`);
}

async function end(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	child.kill('SIGINT');
	await once(child, 'exit');
}

export async function startRedis(): Promise<Service> {
	const port = await freePort();
	const child = spawn(REDIS, ['--port', String(port), '--save', '', '--bind', '127.0.0.1'], {
		stdio: 'ignore',
	});
	await listening(port);
	return { port, stop: async () => await end(child) };
}

/** A PostgreSQL of its own, with the user `postgres` and no password. */
export async function startPostgres(): Promise<Service> {
	const port = await freePort();
	const root = mkdtempSync(join(tmpdir(), 'yk-voice-postgres-'));
	const data = join(root, 'data');
	mkdirSync(data);
	const bin = postgresBin();
	// PostgreSQL refuses to run as root; its package brings a user for it.
	const ids: { uid?: number; gid?: number } = userInfo().uid === 0 ? idsOf('postgres') : {};
	if (ids.uid !== undefined && ids.gid !== undefined) {
		chownSync(root, ids.uid, ids.gid);
		chownSync(data, ids.uid, ids.gid);
	}
	const options = { ...ids, cwd: root, stdio: 'ignore' as const };
	const made = spawnSync(
		join(bin, 'initdb'),
		['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync', '-E', 'UTF8'],
		options,
	);
	if (made.status !== 0) throw new Error('initdb failed');
	const child = spawn(
		join(bin, 'postgres'),
		['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', root, '-F'],
		options,
	);
	await listening(port);
	return {
		port,
		stop: async () => {
			await end(child);
			rmSync(root, { recursive: true, force: true });
		},
	};
}

function idsOf(user: string): { uid: number; gid: number } {
	const id = (flag: string) => Number(spawnSync('id', [flag, user], { encoding: 'utf8' }).stdout);
	return { uid: id('-u'), gid: id('-g') };
}
