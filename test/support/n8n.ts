import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// n8n-core writes its settings file when it loads: never into the user's own n8n.
const folder = mkdtempSync(join(tmpdir(), 'yk-voice-n8n-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
// Vitest ends its workers by this signal, which by itself skips what is to be done at the exit.
process.once('SIGTERM', () => process.exit(143));
process.env.N8N_USER_FOLDER = folder;
process.env.N8N_ENCRYPTION_KEY = 'test';
process.env.N8N_LOG_LEVEL = 'silent';

const require = createRequire(import.meta.url);

// The built nodes are CommonJS: only through `require` do tests and nodes share one n8n, whose
// error classes are compared by identity. (n8n-workflow's ES modules do not load in Node at all.)
require('reflect-metadata');
export const core = require('n8n-core') as typeof import('n8n-core');
export const workflow = require('n8n-workflow') as typeof import('n8n-workflow');

// n8n gives each regular expression 250 ms by the clock, which a busy machine may need for another's work.
workflow.setSafeRegexEngine({
	exec: (pattern, input, flags) => new RegExp(pattern, flags).exec(input),
	test: (pattern, input, flags) => new RegExp(pattern, flags).test(input),
	replace: (pattern, input, flags, by) => input.replace(new RegExp(pattern, flags), by),
	matchAll: (pattern, input, flags = '') => [...input.matchAll(new RegExp(pattern, `${flags}g`))],
	split: (pattern, input, flags) => input.split(new RegExp(pattern, flags)),
});
