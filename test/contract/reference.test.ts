import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

import type { Resources } from '../../nodes/table/operation.ts';

import { startEmulator, type LoggedRequest } from '../emulator/index.ts';
import { accountForEachTest, credentials, emulator, oAuth2, run } from '../support/account.ts';
import { operations } from '../support/description.ts';
import type { Credentials, NodeResult } from '../support/harness.ts';
import { core } from '../support/n8n.ts';
import { ROOT } from '../support/root.ts';
import { runSample, samplesFor } from '../support/samples.ts';
import { ADDED, mismatches, schemaOf, SCHEMAS, type Schema } from '../support/schemas.ts';

/** API Request can reach every endpoint, so it does not count: a missing row would not show. */
const ownRows = operations.filter((name) => name !== 'apiRequest.send');

interface Ran {
	/** Results of the sample's first run, then of its further runs. */
	results: NodeResult[];
	sent: LoggedRequest[];
	sentFirst: LoggedRequest[];
	/** The error of the sample's own check. */
	mistake?: unknown;
}

/** Every operation's sample, in n8n's own engine. */
const ran = new Map<string, Ran>();
let routes: typeof emulator.routes = [];
let sampled: string[] = [];
for (const name of operations) {
	const own = await startEmulator({ data: 'small' });
	const { requests: sent } = own;
	routes = own.routes;
	const samples = samplesFor(own);
	sampled = Object.keys(samples);
	const done: Ran = { results: [], sent, sentFirst: [] };
	for await (const result of runSample(own, name)) {
		if (done.results.push(result) > 1) continue;
		done.sentFirst = [...sent];
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
		const strays = sent.filter(({ route }) => route === undefined);
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
		const output = ran.get(name)!.results.flatMap(({ json }) => json);
		const schema = written(name);
		expect(schema, 'npm run docs').toEqual(schemaOf(name, output));
		expect(
			Object.keys(schema.properties).length,
			'Nobody knows a field of the output. Add its resource to NAMED in test/support/schemas.ts, or the operation to UNNAMED, or to ADDED if the node makes its output',
		).toBeGreaterThan(0);
		expect(output.flatMap((record) => mismatches(record, schema))).toEqual([]);
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

	it('are found by n8n in the built package', () => {
		const nodeDir = join(ROOT, 'dist/nodes/YkVoice');
		const asked = { nodeDir, version: 1, resource: 'contact', operation: 'get' };
		// As the editor asks, and as the AI workflow builder asks.
		for (const versionFallback of [false, true])
			expect(core.loadOutputSchema({ ...asked, versionFallback })).toEqual(written('contact.get'));
	});
});

const requests = ownRows.flatMap((name) => ran.get(name)?.sent ?? []);

// The emulator is written from the reference alone.
it.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
	'the reference’s endpoint %s is reached, with all it takes',
	(notation, { query = [] }) => {
		const reaching = requests.filter(({ route }) => route === notation);
		expect(reaching, 'no operation reaches it').not.toEqual([]);
		expect(reaching.some(({ handled }) => handled)).toBe(true);
		const parameters = new Set(reaching.flatMap(({ query }) => Object.keys(query)));
		const unsent = query.filter((name) => !parameters.has(name));
		expect(unsent, 'no sample of support/samples sends them').toEqual([]);
	},
);

// A fresh account for each test: many operations cannot be done twice to the same record.
accountForEachTest({ data: 'small' });

/** Runs the sample of an operation with another credential. */
const runWith = async (name: string, credentials: Credentials) => {
	const { parameters, items } = samplesFor(emulator)[name]!;
	return await run(name, parameters, items, { credentials });
};

const expectUnchanged = () =>
	expect(emulator.requests.filter(({ method, handled }) => method !== 'GET' && handled)).toEqual(
		[],
	);

const changing = operations.filter((name) =>
	ran.get(name)!.sent.some(({ method }) => method !== 'GET'),
);

it.each(changing)('%s fails if its row says that it reads', async (name) => {
	const built = createRequire(import.meta.url)(join(ROOT, 'dist/nodes/engine.js')) as object;
	const [resource, operation] = name.split('.') as [string, string];
	const row = (built as { resources: Resources }).resources[resource]!.operations[operation]!;
	const { does } = row;
	onTestFinished(() => void (row.does = does));
	row.does = 'read';
	const errors = [];
	for await (const { error } of runSample(emulator, name)) errors.push(error?.message);
	expect(errors.join()).toMatch(
		/this operation only reads, so (DELETE|PATCH|POST|PUT) was not sent/,
	);
	expectUnchanged();
});

/** Nothing was changed, and the API said 403. */
function expectForbidden({ error }: NodeResult, needs: string): void {
	expect(error?.httpCode).toBe('403');
	expect(error?.message).toContain('INSUFFICIENT_PERMISSIONS');
	expect(error?.description).toContain(needs);
	expectUnchanged();
}

describe('a credential (section "Authentication", 4 and 5)', () => {
	it.each([
		['to read', 'contact.getAll', 'writeCalls', 'READ or READ_WRITE', 'read'],
		['to change', 'contact.update', 'read', 'READ_WRITE', 'readWrite'],
		[
			'to call',
			'playground.makeTestCall',
			'readWrite',
			'WRITE together with MAKE_OUTBOUND_CALLS',
			'writeCalls',
		],
	] as const)(
		'%s: %s needs a permission, and says which',
		async (_what, name, wrong, needs, right) => {
			expectForbidden(await runWith(name, credentials(emulator.keys[wrong])), `needs ${needs}`);
			const { error } = await runWith(name, credentials(emulator.keys[right]));
			expect(error?.message).toBeUndefined();
		},
	);

	it.each([
		['agent.getAll', 'agents:read', 'agentsRead'],
		['agentTool.update', 'agents:write', 'agentsWrite'],
		['usage.get', 'usage:read', 'usageRead'],
		['portalAccess.get', 'offline_access', 'offlineAccess'],
	] as const)('with a token: %s needs the scope %s, and says so', async (name, scope, right) => {
		expectForbidden(await runWith(name, oAuth2(emulator.tokens.none)), `the scope ${scope}`);
		const { error } = await runWith(name, oAuth2(emulator.tokens[right]));
		expect(error?.message).toBeUndefined();
	});

	it('with a wrong key says so', async () => {
		const { error } = await runWith('contact.update', credentials('yk_unknown'));
		expect(error?.message).toMatch(/not accepted \(401 AUTHENTICATION_FAILED\)$/);
		expect(error?.description).toContain('yk_');
		expectUnchanged();
	});

	// An upsert of a number that the other account does not have makes a contact there: no 404.
	it.each(
		operations.filter(
			(name) =>
				name !== 'contact.upsert' &&
				/\{(\w+_id|phone_number)\}/.test(ran.get(name)!.sentFirst[0]?.route ?? ''),
		),
	)('of another organization finds no such record: %s', async (name) => {
		const { error } = await runWith(name, credentials(emulator.keys.otherOrg));
		expect(error?.httpCode).toBe('404');
		expect(error?.message).toMatch(/no (such|contact) .*\(404 NOT_FOUND\)$/i);
		expectUnchanged();
	});
});
