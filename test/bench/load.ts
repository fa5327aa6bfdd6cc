import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';

import { builtNodes } from '../support/built.ts';
import { ROOT } from '../support/root.ts';
import { median } from './measure.ts';

// How long n8n takes to load each built node. A process that has loaded what n8n provides is the
// host's situation, and a fresh one for each run keeps the measurement cold.

const RUNS = 7;

/** What n8n's start may pay for each node, in ms. */
const LIMIT_MS = 5;

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
	className: string;
	/** Medians in ms: to require the file, and to make the node. */
	load: number;
	make: number;
	/** Bytes of the built file. */
	size: number;
}

/** What the nodes run: n8n loads it with the first execution. */
const engineOf = (name: string) => join(ROOT, `dist/nodes/engine/${name}.js`);

function loadOf(file: string, className?: string): Omit<Load, 'className'> {
	const runs = Array.from({ length: RUNS }, () => measure(file, className));
	return {
		load: median(runs.map(([load]) => load)),
		make: median(runs.map(([, make]) => make)),
		size: statSync(file).size,
	};
}

/** Each built node, in fresh processes. */
export const loads = (): Load[] =>
	builtNodes.map(({ className, path }) => ({ className, ...loadOf(join(ROOT, path), className) }));

export const engineLoads = (): Load[] =>
	['action', 'trigger'].map((name) => ({
		className: `${name}, later`,
		...loadOf(engineOf(name)),
	}));

if (import.meta.main) {
	const cell = (text: string) => text.padStart(11);
	const ms = (value: number) => cell(`${value.toFixed(2)} ms`);
	console.log(
		`Cold loads of the built nodes, median of ${RUNS} fresh processes, Node ${process.version}\n`,
	);
	console.log(`${'node'.padEnd(18)}${['require', 'new', 'file'].map(cell).join('')}`);
	const [nodes, engines] = [loads(), engineLoads()];
	for (const { className, load, make, size } of [...nodes, ...engines]) {
		const kilobytes = cell(`${(size / 1000).toFixed(1)} kB`);
		console.log(`${className.padEnd(18)}${ms(load)}${ms(make)}${kilobytes}`);
		const isLater = engines.some((engine) => engine.className === className);
		if (isLater || load + make <= LIMIT_MS) continue;
		console.error(`${className} takes longer than ${LIMIT_MS} ms to load`);
		process.exitCode = 1;
	}
}
