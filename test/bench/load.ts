import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';

import { builtNodes } from '../package/built.ts';
import { ROOT } from '../package/root.ts';

// How long n8n takes to load each built node. A process that has loaded what n8n provides is the
// host's situation, and a fresh one for each run keeps the measurement cold.

const RUNS = 7;

const program = (path: string, className: string) => `
	for (const name of ['n8n-workflow', 'zod', 'luxon', 'p-limit']) require(name);
	const started = performance.now();
	const exported = require(${JSON.stringify(path)});
	const loaded = performance.now();
	new exported[${JSON.stringify(className)}]();
	const made = performance.now();
	console.log(JSON.stringify([loaded - started, made - loaded]));
`;

function measure(path: string, className: string): [load: number, make: number] {
	const code = program(path, className);
	const { stdout, stderr } = spawnSync(process.execPath, ['--eval', code], {
		cwd: ROOT,
		encoding: 'utf8',
	});
	if (stdout === '') throw new Error(stderr);
	return JSON.parse(stdout) as [number, number];
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;
const ms = (value: number) => `${value.toFixed(2)} ms`.padStart(11);

console.log(
	`Cold loads of the built nodes, median of ${RUNS} fresh processes, Node ${process.version}\n`,
);
console.log(
	`${'node'.padEnd(18)}${'require'.padStart(11)}${'new'.padStart(11)}${'file'.padStart(11)}`,
);
for (const { className, path } of builtNodes) {
	const file = join(ROOT, path);
	const runs = Array.from({ length: RUNS }, () => measure(file, className));
	const kilobytes = `${(statSync(file).size / 1000).toFixed(1)} kB`.padStart(11);
	const [load, make] = [runs.map(([first]) => first), runs.map(([, second]) => second)];
	console.log(`${className.padEnd(18)}${ms(median(load))}${ms(median(make))}${kilobytes}`);
}
