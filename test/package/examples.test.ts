import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import type { WorkflowNode } from '../e2e/n8n.ts';
import { changesData, examples, isNote } from '../e2e/workflows.ts';
import { ROOT } from '../support/root.ts';

const README = readFileSync(join(ROOT, 'examples/README.md'), 'utf8');

/** A node of another service, which needs an account that the user has to have. */
const isApp = ({ type, parameters: { metric } }: WorkflowNode) =>
	metric === 'correctness' ||
	/\.(slack|gmail|google(Calendar|Drive|Sheets)|httpRequest|hubspot|airtable|twilio|chainLlm|agent|lmChat\w+)$/.test(
		type,
	);

const namesOf = (nodes: WorkflowNode[]) => nodes.map(({ name }) => name);

/** Without the ids by which n8n tells one line of a list from the next. */
const withoutLineIds = (key: string, value: unknown) =>
	key === 'id' && /^[0-9a-f-]{36}$/.test(String(value)) ? undefined : value;

describe.each([...examples()])('%s', (name, example) => {
	const { nodes, settings, pinData } = example;
	const notes = nodes.filter(isNote);
	const plain = nodes.filter((node) => !isNote(node));

	it('holds nothing of an account', () => {
		expect(Object.keys(example).sort()).toEqual(
			['connections', 'name', 'nodes', 'pinData', 'settings'].sort(),
		);
		expect(pinData).toEqual({});
		expect(settings).toEqual({ executionOrder: 'v1' });
		expect(nodes.filter((node) => 'credentials' in node)).toEqual([]);
		const values = JSON.stringify(
			nodes.map(({ parameters }) => parameters),
			withoutLineIds,
		);
		expect(values).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-/i);
		expect(values).not.toMatch(/yk_|https?:|\bBearer\b/);
	});

	it('is explained by notes: what it saves, the steps of its set-up, what it changes', () => {
		const [first = '', second, ...others] = notes.map(({ parameters }) =>
			String(parameters.content),
		);
		expect([second, ...others].join('')).toMatch(/\S/);
		expect(first).toMatch(/\*\*Saves you\*\* /);
		expect(first).toMatch(/\*\*Set up\*\*\n1\. .*\n2\. /);
		expect(first).toMatch(/YK Voice (Accounts )?API/);
		expect(first).toMatch(
			changesData(example) ? /\*\*It (changes data|costs money)/ : /only reads/,
		);
		// n8n's default is New York, where a month has other calls.
		if (first.includes('**Accounts**')) expect(first).toContain('Set the time zone');
		if (namesOf(nodes).includes('Clients')) {
			expect(second).toMatch(/North & Sons[^]*the name under \*\*Accounts\*\* of the credential/);
		}
		expect(README.includes(`(${name}.json)`), 'named in the README').toBe(true);
	});

	it('asks about each record in an execution of its own', () => {
		// All messages of one execution have the same links (n8n 2.41): a second click on an old one would
		// decide on the record that is asked about by then.
		const asks = nodes.some(({ parameters }) => parameters.operation === 'sendAndWait');
		const callsItself = nodes.some(
			({ type, parameters }) =>
				/executeWorkflow$/.test(type) && JSON.stringify(parameters).includes('$workflow.id'),
		);
		expect(callsItself).toBe(asks);
	});

	// n8n (1.123 to 2.41) tells a model only the name of a field and its description, which is blank at first.
	it('tells a model what each field takes, and from which node an ID comes', () => {
		JSON.stringify(plain, (_key, value: unknown) => {
			for (const [, field, said] of String(value).matchAll(/\$fromAI\('(\w+)', `([^`]*)`/g))
				expect(said, field).not.toBe('');
			const { __rl: isRecord, value: chosen } = (value ?? {}) as { __rl?: boolean; value?: string };
			if (isRecord && chosen?.includes('$fromAI')) {
				const [, from] = /`ID of the .+, from (.+)`/.exec(chosen) ?? [];
				expect(namesOf(plain), chosen).toContain(from);
			}
			return value;
		});
	});

	it('does not stop when n8n remembers 10,000 items, and writes no formula into a file', () => {
		const given = JSON.stringify(plain.map(({ parameters }) => parameters));
		const remembers = given.includes('"removeItemsSeenInPreviousExecutions"');
		expect(given.includes('"clearDeduplicationHistory"')).toBe(remembers);
		expect(given.match(/"scope":"workflow"/g)?.length ?? 0).toBe(remembers ? 2 : 0);
		expect(given.includes('"operation":"csv"')).toBe(given.includes('/^[=+\\\\-@'));
	});

	it('runs no text from outside as a formula, and shows none as a link or a mention in Slack', () => {
		for (const { type, name: node, parameters } of plain) {
			const { operation, text, message = text, options } = parameters as Record<string, any>;
			// Numbers.
			const isSafe = /^low-/.test(name);
			// n8n (1.123 to 2.41) decodes the message of Send and Wait once.
			const isAsked = operation === 'sendAndWait';
			if ((/slack$/.test(type) || isAsked) && !isSafe) {
				for (const [, said] of String(message).matchAll(/\{\{(.*?)\}\}/gs))
					expect(said, node).toContain(`replace(/</g, '${isAsked ? '&amp;lt;' : '&lt;'}')`);
			}
			if (/googleSheets$/.test(type) && !isSafe) expect(options.cellFormat, node).toBe('RAW');
		}
	});

	it('uses nodes of n8n and of this package, and those of other services are switched off', () => {
		const foreign = /^(?!(n8n-nodes-(base|yk-voice)|@n8n\/n8n-nodes-langchain)\.)/;
		expect(nodes.filter(({ type }) => foreign.test(type))).toEqual([]);
		const apps = nodes.filter(isApp);
		expect(namesOf(nodes.filter((node) => node.disabled))).toEqual(namesOf(apps));
		for (const app of apps) {
			expect(JSON.stringify(app.parameters), app.name).toMatch(/"=|recording|gpt|fileFolder/);
		}
	});

	it('has no long expression', () => {
		const long: string[] = [];
		JSON.stringify(nodes, (_key, value: unknown) => {
			// A prompt is text: only what n8n computes counts.
			const parts = /^=/.test(String(value)) ? String(value).match(/\{\{.*?\}\}/gs) : null;
			const lengths = (parts ?? []).map(({ length }) => length);
			const all = lengths.reduce((sum, length) => sum + length, 0);
			if (all > 550 || lengths.some((length) => length > 300)) long.push(String(value));
			return value;
		});
		expect(long).toEqual([]);
	});
});
