import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeEach, describe, expect, it, test } from 'vitest';

import type { Credentials } from '../support/harness.ts';
import {
	byKey,
	byToken,
	isFull,
	keepSecret,
	run,
	startEmulator,
	tally,
	type Emulator,
} from './lab.ts';
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
let stranger: Server;
let login: Server;

beforeEach(async () => {
	[emulator, api, stranger, login] = await Promise.all([
		startEmulator({ data: 'small' }),
		startServer(),
		startServer(),
		startServer(),
	]);
});
afterEach(async () => {
	expect(stranger.asked).toEqual([]);
	await Promise.all([emulator, api, stranger, login].map(async (one) => await one.close()));
});
afterAll(() => console.log(`Secrets: ${tally.runs} runs, ${tally.requests} requests`));

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

const send = (method: string) => ({
	resource: 'apiRequest',
	operation: 'send',
	method,
	path: '/things',
	...(method !== 'GET' && { body: '{"a":1}' }),
	requestOptions: { maxWait: 0, timeout: 1 },
});

const METHODS = isFull ? ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] : ['GET', 'POST'];

const secretOf = (request: IncomingMessage) => String(request.headers.authorization).slice(7);

function sendJson(response: ServerResponse, status: number, body: object): void {
	response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const refusalWith = (status: number): readonly [string, Server['answer']] => [
	`a refusal with ${status}`,
	(request, response) => {
		const secret = secretOf(request);
		const error = {
			code: `BAD_${secret}`,
			message: `not accepted: ${request.headers.authorization}`,
			details: { headers: request.headers, [secret]: [[secret]] },
		};
		sendJson(response, status, { ok: false, error });
	},
];

/** A page whose text is cut when it is shown, with the key where it is cut. */
const pageWith = (before: string): readonly [string, Server['answer']] => [
	`a page of which only the start is shown, after ${before.length} characters`,
	(request, response) =>
		response
			.writeHead(500, { 'content-type': 'text/html' })
			.end(`<h1>${before} ${secretOf(request)}</h1>`),
];

/** Ways in which a server sends the key back. */
const ECHOES: ReadonlyArray<readonly [string, Server['answer']]> = [
	...[400, 401, 403, 404, 409, 429, 500, 503].map(refusalWith),
	[
		'a page',
		(request, response) =>
			response.setHeader('content-type', 'text/html').end(`<p>${secretOf(request)}</p>`),
	],
	...[20, 180, 190].map((length) => pageWith('x'.repeat(length))),
	...[20, 45].map((length): readonly [string, Server['answer']] => [
		`a text of which only the start is shown, after ${length} characters`,
		(request, response) => response.end(`${'x'.repeat(length)} ${secretOf(request)}`),
	]),
	[
		'a content type',
		(request, response) =>
			response.setHeader('content-type', `text/${secretOf(request)}`).end('hello'),
	],
	[
		'half an answer',
		(request, response) => {
			response.writeHead(200, { 'content-length': 1000, 'x-echo': secretOf(request) });
			response.write(`{"ok":true,"data":"${secretOf(request)}`, () => response.destroy());
		},
	],
	['no answer', (request) => void request.socket.destroy()],
	['too late', () => {}],
];

describe.each(ACCOUNTS)('an %s is kept', (_account, credentials) => {
	it.each(ECHOES)(
		'from %s [P16]',
		async (_echo, answer) => {
			api.answer = answer;
			const trial = async (method: string, onError: 'stopWorkflow' | 'continueErrorOutput') => {
				const { error, outputs } = await run(emulator, {
					parameters: send(method),
					credentials: credentials(),
					node: { onError },
				});
				expect(error ?? outputs[1]?.[0]?.json.error).toBeDefined();
			};
			await Promise.all(
				METHODS.flatMap((method) => [
					trial(method, 'stopWorkflow'),
					trial(method, 'continueErrorOutput'),
				]),
			);
			api.answer = (_request, response) => void response.destroy();
		},
		60_000,
	);

	it('from a successful answer, which goes on without it [P17]', async () => {
		api.answer = (request, response) => {
			const secret = secretOf(request);
			const data = { id: 'a', echo: `Bearer ${secret}`, [secret]: [{ secret }], rest: 'kept' };
			sendJson(response, 200, { ok: true, data });
		};
		for (const method of METHODS) {
			const { outputs } = await run(emulator, {
				parameters: send(method),
				credentials: credentials(),
			});
			expect(outputs[0]![0]!.json).toEqual({
				id: 'a',
				echo: 'Bearer [secret]',
				'[secret]': [{ secret: '[secret]' }],
				rest: 'kept',
			});
		}
	});

	it.each([301, 302, 303, 307, 308])('from where a redirect (%i) leads [P10]', async (status) => {
		api.answer = (request, response) => {
			const location = `${stranger.origin}/v1/things?key=${encodeURIComponent(secretOf(request))}&raw=${secretOf(request)}`;
			response.writeHead(status, { location }).end();
		};
		for (const method of METHODS) {
			const { error } = await run(emulator, {
				parameters: send(method),
				credentials: credentials(),
			});
			expect(error?.message).toContain(`${status} redirects to ${stranger.origin}`);
		}
		expect(stranger.asked).toEqual([]);
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
		const { error } = await run(emulator, { parameters: send('GET'), credentials: tokens() });
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
		const { error } = await run(emulator, { parameters: send('GET'), credentials: tokens() });
		expect(error?.message).toMatch(/^API Request: Send: /);
	});
});

describe('a credential that cannot be used', () => {
	it.each([
		['without its prefix', () => byKey(emulator.url, 'S3cr3t-without-prefix')],
		['with a base URL of another form', () => byKey('http://127.0.0.1/v2', KEY)],
		[
			'with a secret in the base URL',
			() => byKey(`http://user:${encodeURIComponent('pass word')}@127.0.0.1/v1`, KEY),
		],
		['that no header can carry', () => byKey(emulator.url, 'yk_S3cr3t\nX-Evil: 1')],
		[
			'that is not connected',
			() => ({ ykVoiceOAuth2Api: { ...tokens().ykVoiceOAuth2Api!, oauthTokenData: undefined } }),
		],
	] as Array<[string, () => Credentials]>)(
		'%s: an error that does not show it [P16]',
		async (_what, credentials) => {
			const { error } = await run(emulator, {
				parameters: send('POST'),
				credentials: credentials(),
			});
			expect(error?.message).toBeTruthy();
			expect(emulator.requests.filter(({ handled }) => handled)).toEqual([]);
			for (const { headers } of emulator.requests) expect(headers).not.toHaveProperty('x-evil');
		},
	);
});

test('the key goes into one header of each request, and nowhere else [P11]', async () => {
	await run(emulator, {
		parameters: { resource: 'contact', operation: 'getAll', returnAll: true },
	});
	expect(emulator.requests.length).toBeGreaterThan(0);
	for (const { headers, path, query, body } of emulator.requests) {
		const { authorization, ...others } = headers;
		expect(authorization).toBe(`Bearer ${emulator.keys.all}`);
		expect(whereIs([emulator.keys.all], { others, path, query, body })).toBeUndefined();
	}
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

test('every test of this folder runs the node by lab.ts, which looks for secrets [P10] [P16]', () => {
	const folder = new URL('.', import.meta.url);
	for (const file of readdirSync(folder).filter((name) => name.endsWith('.test.ts'))) {
		const source = readFileSync(new URL(file, folder), 'utf8');
		// These run a node without the checks of lab.ts. Types may be imported.
		expect(source, file).not.toMatch(
			/import \{[^}]*\} from '\.\.\/support\/(account|harness|poller)\.ts'/,
		);
		expect(source, file).toMatch(/from '\.\/lab\.ts'/);
	}
});
