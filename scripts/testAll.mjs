// Everything that need not hold each landing back, in its long form: `npm run test:all`. GitHub runs it
// weekly, and a person before a release. Words after `--` choose some of the steps: `npm run test:all -- e2e`.
import { spawnSync } from 'node:child_process';

const STEPS = {
	test: ['vitest', 'run'],
	zod: ['vitest', 'run', '--project=zod-*'],
	engines: ['node', 'test/e2e/engines.ts'],
	e2e: ['vitest', 'run', '--project=e2e*'],
};

const chosen = process.argv.slice(2);
const env = { WEEKLY: '1', HISTORIES: '100', WORLDS: '10', ...process.env };
const failed = Object.entries(STEPS)
	.filter(([name]) => chosen.length === 0 || chosen.includes(name))
	.filter(
		([, [command, ...args]]) => spawnSync(command, args, { env, stdio: 'inherit' }).status !== 0,
	)
	.map(([name]) => name);
if (failed.length > 0) console.error(`FAILED: ${failed.join(', ')}`);
process.exit(failed.length > 0 ? 1 : 0);
