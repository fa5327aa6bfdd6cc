import type { ICredentialDataDecryptedObject, INode, INodeType } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startEmulator, type Emulator, type Fault } from '../emulator/index.ts';
import { loadPackage } from '../support/harness.ts';
import { core, workflow as n8n } from '../support/n8n.ts';

const { credentialTypes } = await loadPackage();
const credential = credentialTypes.ykVoiceApi!;

type Authenticate = (
	credentials: ICredentialDataDecryptedObject,
	request: object,
) => Promise<{ headers: Record<string, string>; baseURL: string }>;
const authenticate = credential.authenticate as unknown as Authenticate;

const BASE = 'https://api.example.com/v1';

describe('authenticate', () => {
	test.each([
		['yk_abc', BASE, 'yk_abc', BASE],
		['  yk_abc\n', ' api.example.com/v1/ ', 'yk_abc', BASE],
		[
			'yk_abc',
			'https://api.example.com/external/v1/',
			'yk_abc',
			'https://api.example.com/external/v1',
		],
	])('key %j and base URL %j', async (apiKey, baseUrl, key, baseURL) => {
		const request = {
			url: '/agents/',
			method: 'GET',
			headers: { accept: 'a/b' },
			qs: { limit: 1 },
		};
		expect(await authenticate({ apiKey, baseUrl }, request)).toEqual({
			...request,
			baseURL,
			headers: { accept: 'a/b', Authorization: `Bearer ${key}` },
		});
		expect(request.headers).toEqual({ accept: 'a/b' });
	});

	test.each<[apiKey: unknown]>([
		[''],
		[undefined],
		['abc'],
		['YK_abc'],
		['Bearer yk_abc'],
		['xyk_abc'],
		['yk_'],
		[' yk_ '],
		[{ key: 'yk_abc' }],
	])('the key %j lacks its prefix', async (apiKey) => {
		const credentials = { apiKey, baseUrl: BASE } as ICredentialDataDecryptedObject;
		await expect(authenticate(credentials, {})).rejects.toThrow(/must begin with yk_/);
	});

	test.each([
		'',
		'https://api.example.com',
		'https://api.example.com/v1/agents',
		'ftp://api.example.com/v1',
	])('the base URL "%s" is refused', async (baseUrl) => {
		await expect(authenticate({ apiKey: 'yk_abc', baseUrl }, {})).rejects.toThrow(/Base URL/);
	});

	test('a refusal does not repeat the key', async () => {
		await expect(authenticate({ apiKey: 'secret_abc', baseUrl: BASE }, {})).rejects.not.toThrow(
			/secret_abc/,
		);
	});
});

/**
 * What n8n answers to "Test": it sends the request through its declarative router, then reads the
 * rules so. Read from the credentials-tester.service.js of n8n 2.41.
 */
async function testCredential(data: ICredentialDataDecryptedObject) {
	const { request, rules = [] } = credential.test!;
	const temp = {
		name: 'temp',
		displayName: 'Temp',
		type: 'string',
		default: '',
		routing: { request },
	};
	const type = {
		description: {
			name: 'temp',
			version: 1,
			defaults: {},
			inputs: ['main'],
			outputs: ['main'],
			credentials: [{ name: credential.name, required: true }],
			properties: [temp],
		},
	} as unknown as INodeType;
	const nodes: INode[] = [
		{
			id: 'temp',
			name: 'Temp',
			type: 'temp',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
			credentials: { [credential.name]: { id: '1', name: 'Test' } },
		},
	];
	const nodeTypes = {
		getByName: () => type,
		getByNameAndVersion: () => type,
		getKnownTypes: () => ({}),
	};
	const workflow = new n8n.Workflow({ nodes, connections: {}, active: false, nodeTypes });
	const additionalData = {
		credentialsHelper: {
			getParentTypes: () => [],
			getDecrypted: async () => data,
			isCredentialUsableByNode: () => true,
			preAuthentication: async () => undefined,
			authenticate: async (given: ICredentialDataDecryptedObject, _type: string, options: object) =>
				await authenticate(given, options),
			getCredentialsProperties: () => credential.properties,
		},
		variables: {},
	};
	const node = nodes[0]!;
	const executeData = { node, data: {}, source: null };
	const context = new core.ExecuteContext(
		workflow,
		node,
		additionalData as never,
		'internal',
		n8n.createEmptyRunExecutionData(),
		0,
		[],
		{ main: [[{ json: {} }]] },
		executeData,
		[],
	);
	const decrypted = { id: '1', name: 'Test', type: credential.name, data };
	const router = new core.RoutingNode(context, type, decrypted as never);
	type Rule = { type: string; properties: { value: unknown; key: string; message: string } };
	try {
		const [[first]] = (await router.runNode()) as [[{ json: Record<string, unknown> }]];
		const broken = (rules as Rule[]).find(
			({ type: kind, properties: { key, value } }) =>
				kind === 'responseSuccessBody' && first.json[key] === value,
		);
		return broken ? broken.properties.message : 'OK';
	} catch (error) {
		const { message, cause } = error as Error & { cause?: { response?: { status: number } } };
		const status = cause?.response?.status;
		if (status === undefined) return message;
		const rule = (rules as Rule[]).find(
			({ type: kind, properties }) => kind === 'responseCode' && properties.value === status,
		);
		return rule?.properties.message ?? `HTTP ${status}`;
	}
}

describe('the test of the credential', () => {
	let emulator: Emulator;

	beforeAll(async () => {
		emulator = await startEmulator();
	});
	beforeEach(() => emulator.reset());
	afterAll(async () => await emulator.close());

	const given = (apiKey: keyof Emulator['keys'], baseUrl = emulator.url) => ({
		apiKey: emulator.keys[apiKey],
		baseUrl,
	});

	test.each(['read', 'readWrite', 'all'] as const)('the key %s may read', async (key) => {
		expect(await testCredential(given(key))).toBe('OK');
		expect(emulator.requests.map(({ method, path, query }) => ({ method, path, query }))).toEqual([
			{ method: 'GET', path: '/agents/', query: { limit: '1' } },
		]);
	});

	test('a base URL is mended as it is for the node', async () => {
		expect(await testCredential(given('all', ` ${emulator.url}/ `))).toBe('OK');
	});

	test.each(['write', 'calls', 'none'] as const)(
		'the key %s is valid, but may not read data',
		async (key) => {
			expect(await testCredential(given(key))).toMatch(
				/valid.*may not read data \(403\).*READ or READ_WRITE/,
			);
		},
	);

	test('an unknown key', async () => {
		const message = await testCredential({ apiKey: 'yk_of_nobody', baseUrl: emulator.url });
		expect(message).toMatch(/did not accept this key \(401\).*revoked/);
		expect(message).not.toContain('yk_of_nobody');
	});

	test('a key without its prefix: nothing is sent', async () => {
		expect(await testCredential({ apiKey: 'abc', baseUrl: emulator.url })).toMatch(
			/must begin with yk_/,
		);
		expect(emulator.requests).toEqual([]);
	});

	test.each<[what: string, baseUrl: () => string]>([
		['empty', () => ''],
		['without /v1', () => emulator.origin],
	])('a base URL that is %s: nothing is sent', async (_what, baseUrl) => {
		expect(await testCredential(given('all', baseUrl()))).toMatch(/Base URL/);
		expect(emulator.requests).toEqual([]);
	});

	test.each<[fault: Fault, message: RegExp]>([
		[{ kind: 'status', status: 404 }, /nothing at this address \(404\).*Base URL.*\/v1/],
		[{ kind: 'html' }, /not the YK Voice API.*Base URL/],
		[{ kind: 'not-envelope' }, /not the YK Voice API.*Base URL/],
		[{ kind: 'status', status: 500 }, /^HTTP 500$/],
	])('%j', async (fault, message) => {
		emulator.faults.add(fault);
		expect(await testCredential(given('all'))).toMatch(message);
	});
});

test('both credentials ask for their base URL alike, and hide what is secret', () => {
	const property = (type: string, name: string) =>
		credentialTypes[type]!.properties.find((one) => one.name === name);
	expect(property('ykVoiceOAuth2Api', 'baseUrl')).toEqual(property('ykVoiceApi', 'baseUrl'));
	expect(property('ykVoiceApi', 'apiKey')?.typeOptions?.password).toBe(true);
	expect(credentialTypes.ykVoiceOAuth2Api!.extends).toEqual(['oAuth2Api']);
});
