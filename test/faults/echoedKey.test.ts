import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeEach, describe, expect, it, test } from 'vitest';

import type { Credentials } from '../support/harness.ts';
import { byKey, byToken, keepSecret, run, startEmulator, tally, type Emulator } from './lab.ts';
import { logged, whereIs } from './watch.ts';

/** A server that answers as a test says, and keeps its requests. */
interface Server {
	origin: string;
	asked: IncomingMessage[];
	answer: (request: IncomingMessage, response: ServerResponse) => unknown;
	close(): Promise<void>;
}

async function startServer(): Promise<Server> {
	const server = createServer((request, response) => {
		started.asked.push(request);
		request.resume().on('end', () => started.answer(request, response));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const started: Server = {
		origin: `http://127.0.0.1:${port}`,
		asked: [],
		answer: (_request, response) => void response.end('{}'),
		close: async () => await new Promise((resolve) => server.close(() => resolve())),
	};
	return started;
}

let emulator: Emulator;
let api: Server;
let login: Server;

beforeEach(async () => {
	[emulator, api, login] = await Promise.all([
		startEmulator({ data: 'small' }),
		startServer(),
		startServer(),
	]);
});
afterEach(async () => {
	await Promise.all([emulator, api, login].map(async (one) => await one.close()));
});
afterAll(() => console.log(`Secrets: ${tally.runs} runs, ${tally.requests} requests`));

// What the API says with the key in it, and where redirects lead, is tested in attack/key.
const KEY = 'yk_live_S3cr3t"K\\ey-0123456789';
const OLD = 'access-old-5f0c';
// No long piece of the key may show either, such as the rest of a text that was cut.
for (let from = 0; from + 12 <= KEY.length; from++) keepSecret(KEY.slice(from, from + 12));
const RENEWED = 'access-renewed-77aa';

const tokens = (): Credentials => ({
	ykVoiceOAuth2Api: {
		baseUrl: `${api.origin}/v1`,
		grantType: 'authorizationCode',
		clientId: 'client-id',
		clientSecret: 'client-secret-91d2',
		accessTokenUrl: `${login.origin}/token`,
		authUrl: `${login.origin}/authorize`,
		authentication: 'header',
		scope: 'agents:read',
		oauthTokenData: {
			access_token: OLD,
			refresh_token: 'refresh-old-3b1e',
			token_type: 'Bearer',
		},
	},
});

const ACCOUNTS: ReadonlyArray<readonly [string, () => Credentials]> = [
	['API key', () => byKey(`${api.origin}/v1`, KEY)],
	['API key with spaces around it', () => byKey(`${api.origin}/v1`, `  ${KEY}\n`)],
	['OAuth token', () => byToken(`${api.origin}/v1`, OLD)],
];

const send = () => ({
	resource: 'apiRequest',
	operation: 'send',
	method: 'GET',
	path: '/things',
	requestOptions: { maxWait: 0, timeout: 1 },
});

const secretOf = (request: IncomingMessage) => String(request.headers.authorization).slice(7);

function sendJson(response: ServerResponse, status: number, body: object): void {
	response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

describe.each(ACCOUNTS)('an %s is kept', (_account, credentials) => {
	it('from a successful answer, which goes on without it [P17]', async () => {
		api.answer = (request, response) => {
			const secret = secretOf(request);
			const data = { id: 'a', echo: `Bearer ${secret}`, [secret]: [{ secret }], rest: 'kept' };
			sendJson(response, 200, { ok: true, data });
		};
		const { outputs } = await run(emulator, { parameters: send(), credentials: credentials() });
		expect(outputs[0]![0]!.json).toEqual({
			id: 'a',
			echo: 'Bearer [secret]',
			'[secret]': [{ secret: '[secret]' }],
			rest: 'kept',
		});
	});
});

describe('an OAuth token that is refreshed', () => {
	const refuse =
		(message: (request: IncomingMessage) => string): Server['answer'] =>
		(request, response) => {
			const isRenewed = secretOf(request) === RENEWED;
			const error = { code: 'DENIED', message: message(request), details: request.headers };
			sendJson(response, isRenewed ? 403 : 401, { ok: false, error });
		};
	const renew =
		(body: object, status = 200): Server['answer'] =>
		(_request, response) =>
			sendJson(response, status, body);

	it('is kept, the old one and the new one', async () => {
		keepSecret(RENEWED);
		keepSecret('refresh-renewed-1188');
		api.answer = refuse((request) => `token ${secretOf(request)} lacks a scope`);
		login.answer = renew({
			access_token: RENEWED,
			refresh_token: 'refresh-renewed-1188',
			token_type: 'Bearer',
			expires_in: 3600,
		});
		const { error } = await run(emulator, { parameters: send(), credentials: tokens() });
		expect(error?.message).toBe('API Request: Send: 403 DENIED: token [secret] lacks a scope');
		expect(api.asked.map(secretOf)).toEqual([OLD, RENEWED]);
	});

	it.each<[string, Server['answer']]>([
		[
			'revoked',
			renew({ error: 'invalid_grant', error_description: 'refresh-old-3b1e is revoked' }, 400),
		],
		[
			'refused',
			renew({ error: 'client-secret-91d2', error_description: 'client-secret-91d2' }, 401),
		],
		['answered with a page', (_request, response) => void response.end('<p>refresh-old-3b1e</p>')],
		['not answered', (request) => void request.socket.destroy()],
	])('is kept where the refresh is %s', async (_how, answer) => {
		api.answer = refuse((request) => `unknown token ${secretOf(request)}`);
		login.answer = answer;
		const { error } = await run(emulator, { parameters: send(), credentials: tokens() });
		expect(error?.message).toMatch(/^API Request: Send: /);
	});
});

test('the search for secrets looks where JSON does not', () => {
	const secret = 'hidden-text';
	const cause = Object.defineProperty(new Error('outer'), 'cause', {
		value: { config: { headers: { authorization: `Bearer ${secret}` } } },
		enumerable: false,
	});
	const places: unknown[] = [
		cause,
		new Map([['a', [secret]]]),
		new Set([secret]),
		Buffer.from(secret),
		{ [secret]: 1 },
		{ [Symbol('s')]: secret },
		Object.assign(() => {}, { held: secret }),
		new Error(secret),
	];
	for (const place of places) expect(whereIs([secret], { place })).toBeDefined();
	expect(whereIs([secret], { logged: logged.length })).toBeUndefined();
});
