import type { INodeParameters } from 'n8n-workflow';
import nock from 'nock';
import {
	afterAll,
	afterEach,
	beforeAll,
	beforeEach,
	describe,
	expect,
	onTestFinished,
	test,
} from 'vitest';
import { runNode, type NodeRun } from '../support/harness.ts';
import { locator } from '../support/samples.ts';
import { letWaitsPass } from '../support/sleep.ts';

const ORIGIN = 'https://api.voice.example';
const KEY = 'yk_secret_0123456789';
const ID = '3f2b8c1e-5d7a-4e90-9b1c-2a6d4f8e0b37';

const ok = (data: unknown = { id: ID }) => ({ ok: true, data, meta: null, error: null });
const refusal = (code: string, message = 'no') => ({
	ok: false,
	data: null,
	meta: null,
	error: { code, message, details: null },
});
const lost = () => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });

/** Requests that met no mock: one too many. */
let unmatched: string[] = [];
const note = (request: { method?: string; path?: string }) =>
	void unmatched.push(`${request.method} ${request.path}`);

beforeAll(() => {
	nock.disableNetConnect();
	nock.emitter.on('no match', note);
});
beforeEach(() => {
	unmatched = [];
});
afterEach(() => {
	const pending = nock.pendingMocks();
	nock.cleanAll();
	expect({ pending, unmatched }).toEqual({ pending: [], unmatched: [] });
});
afterAll(() => {
	nock.emitter.off('no match', note);
	nock.enableNetConnect();
	nock.restore();
});

const run = async (parameters: INodeParameters, rest: Partial<NodeRun> = {}) =>
	await runNode({
		parameters,
		credentials: { ykVoiceApi: { apiKey: KEY, baseUrl: `${ORIGIN}/v1` } },
		...rest,
	});

const getAgent: INodeParameters = {
	resource: 'agent',
	operation: 'get',
	agent_id: locator(ID),
	simplify: false,
};

/** Any method, to one path; changes carry a body. */
const request = (method: string, options: INodeParameters = {}): INodeParameters => ({
	resource: 'apiRequest',
	operation: 'send',
	method,
	path: '/things',
	...(method !== 'GET' && { body: '{"a":1}' }),
	options,
});

const things = (method: string) => nock(ORIGIN).intercept('/v1/things', method);

describe('a request', () => {
	test('of a GET has the key, and neither body nor content type', async () => {
		let authorization: string | null = '';
		nock(ORIGIN, {
			reqheaders: { authorization: `Bearer ${KEY}`, accept: 'application/json' },
			badheaders: ['content-type', 'content-length', 'transfer-encoding'],
		})
			.get(`/v1/agents/${ID}`, (body) => body === '')
			.reply(({ headers }: Request) => {
				authorization = headers.get('authorization');
				return [200, ok()];
			});
		const { json, error } = await run(getAgent);
		expect(error).toBeUndefined();
		expect(json).toEqual([{ id: ID }]);
		expect(authorization).toBe(`Bearer ${KEY}`);
	});

	test('of a PATCH has JSON, with null for a cleared field', async () => {
		nock(ORIGIN, {
			reqheaders: { authorization: `Bearer ${KEY}`, 'content-type': /^application\/json/ },
		})
			.patch(`/v1/agents/${ID}`, '{"first_message":"Grüß dich 😀","ai_provider":null}')
			.reply(200, ok());
		const { error } = await run({
			resource: 'agent',
			operation: 'update',
			agent_id: locator(ID),
			updateFields: { first_message: 'Grüß dich 😀' },
			clearFields: ['ai_provider'],
		});
		expect(error).toBeUndefined();
	});

	test('of a POST without fields has no body', async () => {
		nock(ORIGIN, { badheaders: ['content-type'] })
			.post('/v1/things', (body) => body === '')
			.reply(200, ok());
		expect((await run({ ...request('POST'), body: '{}' })).error).toBeUndefined();
	});

	test('of a DELETE with fields has JSON', async () => {
		nock(ORIGIN, { reqheaders: { 'content-type': /^application\/json/ } })
			.delete('/v1/things', { a: 1 })
			.reply(200, ok(null));
		expect((await run(request('DELETE'))).json).toEqual([{ deleted: true }]);
	});

	test('has an encoded query, and nothing that was not set', async () => {
		let path = '';
		nock(ORIGIN)
			.get(/call-history/)
			.reply(({ url }: Request) => {
				path = url.slice(ORIGIN.length);
				return [200, ok([])];
			});
		await run({
			resource: 'call',
			operation: 'getAll',
			filters: { call_status: 'Not Answered', created_after: '2026-10-01T12:00:00+02:00' },
			sort: { sort: '-created_at' },
			limit: 5,
		});
		const [pathname, query] = path.split('?');
		expect(pathname).toBe('/v1/call-history');
		expect(query).toBe(
			'call_status=Not+Answered&created_after=2026-10-01T10%3A00%3A00.000Z&sort=-created_at&limit=5&offset=0',
		);
	});

	test('has no filter that was left blank', async () => {
		nock(ORIGIN).get('/v1/call-history?limit=50&offset=0').reply(200, ok([]));
		const filters = { created_after: '' };
		const { error } = await run({ resource: 'call', operation: 'getAll', filters });
		expect(error).toBeUndefined();
	});
});

/** A pause so short that no test waits for it. */
const SOON = { 'Retry-After': '0.05' };

// What is sent again after what is proved in unit/retry, and of each kind of operation in faults/operations.
describe('sent again', () => {
	test('a POST after 429', async () => {
		things('POST').reply(429, refusal('RATE_LIMITED'), SOON);
		things('POST').reply(200, ok());
		expect((await run(request('POST'))).json).toEqual([{ id: ID }]);
	});

	test.each(['POST', 'PATCH'])('a %s whose connection was never made', async (method) => {
		things(method).replyWithError(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }));
		things(method).reply(200, ok());
		expect((await run(request(method))).json).toEqual([{ id: ID }]);
	});

	test.each(['lost', 503])('a DELETE after %s, and 404 then means success', async (first) => {
		if (first === 'lost') things('DELETE').replyWithError(lost());
		else things('DELETE').reply(503);
		things('DELETE').reply(404, refusal('NOT_FOUND'));
		const { json, error } = await run(request('DELETE'));
		expect(error).toBeUndefined();
		expect(json).toEqual([{ deleted: true }]);
	});

	test('a DELETE after 503, and the 404 of a gateway then is an error', async () => {
		things('DELETE').reply(503);
		things('DELETE').reply(404, { message: 'no Route matched with those values' });
		expect((await run(request('DELETE'))).error?.httpCode).toBe('404');
	});

	test('nothing, if the 503 of another request asks to wait too long; it changed nothing', async () => {
		things('POST').reply(503, '', { 'Retry-After': '300' });
		const { json } = await run(request('POST', { concurrency: 1 }), {
			items: [{ json: {} }, { json: {} }],
			node: { onError: 'continueRegularOutput' },
		});
		expect(json).toMatchObject([
			{ status: 503, may_have_acted: true },
			{ error: expect.stringContaining('The server is busy') as string, status: 503 },
		]);
		expect(json[1]).not.toHaveProperty('may_have_acted');
	});

	test.each(['GET', 'PUT', 'DELETE'])(
		'a %s after the page of a gateway, which is no word about the record',
		async (method) => {
			things(method).reply(503);
			things(method).reply(404, 'default backend - 404', { 'content-type': 'text/plain' });
			things(method).reply(200, ok());
			const { error } = await run(request(method));
			expect(error).toBeUndefined();
		},
	);

	test.each(['/contact-lists/1/contacts', '/contact-lists/1/contacts/', '/a/5/b/1/contacts'])(
		'a DELETE of %s, and 404 then is an error: contacts leave a list, and the list stays',
		async (path) => {
			const server = nock(ORIGIN);
			server.delete(`/v1${path}`).reply(503);
			server.delete(`/v1${path}`).reply(404, refusal('NOT_FOUND'));
			expect((await run({ ...request('DELETE'), path })).error?.httpCode).toBe('404');
		},
	);

	test('a PUT after a lost answer, and 404 then is an error', async () => {
		things('PUT').replyWithError(lost());
		things('PUT').reply(404, refusal('NOT_FOUND'));
		expect((await run(request('PUT'))).error?.httpCode).toBe('404');
	});
});

describe('how long the node waits before it sends again', () => {
	test('Retry-After in seconds', async () => {
		things('POST').reply(429, refusal('RATE_LIMITED'), { 'Retry-After': '1' });
		things('POST').reply(200, ok());
		const start = Date.now();
		expect((await run(request('POST'))).json).toEqual([{ id: ID }]);
		expect(Date.now() - start).toBeGreaterThanOrEqual(1000);
		expect(Date.now() - start).toBeLessThan(5000);
	});

	test('longer than two minutes: an error at once', async () => {
		things('GET').reply(429, refusal('RATE_LIMITED'), { 'Retry-After': '121' });
		const start = Date.now();
		const { error } = await run(request('GET'));
		expect(Date.now() - start).toBeLessThan(2000);
		expect(error?.description).toMatch(/due in 121 s\. .*longer than 120 s.*Send fewer items/);
		expect(error?.httpCode).toBe('429');
	});

	test('several waits, together longer than two minutes: an error', async () => {
		onTestFinished(letWaitsPass());
		things('GET').times(2).reply(429, refusal('RATE_LIMITED'), { 'Retry-After': '70' });
		const { error } = await run(request('GET'));
		expect(error?.description).toMatch(/longer than 120 s/);
	});
});

describe('OAuth2', () => {
	const oAuth2 = (tokens: object = {}) => ({
		ykVoiceOAuth2Api: {
			baseUrl: `${ORIGIN}/v1`,
			grantType: 'authorizationCode',
			clientId: 'client',
			clientSecret: 'client-secret',
			accessTokenUrl: 'https://login.voice.example/token',
			authUrl: 'https://login.voice.example/authorize',
			authentication: 'header',
			scope: 'agents:read',
			oauthTokenData: {
				access_token: 'old-token',
				refresh_token: 'refresh-token',
				token_type: 'Bearer',
				...tokens,
			},
		},
	});
	const bearer = (token: string) =>
		nock(ORIGIN, { reqheaders: { authorization: `Bearer ${token}` } });
	const login = () =>
		nock('https://login.voice.example').post('/token', /grant_type=refresh_token/);
	const runOAuth = async (parameters: INodeParameters, credentials = oAuth2()) =>
		await run({ authentication: 'oAuth2', ...parameters }, { credentials });

	test.each(['GET', 'POST'])(
		'a 401 to a %s refreshes the token, and sends the request once more',
		async (method) => {
			const credentials = oAuth2();
			bearer('old-token')
				.intercept('/v1/things', method)
				.reply(401, refusal('AUTHENTICATION_FAILED'));
			login().reply(200, { access_token: 'new-token', token_type: 'Bearer', expires_in: 3600 });
			bearer('new-token').intercept('/v1/things', method).reply(200, ok());
			const { json, error } = await runOAuth(request(method), credentials);
			expect(error).toBeUndefined();
			expect(json).toEqual([{ id: ID }]);
			expect(credentials.ykVoiceOAuth2Api.oauthTokenData.access_token).toBe('new-token');
		},
	);

	test('several items renew the token once, because the first request goes alone', async () => {
		bearer('old-token').get('/v1/things').reply(401, refusal('AUTHENTICATION_FAILED'));
		login().reply(200, { access_token: 'new-token', token_type: 'Bearer', expires_in: 3600 });
		bearer('new-token').get('/v1/things').times(3).reply(200, ok());
		const items = [1, 2, 3].map((at) => ({ json: { at } }));
		const { json, error } = await run(
			{ authentication: 'oAuth2', ...request('GET') },
			{ credentials: oAuth2(), items },
		);
		expect(error).toBeUndefined();
		expect(json).toHaveLength(3);
	});

	test('a 401 to the new token is an error', async () => {
		bearer('old-token').get('/v1/things').reply(401, refusal('AUTHENTICATION_FAILED'));
		login().reply(200, { access_token: 'new-token', token_type: 'Bearer' });
		bearer('new-token').get('/v1/things').reply(401, refusal('AUTHENTICATION_FAILED', 'revoked'));
		const { error } = await runOAuth(request('GET'));
		expect(error?.message).toBe('The access token was not accepted (401)');
		expect(error?.description).toMatch(/Reconnect the OAuth2 credential/);
		expect(error?.httpCode).toBe('401');
	});
});

describe('an error', () => {
	test('of the connection is said in words', async () => {
		things('POST').replyWithError(Object.assign(new Error('failed: EPIPE'), { code: 'EPIPE' }));
		const { error } = await run(request('POST'));
		expect(error?.message).toBe('No answer from the server (connection closed)');
	});

	// n8n finds the codes of Node's errors inside words, and then drops the whole message.
	test.each([
		'a preexisting order',
		'EACCES to the wallet',
		'ENOENT',
		'upstream said ECONNREFUSED',
	])('quotes the API even if it says "%s"', async (message) => {
		things('POST').reply(400, refusal('INVALID_REQUEST', message));
		const { error } = await run(request('POST'));
		expect(error?.message).toBe(`The API refused the data: ${message} (400 INVALID_REQUEST)`);
	});
});
