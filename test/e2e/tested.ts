// What ran in each n8n: a reporter of Vitest counts the tests that passed. README's table is made from
// tested.json, and `.ci/run` compares it with what ran.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

import { ROOT } from '../support/root.ts';
import { NEWEST } from './host.ts';
import { examples } from './workflows.ts';

/** What ran in one n8n. */
export interface Tested {
	operations: number;
	/** Events of the trigger that started an example. */
	events: number;
	/** Examples that ran, and did what they say. */
	examples: number;
	/** Groups of other tests, all of which passed. */
	also: string;
}

export type TestedHosts = Record<string, Tested>;

export const readTested = (): TestedHosts =>
	JSON.parse(readFileSync(join(import.meta.dirname, 'tested.json'), 'utf8')) as TestedHosts;

/** What README calls a group of tests, by the beginning of their full names. */
const GROUPS: Readonly<Record<string, string>> = {
	'the editor >': 'the editor',
	'a credential >': 'credentials',
	'a credential with several accounts >': 'credentials with several accounts',
	'the AI Agent node': 'a tool of the AI Agent node',
	'n8n starts the workflow of a trigger': 'a trigger through restarts and kills',
	'n8n with durable cursors starts': 'durable cursors',
	'n8n in queue mode starts': 'queue mode',
};

const EVENT = /^the example > with an event of YK Voice > ([\w-]+), once/;
const EXAMPLE = /^the example > ([\w-]+) > (?!uses nodes and parameters)/;
const OPERATION = /^core > (\w+\.\w+) in a saved workflow$/;

/** The names that a pattern finds in the titles, each once. */
const namesIn = (titles: readonly string[], pattern: RegExp) =>
	new Set(titles.flatMap((title) => pattern.exec(title)?.[1] ?? []));

const eventsOf = (example: string): string[] =>
	(examples().get(example)?.nodes ?? [])
		.filter(({ type }) => type.endsWith('.ykVoiceTrigger'))
		.map(({ parameters }) => String(parameters.event));

function testedIn(tests: TestCase[]): Tested {
	const titles = (wanted: 'passed' | 'failed') =>
		tests.filter((test) => test.result().state === wanted).map(({ fullName }) => fullName);
	const [passed, failed] = [titles('passed'), titles('failed')];
	const started = [...namesIn(passed, EVENT)];
	const isGroup = (start: string) => (title: string) => title.startsWith(start);
	return {
		operations: namesIn(passed, OPERATION).size,
		events: new Set(started.flatMap(eventsOf)).size,
		examples: new Set([...started, ...namesIn(passed, EXAMPLE)]).size,
		also: Object.entries(GROUPS)
			.filter(([start]) => passed.some(isGroup(start)) && !failed.some(isGroup(start)))
			.map(([, name]) => name)
			.join(', '),
	};
}

/** Writes what ran to artifacts/tested.json. */
export default class TestedReporter implements Reporter {
	onTestRunEnd(modules: readonly TestModule[]): void {
		const hosts: Record<string, TestCase[]> = {};
		for (const { project, children } of modules) {
			const host = project.name === 'e2e' ? NEWEST : project.name.replace(/^e2e-/, '');
			(hosts[host] ??= []).push(...children.allTests());
		}
		const tested = Object.entries(hosts)
			.sort(([one], [other]) => other.localeCompare(one, 'en', { numeric: true }))
			.map(([host, tests]) => [host, testedIn(tests)]);
		mkdirSync(join(ROOT, 'artifacts'), { recursive: true });
		const text = JSON.stringify(Object.fromEntries(tested), null, '\t');
		writeFileSync(join(ROOT, 'artifacts/tested.json'), `${text}\n`);
	}
}
