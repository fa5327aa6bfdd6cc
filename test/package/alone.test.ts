import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { ROOT } from '../support/root.ts';

let folder: string;
let lock: string;
let diary: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'yk-voice-alone-'));
	[lock, diary] = [join(folder, 'lock'), join(folder, 'diary')];
	writeFileSync(diary, '');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A process that writes down when its work begins and ends; it takes a while, and may fail. */
async function work(last = ''): Promise<void> {
	const code = `
		import { appendFileSync } from 'node:fs';
		import { setTimeout as sleep } from 'node:timers/promises';
		import { alone } from ${JSON.stringify(pathToFileURL(join(ROOT, 'scripts/alone.mjs')))};
		const [diary, lock] = process.argv.slice(-2);
		await alone(async () => {
			appendFileSync(diary, 'begun ');
			await sleep(300);
			appendFileSync(diary, 'done ');
			${last}
		}, lock);`;
	const args = ['--input-type=module', '--eval', code, diary, lock];
	await once(spawn(process.execPath, args, { stdio: 'ignore' }), 'exit');
}

it('what several processes begin at once is done by one after the other, also if one fails', async () => {
	await Promise.all([work(), work("throw new Error('failed')"), work()]);
	expect(readFileSync(diary, 'utf8')).toBe('begun done '.repeat(3));
	expect(existsSync(lock)).toBe(false);
});
