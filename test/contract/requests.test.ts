import type { IDataObject, INodeParameters } from 'n8n-workflow';
import nock from 'nock';
import { afterAll, describe, expect, test } from 'vitest';

import { CONTINUE, oAuth2, run } from '../support/account.ts';
import { locator } from '../support/samples.ts';
import {
	apiForTests,
	ID,
	KEY,
	send,
	serverForTests,
	type Answer,
	type Asked,
} from '../support/server.ts';

const api = apiForTests();

const ok: Answer = (_asked, response) => send(response, { ok: true, data: { id: ID } });
const status =
	(
		code: number,
		headers: Record<string, string> = {},
		error: object = { code: 'SOME', message: 'no' },
	): Answer =>
	(_asked, response) =>
		send(response, { ok: false, data: null, meta: null, error }, code, headers);
const lost: Answer = (_asked, response) => void response.destroy();
/** The page of a gateway, which is no word about the record. */
const gateway: Answer = (_asked, response) => send(response, 'default backend - 404', 404);

/** Each answer in its turn, for one request each. */
function answers(...given: Answer[]): void {
	const left = [...given];
	api.answer = (asked, response) => (left.shift() ?? status(501))(asked, response);
}

/** Sends a request with any method to one path; changes carry a body. */
const request = async (method: string, more: INodeParameters = {}, rest: object = {}) =>
	await run(
		'apiRequest.send',
		{ method, path: '/things', ...(method !== 'GET' && { body: '{"a":1}' }), ...more },
		[{}],
		rest,
	);

describe('a request', () => {
	const sentBy = async (name: string, parameters: INodeParameters) => {
		const { error } = await run(name, parameters);
		expect(error).toBeUndefined();
		return api.asked[0]!;
	};

	const agent_id = locator(ID);

	test.each<[what: string, name: string, INodeParameters, type: string | undefined, body: string]>([
		['a GET has no body', 'agent.get', { agent_id }, undefined, ''],
		[
			'a PATCH has JSON, with null for a cleared field',
			'agent.update',
			{ agent_id, updateFields: { first_message: 'Grüß 😀' }, clearFields: ['ai_provider'] },
			'application/json',
			'{"first_message":"Grüß 😀","ai_provider":null}',
		],
		[
			'a POST without fields has no body',
			'apiRequest.send',
			{ method: 'POST', path: '/things', body: '{}' },
			undefined,
			'',
		],
		[
			'a DELETE with fields has JSON',
			'apiRequest.send',
			{ method: 'DELETE', path: '/things', body: '{"a":1}' },
			'application/json',
			'{"a":1}',
		],
	])('as it is sent: %s', async (_what, name, parameters, type, wanted) => {
		const { headers, body } = await sentBy(name, parameters);
		expect(headers).toMatchObject({ authorization: `Bearer ${KEY}`, accept: 'application/json' });
		expect([headers['content-type']?.replace(/;.*/, ''), body]).toEqual([type, wanted]);
	});

	test('has an encoded query, and nothing that was not set', async () => {
		const { path, query } = await sentBy('call.getAll', {
			filters: { call_status: 'Not Answered', created_after: '2026-10-01T12:00:00+02:00' },
			...{ sort: { sort: '-created_at' }, limit: 5 },
		});
		expect(path).toBe('/v1/call-history');
		expect(String(query)).toBe(
			'call_status=Not+Answered&created_after=2026-10-01T10%3A00%3A00.000Z&sort=-created_at&limit=5&offset=0',
		);
		api.asked = [];
		const blank = await sentBy('call.getAll', { filters: { created_after: '' } });
		expect(String(blank.query)).toBe('limit=50&offset=0');
	});
});

const ofVoice = { ykVoiceApi: { apiKey: KEY, baseUrl: 'https://api.voice.example/v1' } };

afterAll(() => nock.restore());

// What is sent again after what: unit/retry, and for each kind of operation faults/operations.
describe('a request that is sent again', () => {
	// A server of the test cannot stand behind https, or refuse a connection only once.
	test.each(['POST', 'PATCH'])('as a %s whose connection was never made', async (method) => {
		const failure = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
		const things = () => nock('https://api.voice.example').intercept('/v1/things', method);
		things().replyWithError(failure);
		things().reply(200, { ok: true, data: { id: ID } });
		const { json } = await request(method, {}, { credentials: ofVoice });
		expect(json).toEqual([{ id: ID }]);
		expect(nock.isDone()).toBe(true);
	});

	test.each<[what: string, method: string, first: Answer, second: Answer, IDataObject]>([
		['a lost DELETE, and 404: it is done', 'DELETE', lost, status(404), { deleted: true }],
		['503 to a DELETE, and 404: it is done', 'DELETE', status(503), status(404), { deleted: true }],
		['a lost PUT, and 404: an error', 'PUT', lost, status(404), { status: 404 }],
	])('after %s', async (_what, method, first, second, item) => {
		answers(first, second);
		expect((await request(method, {}, CONTINUE)).json).toMatchObject([item]);
	});

	test.each(['/contact-lists/1/contacts', '/contact-lists/1/contacts/'])(
		'as a DELETE of %s, and 404 then is an error: contacts leave a list, and the list stays',
		async (path) => {
			answers(status(503), status(404));
			expect((await request('DELETE', { path })).error?.httpCode).toBe('404');
		},
	);

	test.each(['GET', 'PUT', 'DELETE'])(
		'as a %s, and once more after the page of a gateway',
		async (method) => {
			answers(status(503), gateway, ok);
			expect((await request(method)).error).toBeUndefined();
		},
	);

	test('is none if the 503 of another request asks to wait too long; it changed nothing', async () => {
		answers(status(503, { 'retry-after': '300' }));
		const items = [{ json: {} }, { json: {} }];
		const { json } = await request('POST', {}, { items, ...CONTINUE });
		const error = expect.stringContaining('The server is busy') as string;
		expect(json).toMatchObject([
			{ status: 503, may_have_acted: true },
			{ error, status: 503 },
		]);
		expect(json[1]).not.toHaveProperty('may_have_acted');
		expect(api.asked).toHaveLength(1);
	});
});

// How long each pause is: unit/retry.
describe('Retry-After', () => {
	const refused = (...seconds: string[]) =>
		answers(...seconds.map((value) => status(429, { 'retry-after': value })), ok);

	test('is waited for, up to two minutes in all', async () => {
		const start = Date.now();
		refused('100');
		expect((await request('POST')).json).toEqual([{ id: ID }]);
		expect(Date.now() - start).toBeGreaterThanOrEqual(100_000);
	});

	test.each([
		['of more than two minutes', ['121'], /due in 121 s\. .*longer than 120 s.*Send fewer items/],
		['of more than two minutes together', ['70', '70'], /longer than 120 s/],
	])('%s is an error', async (_what, seconds, advice) => {
		refused(...seconds);
		const { error } = await request('GET');
		expect(error?.description).toMatch(advice);
		expect(error?.httpCode).toBe('429');
		expect(api.asked).toHaveLength(seconds.length);
	});
});

describe('OAuth2', () => {
	const login = serverForTests();

	const withToken = () => ({
		credentials: oAuth2('', {
			...{ grantType: 'authorizationCode', authentication: 'header', scope: 'agents:read' },
			...{ accessTokenUrl: `${login.origin}/token`, authUrl: `${login.origin}/authorize` },
			oauthTokenData: { access_token: 'old', refresh_token: 'again', token_type: 'Bearer' },
		}),
	});

	/** The API takes only the new token, which the login server gives for the refresh token. */
	const renewing = (token = 'new') => {
		login.answer = ({ body }, response) =>
			body.includes('grant_type=refresh_token')
				? send(response, { access_token: 'new', token_type: 'Bearer', expires_in: 3600 })
				: send(response, '', 400);
		api.answer = (asked: Asked, response) =>
			(asked.headers.authorization === `Bearer ${token}` ? ok : status(401))(asked, response);
	};

	test.each(['GET', 'POST'])(
		'a 401 to a %s refreshes the token, and sends the request once more',
		async (method) => {
			renewing();
			const rest = withToken();
			expect((await request(method, {}, rest)).json).toEqual([{ id: ID }]);
			expect([api.asked.length, login.asked.length]).toEqual([2, 1]);
			const { oauthTokenData } = rest.credentials.ykVoiceOAuth2Api!;
			expect(oauthTokenData).toMatchObject({ access_token: 'new' });
		},
	);

	test('several items renew the token once, because the first request goes alone', async () => {
		renewing();
		const items = [1, 2, 3].map((at) => ({ json: { at } }));
		expect((await request('GET', {}, { ...withToken(), items })).json).toHaveLength(3);
		expect([api.asked.length, login.asked.length]).toEqual([4, 1]);
	});

	test('a 401 to the new token is an error', async () => {
		renewing('no such token');
		const { error } = await request('GET', {}, withToken());
		expect(error?.message).toMatch(/^The access token was not accepted.* \(401/);
		expect(error?.description).toMatch(/Reconnect the OAuth2 credential/);
		expect(error?.httpCode).toBe('401');
	});
});

// n8n finds the codes of Node's errors inside words, and then drops the whole message.
test.each(['a preexisting order', 'EACCES to the wallet', 'ENOENT', 'upstream said ECONNREFUSED'])(
	'an error quotes the API even if it says "%s"',
	async (message) => {
		answers(status(400, {}, { code: 'INVALID_REQUEST', message }));
		const { error } = await request('POST');
		expect(error?.message).toBe(`The API refused the data: ${message} (400 INVALID_REQUEST)`);
	},
);
