import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// n8n-core writes its settings file when it loads. It must not be that of the user's own n8n.
const folder = mkdtempSync(join(tmpdir(), 'yk-voice-n8n-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
// Vitest ends its workers with this signal. Without this line, the exit handler would not run.
process.once('SIGTERM', () => process.exit(143));
process.env.N8N_USER_FOLDER = folder;
process.env.N8N_ENCRYPTION_KEY = 'test';
process.env.N8N_LOG_LEVEL = 'silent';

const require = createRequire(import.meta.url);

// The built nodes are CommonJS. Tests must load n8n by `require` too, so that both have the same error
// classes. (n8n-workflow's ES modules do not load in Node at all.)
require('reflect-metadata');
export const core = require('n8n-core') as typeof import('n8n-core');
export const workflow = require('n8n-workflow') as typeof import('n8n-workflow');

/** Whether n8n tells a poll how long it may take. Older versions do not. */
export const limitsPolls = String(core.PollContext).includes('getPollBudgetMs');

// n8n gives each regular expression 250 ms, which can be too short on a busy machine. Older versions have no such limit.
(workflow as Partial<typeof workflow>).setSafeRegexEngine?.({
	exec: (pattern, input, flags) => new RegExp(pattern, flags).exec(input),
	test: (pattern, input, flags) => new RegExp(pattern, flags).test(input),
	replace: (pattern, input, flags, by) => input.replace(new RegExp(pattern, flags), by),
	matchAll: (pattern, input, flags = '') => [...input.matchAll(new RegExp(pattern, `${flags}g`))],
	split: (pattern, input, flags) => input.split(new RegExp(pattern, flags)),
});

type Sleep = typeof workflow.sleep;

// The built nodes take n8n's function when they load, so it cannot be replaced later. Vitest may run this
// module again for another file, while n8n and the nodes stay loaded.
if (!('by' in workflow.sleep)) {
	const sleep = Object.assign(async (...given: Parameters<Sleep>) => await sleep.by(...given), {
		by: workflow.sleep,
	}) as Sleep & { by: Sleep };
	Object.defineProperty(workflow, 'sleep', { value: sleep });
}

/** By what the nodes sleep. */
export const sleeping = workflow.sleep as unknown as { by: Sleep };
