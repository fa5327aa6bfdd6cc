import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { builtNodes } from '../../test/support/built.ts';
import { ROOT } from '../../test/support/root.ts';
import { median } from './measure.ts';

// How long n8n takes to load each built node. A process that has loaded what n8n provides is the
// host's situation, and a fresh one for each run keeps the measurement cold.

const RUNS = 7;

const program = (path: string, className: string) => `
	for (const name of ['n8n-workflow', 'zod', 'luxon']) require(name);
	const started = performance.now();
	const exported = require(${JSON.stringify(path)});
	const loaded = performance.now();
	new exported[${JSON.stringify(className)}]();
	const made = performance.now();
	console.log(JSON.stringify([loaded - started, made - loaded]));
`;

function measure(path: string, className: string): [load: number, make: number] {
	const { stdout, stderr } = spawnSync(
		process.execPath,
		['--eval', program(join(ROOT, path), className)],
		{ cwd: ROOT, encoding: 'utf8' },
	);
	if (stdout === '') throw new Error(stderr);
	return JSON.parse(stdout) as [number, number];
}

/** Each built node, with the medians in ms: to require its file, and to make it. */
export const loads = () =>
	builtNodes.map(({ className: name, path }) => {
		const runs = Array.from({ length: RUNS }, () => measure(path, name));
		const load = median(runs.map(([time]) => time));
		return { name, load, make: median(runs.map(([, time]) => time)) };
	});
