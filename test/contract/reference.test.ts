import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { startEmulator, type LoggedRequest } from '../emulator/index.ts';
import { accountForEachTest, credentials, emulator, oAuth2, run } from '../support/account.ts';
import { ENDPOINT_BY_ROUTE, ENDPOINTS, notationOf } from '../support/reference.ts';
import type { Credentials, NodeResult } from '../support/harness.ts';
import { operations } from '../support/description.ts';
import { core } from '../support/n8n.ts';
import { ROOT } from '../support/root.ts';
import { runSample, samplesFor } from '../support/samples.ts';
import {
	ADDED,
	answersOf,
	mismatches,
	schemaOf,
	SCHEMAS,
	UNNAMED,
	type Schema,
} from '../support/schemas.ts';

/** API Request can reach every endpoint, so it does not count: a missing row would not show. */
const ownRows = operations.filter((name) => name !== 'apiRequest.send');

interface Ran {
	/** Results of the sample's first run, then of its further runs. */
	results: NodeResult[];
	sent: LoggedRequest[];
	/** The error of the sample's own check. */
	mistake?: unknown;
}

/** Every operation's sample, in n8n's own engine. */
const ran = new Map<string, Ran>();
let routes: string[] = [];
let sampled: string[] = [];
for (const name of operations) {
	const own = await startEmulator({ data: 'small' });
	const { requests: sent } = own;
	routes = own.routes;
	const samples = samplesFor(own);
	sampled = Object.keys(samples);
	const done: Ran = { results: [], sent };
	for await (const result of runSample(own, name)) {
		if (done.results.push(result) > 1) continue;
		try {
			samples[name]!.check(result.json, own);
		} catch (error) {
			done.mistake = error;
		}
	}
	ran.set(name, done);
	await own.close();
}

describe('every operation, in n8n’s own engine', () => {
	it('has exactly one sample, in test/support/samples.ts', () => {
		expect(sampled.sort()).toEqual([...operations].sort());
	});

	// What the nodes keep in n8n's database, as docs/privacy.md says.
	it.each(operations)('%s does what its sample checks, and keeps nothing', (name) => {
		const { results, sent, mistake } = ran.get(name)!;
		for (const { error, json, staticData } of results) {
			expect(error?.message).toBeUndefined();
			expect(json.length).toBeGreaterThan(0);
			expect(staticData).toEqual({});
		}
		if (mistake !== undefined) throw mistake;
		for (const { pairedItem } of results[0]!.items) expect(pairedItem).toBeDefined();
		const strays = sent.filter(({ route }) => !ENDPOINT_BY_ROUTE.has(route ?? ''));
		expect(strays.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
	});
});

const written = (name: string) =>
	JSON.parse(readFileSync(join(SCHEMAS, `${name.replace('.', '/')}.json`), 'utf8')) as Schema;

describe('output schemas', () => {
	it('are there for every operation, and for nothing else', () => {
		const files = readdirSync(SCHEMAS, { recursive: true, encoding: 'utf8' })
			.filter((path) => path.endsWith('.json'))
			.map((path) => path.replace('.json', '').replace(/[/\\]/, '.'));
		expect(files.sort()).toEqual([...operations].sort());
	});

	it.each(operations)('%s is what the API answers now', (name) => {
		const { results, sent } = ran.get(name)!;
		const answers = answersOf(name, results, sent);
		const schema = written(name);
		expect(schema, 'npm run docs').toEqual(schemaOf(name, answers));
		expect(
			Object.keys(schema.properties).length,
			'Nobody knows a field of the output. Name its record in test/support/reference.ts, or add the operation to UNNAMED, or to ADDED if the node makes its output, in test/support/schemas.ts',
		).toBeGreaterThan(0);
		expect(answers.output.flatMap((record) => mismatches(record, schema, name))).toEqual([]);
	});

	it('have no list among what the package adds: a table or a sheet takes none', () => {
		const lists = Object.entries(ADDED).flatMap(([name, fields]) =>
			Object.entries(fields)
				.filter(([, { type }]) => type === 'array')
				.map(([field]) => `${name}.${field}`),
		);
		// The answers of the API as they came, for a look at what it said.
		expect(lists).toEqual(['contactList.sync.answers']);
	});

	it('name only what the package adds, if the reference shows no fields', () => {
		const promised = operations.filter((name) => 'success' in written(name).properties);
		expect(promised.sort()).toEqual(Object.keys(UNNAMED).sort());
	});

	it('are found by n8n in the built package', () => {
		const nodeDir = join(ROOT, 'dist/nodes/YkVoice');
		const asked = { nodeDir, version: 1, resource: 'contact', operation: 'get' };
		// As the editor asks, and as the AI workflow builder asks.
		for (const versionFallback of [false, true])
			expect(core.loadOutputSchema({ ...asked, versionFallback })).toEqual(written('contact.get'));
	});
});

const requests = ownRows.flatMap((name) => ran.get(name)?.sent ?? []);

describe('the reference’s endpoints', () => {
	it('are exactly those of the emulator', () => {
		expect([...routes].sort()).toEqual(ENDPOINTS.map(notationOf).sort());
	});

	it.each(ENDPOINTS.map((row) => [notationOf(row), row] as const))(
		'%s is reached, with all it takes',
		(route, row) => {
			const reaching = requests.filter((request) => request.route === route);
			expect(reaching, 'no operation reaches it').not.toEqual([]);
			expect(reaching.some(({ handled }) => handled)).toBe(true);
			const parameters = new Set(reaching.flatMap(({ query }) => Object.keys(query)));
			const unsent = row.query.filter((name) => !parameters.has(name));
			expect(unsent, 'no sample of support/samples sends them').toEqual([]);
		},
	);
});

// A fresh account for each test.
accountForEachTest({ data: 'small' });

/** What is said to a caller who may not do this. */
const adviceTo = async (caller: Credentials, name: string) => {
	const { parameters } = samplesFor(emulator)[name]!;
	const { error } = await run(name, parameters, [{}], { credentials: caller });
	expect(error?.httpCode).toBe('403');
	return error?.description;
};

describe('a refusal says what is missing (section "Authentication")', () => {
	it.each([
		['none', 'call.getAll', 'READ or READ_WRITE.'],
		['read', 'contact.delete', 'needs READ_WRITE.'],
		['readWrite', 'playground.makeTestCall', 'WRITE together with MAKE_OUTBOUND_CALLS.'],
	] as const)('the permission of a key (%s: %s)', async (key, name, permission) => {
		expect(await adviceTo(credentials(emulator.keys[key]), name)).toContain(permission);
	});

	it.each([
		['usageRead', 'agent.getAll', 'agents:read'],
		['agentsRead', 'agentTool.update', 'agents:write'],
		['agentsRead', 'usage.get', 'usage:read'],
		['usageRead', 'portalAccess.get', 'offline_access'],
	] as const)('the scope of a token (%s: %s)', async (token, name, scope) => {
		expect(await adviceTo(oAuth2(emulator.tokens[token]), name)).toContain(`scope ${scope}`);
	});
});
