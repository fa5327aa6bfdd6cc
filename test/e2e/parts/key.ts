import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { outputOf } from '../n8n.ts';
import { n8n } from '../stage.ts';
import { chain, locator, manualTrigger, ykVoice, type CredentialRef } from '../workflows.ts';

const KEY = 'yk_live_S3cr3t0123456789abcdef';
const TOKEN = 'token-S3cr3t0123456789abcdef';

/** A server that keeps its requests, and answers as a test says. */
async function startServer() {
	const asked: IncomingMessage[] = [];
	const found = { asked, url: '', answer: welcome as RequestListener, close: () => {} };
	const server = createServer((request, response) => {
		asked.push(request);
		found.answer(request, response);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	found.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	found.close = () => void server.close();
	return found;
}

const welcome: RequestListener = (_request, response) =>
	void response
		.setHeader('content-type', 'application/json')
		.end(JSON.stringify({ ok: true, data: [{ id: 'a' }], meta: { total_items: 1 } }));

/** Where the key goes, and that it stands in no message and no log. */
export function key(): void {
	let api: Awaited<ReturnType<typeof startServer>>;
	let stranger: Awaited<ReturnType<typeof startServer>>;

	beforeAll(async () => {
		[api, stranger] = await Promise.all([startServer(), startServer()]);
	});

	afterAll(() => {
		api?.close();
		stranger?.close();
	});

	afterEach(() => {
		expect(stranger.asked.filter(({ headers }) => /S3cr3t/.test(JSON.stringify(headers)))).toEqual(
			[],
		);
		expect(n8n.log).not.toContain('S3cr3t');
		api.answer = welcome;
		api.asked.length = 0;
		stranger.asked.length = 0;
	});

	const given = (more: object = {}) => ({ apiKey: KEY, baseUrl: `${api.url}/v1`, ...more });

	const redirect: RequestListener = ({ url }, response) =>
		void response.writeHead(307, { location: `${stranger.url}${url}` }).end();

	/** Runs the HTTP Request node with a credential; what it says if it fails. */
	async function httpRequest(
		url: string,
		credential: CredentialRef,
		{ type = 'ykVoiceApi', options = {} } = {},
	): Promise<string | undefined> {
		const node = {
			name: 'HTTP Request',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			position: [0, 0] as [number, number],
			parameters: {
				url,
				authentication: 'predefinedCredentialType',
				nodeCredentialType: type,
				options,
			},
			credentials: { [type]: credential },
		};
		const saved = await n8n.saveWorkflow(chain('HTTP Request', manualTrigger(), node));
		return await n8n.run(saved).then(
			() => undefined,
			(error: Error) => error.message,
		);
	}

	// Other redirects, addresses, proxies, and the list of allowed domains: promises/keyStaysHome, contract.
	it('the test of a credential follows no redirect, and says so', async () => {
		api.answer = redirect;
		const { status, message } = await n8n.testCredential(given());
		expect(status).toBe('Error');
		expect(message).toMatch(/redirects to another address/);
		expect(stranger.asked).toEqual([]);
	});

	it.each([
		['swapped', { apiKey: 'https://api.example.com/v1', baseUrl: KEY }],
		['with a password', { baseUrl: 'https://user:S3cr3t@api.example.com/v1' }],
		['with a key in the address', { baseUrl: `https://api.example.com/${KEY}/v1` }],
	])('the test of a credential repeats no field: %s', async (_what, more) => {
		const { status, message } = await n8n.testCredential(given(more));
		expect(status).toBe('Error');
		expect(message).toContain("'Base URL'");
		expect(message).not.toContain('S3cr3t');
	});

	describe('with the HTTP Request node', () => {
		it('goes to an address below the Base URL', async () => {
			const credential = await n8n.createCredential(given());
			expect(await httpRequest(`${api.url}/v1/agents/?limit=1`, credential)).toBeUndefined();
			expect(api.asked.map(({ url }) => url)).toEqual(['/v1/agents/?limit=1']);
			expect(api.asked[0]!.headers.authorization).toBe(`Bearer ${KEY}`);
		});

		it('goes to no other address', async () => {
			const credential = await n8n.createCredential(given());
			expect(await httpRequest(`${stranger.url}/v1/agents/`, credential)).toMatch(
				/only to addresses below its 'Base URL'/,
			);
			expect(stranger.asked).toEqual([]);
		});

		it('goes nowhere by a redirect', async () => {
			api.answer = redirect;
			const credential = await n8n.createCredential(given());
			await httpRequest(`${api.url}/v1/agents/`, credential, {
				options: { redirect: { redirect: { followRedirects: true } } },
			});
			expect(api.asked).toHaveLength(1);
			expect(stranger.asked).toEqual([]);
		});

		it('an OAuth2 token goes nowhere, unless the user allows it', async () => {
			const type = 'ykVoiceOAuth2Api';
			const data = {
				baseUrl: `${api.url}/v1`,
				grantType: 'authorizationCode',
				clientId: 'id',
				clientSecret: 'S3cr3t-of-the-client',
				authUrl: `${api.url}/auth`,
				accessTokenUrl: `${api.url}/token`,
				oauthTokenData: { access_token: TOKEN, token_type: 'Bearer' },
			};
			const closed = await n8n.createCredential(data, { type });
			for (const { url } of [stranger, api]) {
				expect(await httpRequest(`${url}/v1/agents/`, closed, { type })).toMatch(
					/configured to prevent use/,
				);
			}
			const open = await n8n.createCredential(
				{ ...data, allowedHttpRequestDomains: 'domains', allowedDomains: '127.0.0.1' },
				{ type },
			);
			expect(await httpRequest(`${api.url}/v1/agents/`, open, { type })).toBeUndefined();
			expect(api.asked[0]!.headers.authorization).toBe(`Bearer ${TOKEN}`);
		});
	});

	describe('a change whose answer is lost or says that it failed', () => {
		const run = async (parameters: object, credential: CredentialRef, more: object = {}) => {
			const node = { ...ykVoice({ ...parameters }, credential), ...more };
			const saved = await n8n.saveWorkflow(chain('Change', manualTrigger(), node));
			return outputOf(await n8n.run(saved), 'YK Voice');
		};
		const contact = {
			...{ resource: 'contact', operation: 'create', specifyFields: 'json' },
			json: '{ "phone_number": "+390612345678" }',
		};
		const onError = 'continueRegularOutput';

		it('may have been made, if the connection broke, and a call is not placed again', async () => {
			api.answer = (request) => void request.socket.destroy();
			const credential = await n8n.createCredential(given());
			const [failed] = await run(contact, credential, { onError });
			expect(failed).toMatchObject({ may_have_acted: true });
			expect(failed?.error).toContain('No answer from the server (connection reset)');
			api.asked.length = 0;
			const call = {
				...{ resource: 'playground', operation: 'makeTestCall', phone_number: '+390612345678' },
				agent_id: locator('11111111-2222-4333-8444-555555555555'),
			};
			const retries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
			expect(await run(call, credential, retries)).toMatchObject([{ result: 'unknown' }]);
			expect(api.asked).toHaveLength(1);
		});

		it('tells what the API said, also with OAuth2 and a new token, which it does not show', async () => {
			const tokens = new Set<string>();
			api.answer = ({ url = '', headers }, response) => {
				const used = String(headers.authorization).replace('Bearer ', '');
				response.setHeader('content-type', 'application/json');
				if (url.endsWith('/token')) {
					const access_token = `new-${crypto.randomUUID()}`;
					tokens.add(access_token);
					response.end(JSON.stringify({ access_token, token_type: 'Bearer', expires_in: 3600 }));
				} else {
					response.writeHead(tokens.has(used) ? 503 : 401);
					const error = { code: 'BUSY', message: `Not now: ${used}` };
					response.end(JSON.stringify({ ok: false, error }));
				}
			};
			const data = {
				...{ baseUrl: `${api.url}/v1`, grantType: 'authorizationCode', clientId: 'id' },
				...{ clientSecret: 'S3cr3t-of-the-client', accessTokenUrl: `${api.url}/token` },
				...{ authUrl: `${api.url}/auth`, scope: '', authentication: 'header' },
				oauthTokenData: { access_token: TOKEN, refresh_token: TOKEN, token_type: 'Bearer' },
			};
			const type = 'ykVoiceOAuth2Api';
			const credentials = { [type]: await n8n.createCredential(data, { type }) };
			const parameters = { ...contact, authentication: 'oAuth2' };
			const node = { ...ykVoice(parameters, { id: '', name: '' }), credentials, onError };
			const workflow = chain('Change', manualTrigger(), node);
			const pinData = { Start: [1, 2, 3, 4].map((at) => ({ json: { at } })) };
			const execution = await n8n.run(await n8n.saveWorkflow({ ...workflow, pinData }));
			const items = outputOf(execution, 'YK Voice');
			expect(items).toHaveLength(4);
			for (const item of items)
				expect(item).toMatchObject({ status: 503, code: 'BUSY', may_have_acted: true });
			for (const token of tokens) expect(JSON.stringify(items)).not.toContain(token);
			expect(tokens.size).toBeGreaterThan(0);
		});
	});
}
