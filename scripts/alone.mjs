// A lock: two processes in one checkout must not install or build at the same time.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const LOCK = fileURLToPath(new URL('.lock', import.meta.url));

/**
 * Waits until no other process holds the lock, then does the work. The lock is a file with the process
 * id of its holder. If that process has died, the lock is free.
 */
export async function alone(work, lock = LOCK) {
	for (let isTold = false; !take(lock); isTold = true) {
		if (!isTold) console.log(`Waiting for another process to finish, which holds ${lock} …`);
		await sleep(100);
	}
	try {
		return await work();
	} finally {
		rmSync(lock, { force: true });
	}
}

function take(lock) {
	try {
		writeFileSync(lock, String(process.pid), { flag: 'wx' });
		return true;
	} catch (error) {
		if (error.code !== 'EEXIST') throw error;
		if (isForsaken(lock)) rmSync(lock, { force: true });
		return false;
	}
}

function isForsaken(lock) {
	try {
		// A holder that has not written its id yet reads as 0, which counts as alive.
		process.kill(Number(readFileSync(lock, 'utf8')), 0);
		return false;
	} catch (error) {
		return error.code === 'ESRCH';
	}
}
