import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

import { knownCallers } from '../emulator/access.ts';
import { startEmulator, type Emulator, type LoggedRequest } from '../emulator/index.ts';
import {
	ENDPOINT_BY_ROUTE,
	ENDPOINTS,
	greatestNeed,
	meets,
	notationOf,
	PERMISSION,
	type Endpoint,
} from '../support/reference.ts';
import type { NodeResult } from '../support/harness.ts';
import { operations, runSample } from '../support/runSample.ts';
import { core } from '../support/n8n.ts';
import { ROOT } from '../support/root.ts';
import { samplesFor } from '../support/samples.ts';
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
	unknown: string[];
	/** The error of the sample's own check. */
	mistake?: unknown;
}

/** Every operation's sample, in n8n's own engine. */
const ran = new Map<string, Ran>();
let routes: string[] = [];
let sampled: string[] = [];
for (const name of operations) {
	const emulator = await startEmulator({ data: 'small' });
	const { requests: sent, unknown } = emulator;
	routes = emulator.routes;
	sampled = Object.keys(samplesFor(emulator));
	const run: Ran = { results: [], sent, sentFirst: [], unknown };
	run.results = await runSample(emulator, name, {
		afterFirst({ json }, sample) {
			run.sentFirst = [...sent];
			try {
				sample.check(json, emulator);
			} catch (error) {
				run.mistake = error;
			}
		},
	});
	ran.set(name, run);
	await emulator.close();
}

describe('every operation, in n8n’s own engine', () => {
	it('has exactly one sample, in test/support/samples.ts', () => {
		expect(sampled.sort()).toEqual([...operations].sort());
	});

	// What the nodes keep in n8n's database, as docs/privacy.md says.
	it.each(operations)('%s does what its sample checks, and keeps nothing', (name) => {
		const { results, unknown, sent, mistake } = ran.get(name)!;
		for (const { error, json, staticData } of results) {
			expect(error?.message).toBeUndefined();
			expect(json.length).toBeGreaterThan(0);
			expect(staticData).toEqual({});
		}
		if (mistake !== undefined) throw mistake;
		for (const { pairedItem } of results[0]!.items) expect(pairedItem).toBeDefined();
		expect(unknown).toEqual([]);
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

	it.each(ENDPOINTS.map((row) => [notationOf(row), row] as const))('%s', (route, row) => {
		const reaching = requests.filter((request) => request.route === route);
		expect(reaching, 'no operation reaches it').not.toEqual([]);
		expect(reaching.some(({ handled }) => handled)).toBe(true);
		const parameters = new Set(reaching.flatMap(({ query }) => Object.keys(query)));
		expect(row.query.filter((name) => !parameters.has(name))).toEqual([]);
	});
});

const emulators: Emulator[] = [];

/** A fresh account: many operations cannot be done twice to the same record. */
async function account(): Promise<Emulator> {
	const emulator = await startEmulator({ data: 'small' });
	emulators.push(emulator);
	return emulator;
}

afterEach(async () => {
	await Promise.all(emulators.splice(0).map(async (emulator) => await emulator.close()));
});

const { keys, tokens } = await (async () => {
	const emulator = await startEmulator({ data: 'empty' });
	await emulator.close();
	return emulator;
})();

const callers = knownCallers();
const ownKeys = Object.values(keys).filter((key) => key !== keys.otherOrg);

const changes = ({ requests: log }: Emulator) =>
	log.filter(({ method, handled }) => method !== 'GET' && handled);

describe('API keys (section "Authentication", 4)', () => {
	it.each(operations)('%s', async (name) => {
		const endpoints = endpointsOf(name);
		const permissionsOf = (key: string) => callers.get(key)!.permissions ?? [];
		const isPermitted = (key: string) =>
			endpoints.every(({ need }) => meets(need, permissionsOf(key)));
		const fewestFirst = ownKeys.toSorted(
			(one, other) => permissionsOf(one).length - permissionsOf(other).length,
		);
		const emulator = await account();
		// The emulator's own tests say which keys it refuses. Here the one with the most permissions is enough.
		const most = fewestFirst.findLast((key) => !isPermitted(key))!;
		const [refused] = await runSample(emulator, name, { apiKey: most, also: false });
		expect(refused?.error?.httpCode, permissionsOf(most).join()).toBe('403');
		expect(refused?.error?.message).toContain('INSUFFICIENT_PERMISSIONS');
		expect(refused?.error?.description).toContain(`needs ${PERMISSION[greatestNeed(endpoints)]}`);
		const [unknown] = await runSample(emulator, name, { apiKey: 'yk_unknown', also: false });
		expect(unknown?.error?.message).toMatch(/not accepted \(401 AUTHENTICATION_FAILED\)$/);
		expect(unknown?.error?.description).toContain('yk_');
		expect(changes(emulator)).toEqual([]);
		const apiKey = fewestFirst.find(isPermitted)!;
		const [result] = await runSample(emulator, name, { apiKey, also: false });
		expect(result?.error?.message).toBeUndefined();
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
		const emulator = await account();
		const [result] = await runSample(emulator, name, { apiKey: keys.otherOrg, also: false });
		expect(result?.error?.httpCode).toBe('404');
		expect(result?.error?.message).toMatch(/no such .*\(404 NOT_FOUND\)$/);
		expect(changes(emulator)).toEqual([]);
	});
});

describe('OAuth tokens (section "Authentication", 5)', () => {
	const takingTokens = operations.filter((name) => endpointsOf(name).every(({ scopes }) => scopes));

	it('are taken by the endpoints that name a scope', () => {
		expect(takingTokens).toContain('agent.update');
		expect(takingTokens).toContain('usage.get');
		expect(takingTokens).toContain('portalAccess.get');
	});

	it.each(takingTokens)('%s', async (name) => {
		const endpoints = endpointsOf(name);
		const isPermitted = (token: string) =>
			endpoints.every(({ scopes }) =>
				scopes?.some((scope) => callers.get(token)!.scopes?.includes(scope)),
			);
		const emulator = await account();
		for (const token of Object.values(tokens).filter((token) => !isPermitted(token))) {
			const [result] = await runSample(emulator, name, { token, also: false });
			expect(result?.error?.httpCode).toBe('403');
			expect(result?.error?.message).toContain('INSUFFICIENT_PERMISSIONS');
			expect(result?.error?.description).toContain(`the scope ${endpoints[0]?.scopes?.[0]}`);
		}
		expect(changes(emulator)).toEqual([]);
		const token = Object.values(tokens).find(isPermitted)!;
		const [result] = await runSample(emulator, name, { token, also: false });
		expect(result?.error?.message).toBeUndefined();
	});

	it.each(operations.filter((name) => !takingTokens.includes(name)))(
		'%s changes nothing with a token that the endpoint does not take',
		async (name) => {
			const emulator = await account();
			const [result] = await runSample(emulator, name, { token: tokens.all, also: false });
			expect(result?.error).toBeDefined();
			expect(changes(emulator)).toEqual([]);
		},
	);
});
