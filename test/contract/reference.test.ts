import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { knownCallers } from '../emulator/access.ts';
import { startEmulator, type LoggedRequest } from '../emulator/index.ts';
import { accountForEachTest, credentials, emulator, oAuth2, run } from '../support/account.ts';
import {
	ENDPOINT_BY_ROUTE,
	ENDPOINTS,
	greatestNeed,
	meets,
	notationOf,
	PERMISSION,
	type Endpoint,
} from '../support/reference.ts';
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
	sentFirst: LoggedRequest[];
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

/** The endpoints that the reference names. Other requests fail the test of the operation. */
const endpointsOf = (name: string): Endpoint[] => {
	const routesOf = (ran.get(name)?.sentFirst ?? []).map(({ route }) => route ?? '');
	const known = routesOf.flatMap((route) => ENDPOINT_BY_ROUTE.get(route) ?? []);
	return [...new Set(known)];
};

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

// A fresh account for each test: many operations cannot be done twice to the same record.
accountForEachTest({ data: 'small' });

const callers = knownCallers();

/** Runs the sample of an operation with another credential. */
const runWith = async (name: string, credentials: Credentials) => {
	const { parameters, items } = samplesFor(emulator)[name]!;
	return await run(name, parameters, items, { credentials });
};

/** Nothing was changed, and the API said 403. */
function expectForbidden({ error }: NodeResult, needs: string): void {
	expect(error?.httpCode).toBe('403');
	expect(error?.message).toContain('INSUFFICIENT_PERMISSIONS');
	expect(error?.description).toContain(needs);
	expectUnchanged();
}

const expectUnchanged = () =>
	expect(emulator.requests.filter(({ method, handled }) => method !== 'GET' && handled)).toEqual(
		[],
	);

describe('API keys (section "Authentication", 4)', () => {
	it.each(operations)('%s needs what the reference says', async (name) => {
		const endpoints = endpointsOf(name);
		const { otherOrg: _, ...keys } = emulator.keys;
		const permissionsOf = (key: string) => callers.get(key)!.permissions ?? [];
		const isPermitted = (key: string) =>
			endpoints.every(({ need }) => meets(need, permissionsOf(key)));
		const fewestFirst = Object.values(keys).toSorted(
			(one, other) => permissionsOf(one).length - permissionsOf(other).length,
		);
		// The emulator's own tests say which keys it refuses. Here the one with the most permissions is enough.
		const most = fewestFirst.findLast((key) => !isPermitted(key))!;
		const refused = await runWith(name, credentials(most));
		expectForbidden(refused, `needs ${PERMISSION[greatestNeed(endpoints)]}`);
		const { error } = await runWith(name, credentials('yk_unknown'));
		expect(error?.message).toMatch(/not accepted \(401 AUTHENTICATION_FAILED\)$/);
		expect(error?.description).toContain('yk_');
		expectUnchanged();
		const result = await runWith(name, credentials(fewestFirst.find(isPermitted)!));
		expect(result.error?.message).toBeUndefined();
	});
});

describe('another organization’s key (section "What the service does")', () => {
	// An upsert of a number that the other account does not have makes a contact there: no 404.
	const named = operations.filter(
		(name) =>
			name !== 'contact.upsert' &&
			/\{(\w+_id|phone_number)\}/.test(endpointsOf(name)[0]?.path ?? ''),
	);

	it.each(named)('%s finds no such record', async (name) => {
		const { error } = await runWith(name, credentials(emulator.keys.otherOrg));
		expect(error?.httpCode).toBe('404');
		expect(error?.message).toMatch(/no (such|contact) .*\(404 NOT_FOUND\)$/i);
		expectUnchanged();
	});
});

describe('OAuth tokens (section "Authentication", 5)', () => {
	const takingTokens = operations.filter((name) => endpointsOf(name).every(({ scopes }) => scopes));

	it('are taken by the endpoints that name a scope, and by no other', () => {
		expect(takingTokens).toEqual(expect.arrayContaining(['agent.update', 'usage.get']));
		expect(takingTokens).not.toContain('contact.get');
	});

	it.each(takingTokens)('%s needs the scope', async (name) => {
		const endpoints = endpointsOf(name);
		const tokens = Object.values(emulator.tokens);
		const isPermitted = (token: string) =>
			endpoints.every(({ scopes }) =>
				scopes?.some((scope) => callers.get(token)!.scopes?.includes(scope)),
			);
		for (const token of tokens.filter((token) => !isPermitted(token))) {
			const refused = await runWith(name, oAuth2(token));
			expectForbidden(refused, `the scope ${endpoints[0]?.scopes?.[0]}`);
		}
		const result = await runWith(name, oAuth2(tokens.find(isPermitted)!));
		expect(result.error?.message).toBeUndefined();
	});
});
