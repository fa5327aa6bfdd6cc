import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { builtNodes } from '../../test/support/built.ts';
import { ROOT } from '../../test/support/root.ts';
import { median } from './measure.ts';

const RUNS = 7;

/** A process that has loaded what n8n provides is the host's situation. It prints ms. */
const program = (path: string) => `
	for (const name of ['n8n-workflow', 'zod', 'luxon']) require(name);
	const started = performance.now();
	require(${JSON.stringify(path)});
	console.log(performance.now() - started);
`;

/** How long n8n takes to load each built node: the median in ms. A fresh process for each run keeps it cold. */
export const loads = () =>
	builtNodes.map(({ className: name, path }) => {
		const args = ['--eval', program(join(ROOT, path))];
		const times = Array.from({ length: RUNS }, () => {
			const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
			if (stdout === '') throw new Error(stderr);
			return Number(stdout);
		});
		return { name, load: median(times) };
	});
