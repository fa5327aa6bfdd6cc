import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { builtNodes } from '../support/built.ts';
import { ROOT } from '../support/root.ts';
import { median } from './measure.ts';

// How long n8n takes to load each built node. A process that has loaded what n8n provides is the
// host's situation, and a fresh one for each run keeps the measurement cold.

const RUNS = 7;

const program = (path: string, className = '') => `
	for (const name of ['n8n-workflow', 'zod', 'luxon']) require(name);
	const started = performance.now();
	const exported = require(${JSON.stringify(path)});
	const loaded = performance.now();
	if (${JSON.stringify(className)}) new exported[${JSON.stringify(className)}]();
	const made = performance.now();
	console.log(JSON.stringify([loaded - started, made - loaded]));
`;

function measure(path: string, className?: string): [load: number, make: number] {
	const code = program(path, className);
	const { stdout, stderr } = spawnSync(process.execPath, ['--eval', code], {
		cwd: ROOT,
		encoding: 'utf8',
	});
	if (stdout === '') throw new Error(stderr);
	return JSON.parse(stdout) as [number, number];
}

export interface Load {
	name: string;
	/** Medians in ms: to require the file, and to make the node. */
	load: number;
	make: number;
}

function loadOf(name: string, path: string, className?: string): Load {
	const file = join(ROOT, path);
	const runs = Array.from({ length: RUNS }, () => measure(file, className));
	return {
		name,
		load: median(runs.map(([load]) => load)),
		make: median(runs.map(([, make]) => make)),
	};
}

/** Each built node, in fresh processes. */
export const loads = (): Load[] =>
	builtNodes.map(({ className, path }) => loadOf(className, path, className));
