import { setTimeout } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import nock from 'nock';
import { describe, expect, onTestFinished, test } from 'vitest';

import { oAuth2, run } from '../support/account.ts';
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
		return api.asked.at(-1)!;
	};

	test('to update has JSON, with null for a cleared field', async () => {
		const updateFields = { first_message: 'Grüß 😀' };
		const changes = { agent_id: locator(ID), updateFields, clearFields: ['ai_provider'] };
		const { headers, body } = await sentBy('agent.update', changes);
		expect(headers).toMatchObject({ authorization: `Bearer ${KEY}`, accept: 'application/json' });
		expect(headers['content-type']).toMatch(/^application\/json/);
		expect(body).toBe('{"first_message":"Grüß 😀","ai_provider":null}');
	});

	test('has an encoded query, and nothing that was not set', async () => {
		const { path, query } = await sentBy('call.getAll', {
			filters: { call_status: 'Not Answered', created_after: '2026-10-01T12:00:00+02:00' },
			sort: { sort: '-created_at' },
			limit: 5,
		});
		expect(path).toBe('/v1/call-history');
		expect(String(query)).toBe(
			'call_status=Not+Answered&created_after=2026-10-01T10%3A00%3A00.000Z&sort=-created_at&limit=5&offset=0',
		);
		const blank = await sentBy('call.getAll', { filters: { created_after: '' } });
		expect(String(blank.query)).toBe('limit=50&offset=0');
	});
});

// A server of the test cannot refuse a connection only once.
test('a POST or PATCH whose connection was never made is sent again', async () => {
	onTestFinished(() => nock.restore());
	const ykVoiceApi = { apiKey: KEY, baseUrl: 'https://api.voice.example/v1' };
	for (const method of ['POST', 'PATCH']) {
		const things = () => nock('https://api.voice.example').intercept('/v1/things', method);
		things().replyWithError(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }));
		things().reply(200, { ok: true, data: { id: ID } });
		const { json } = await request(method, {}, { credentials: { ykVoiceApi } });
		expect(json).toEqual([{ id: ID }]);
	}
});

// What is sent again after what: unit/retry, and for each kind of operation faults/operations.
// A PUT that was lost and then finds nothing: contract/errors.
describe('a request that is sent again, and then finds nothing', () => {
	test('is done if it was a DELETE', async () => {
		answers(lost, status(404));
		expect((await request('DELETE')).json).toEqual([{ deleted: true }]);
	});

	test.each([
		['contacts leave a list, because the list itself is gone', '/contact-lists/1/contacts', 'SOME'],
		['the 404 has no code, because it may be the answer of a gateway', '/things', undefined],
	])('is an error if %s', async (_what, path, code) => {
		answers(status(503), status(404, {}, { code, message: 'no' }));
		expect((await request('DELETE', { path })).error?.httpCode).toBe('404');
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

	test('of more than two minutes in all is an error', async () => {
		refused('70', '70');
		const { error } = await request('GET');
		expect(error?.description).toMatch(/longer than 120 s.*Send fewer items/);
		expect(error?.httpCode).toBe('429');
		expect(api.asked).toHaveLength(2);
	});
});

test('after a lost answer a read is tried four times, however long each try takes', async () => {
	const { now } = Date;
	onTestFinished(() => void (Date.now = now));
	let late = 0;
	Date.now = () => now() + late;
	api.answer = (_asked, response) => {
		late += 60_000;
		response.destroy();
	};
	expect((await request('GET')).error?.message).toMatch(/^No answer from the server/);
	expect(api.asked).toHaveLength(4);
});

describe('how many requests of an account are under way', () => {
	/** Counts them. They are answered together, when no other has come for a while. */
	function counted(answer: Answer) {
		const seen = { most: 0 };
		const waiting: Array<() => unknown> = [];
		api.answer = async (asked, response) => {
			const length = waiting.push(() => answer(asked, response));
			seen.most = Math.max(seen.most, length);
			await setTimeout(100);
			if (waiting.length > length) return;
			for (const send of waiting.splice(0)) send();
		};
		return seen;
	}

	const items = Array.from({ length: 200 }, (_, at) => ({ json: { at } }));

	test('grows to 50, also if no record exists', async () => {
		const seen = counted(status(404));
		await request('GET', {}, { items, node: { onError: 'continueRegularOutput' } });
		expect(api.asked).toHaveLength(200);
		expect(seen.most).toBe(50);
	});

	test('is at most 50 of several executions together', async () => {
		const seen = counted(ok);
		const executions = Array.from({ length: 8 }, () => request('GET', {}, { items }));
		for (const { json } of await Promise.all(executions)) expect(json).toHaveLength(200);
		expect(seen.most).toBe(50);
	});

	test('is none while the server refuses them, also in the next execution', async () => {
		api.answer = status(429, { 'retry-after': '3600' });
		await request('GET');
		const { error } = await request('GET');
		expect(error?.message).toMatch(/^The server is busy/);
		expect(error?.description).toMatch(/due in 3[56]\d\d/);
		expect(api.asked).toHaveLength(1);
	});
});

describe('OAuth2', () => {
	const login = serverForTests();

	const withToken = () => ({
		credentials: oAuth2('', {
			grantType: 'authorizationCode',
			authentication: 'header',
			scope: 'agents:read',
			accessTokenUrl: `${login.origin}/token`,
			authUrl: `${login.origin}/authorize`,
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
	});
});

// n8n finds the codes of Node's errors, here EEXIST, inside words, and then drops the whole message.
test('an error quotes the API even if its words hold a code of Node.js', async () => {
	answers(status(400, {}, { code: 'INVALID_REQUEST', message: 'a preexisting order' }));
	const { error } = await request('POST');
	expect(error?.message).toBe(
		'The API refused the data: a preexisting order (400 INVALID_REQUEST)',
	);
});
