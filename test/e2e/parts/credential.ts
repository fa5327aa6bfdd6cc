import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { startEmulator, type Emulator, type Fault } from '../../emulator/index.ts';
import { emulator, n8n, renewEmulator } from '../shared.ts';
import { chain, manualTrigger, type CredentialRef } from '../workflows.ts';

const SECRET = 'S3cr3t0123456789abcdef';

const NOT_THE_API = /not the YK Voice API/;

/** What n8n's own test says of a credential, where its key goes, and that no log has it. */
export function credential(): void {
	/** A server that must get no key. */
	let stranger: Emulator;

	beforeAll(async () => {
		await renewEmulator();
		stranger = await startEmulator({ data: 'empty' });
	});

	afterAll(async () => await stranger?.close());

	beforeEach(() => emulator.reset());

	afterEach(() => {
		const received = JSON.stringify(stranger.requests.map(({ headers }) => headers));
		for (const secret of [SECRET, emulator.keys.all, emulator.tokens.all]) {
			expect(received).not.toContain(secret);
			expect(n8n.log).not.toContain(secret);
		}
	});

	type Data = { apiKey?: string; baseUrl?: string };

	const given = (data: Data = {}) => ({
		apiKey: emulator.keys.all,
		baseUrl: emulator.url,
		...data,
	});

	const redirect = (): Fault => ({
		...{ kind: 'status', status: 307, times: Infinity },
		location: `${stranger.url}/agents/`,
	});

	describe('its test', () => {
		it.each<[string, () => Data]>([
			['the key that may do everything', () => ({})],
			['a key that may read', () => ({ apiKey: emulator.keys.read })],
			['a key that may read and write', () => ({ apiKey: emulator.keys.readWrite })],
			['a base URL that ends in a slash', () => ({ baseUrl: `${emulator.url}/` })],
		])('accepts %s', async (_what, data) => {
			expect(await n8n.testCredential(given(data()))).toMatchObject({ status: 'OK' });
		});

		const expectRefusal = async (data: Data, message: RegExp) => {
			const answer = await n8n.testCredential(given(data));
			expect(answer).toEqual({ status: 'Error', message: expect.stringMatching(message) });
			expect(answer.message).not.toContain(SECRET);
		};

		const noAnswer = /no answer .*Check the 'Base URL'/i;

		it.each<[string, () => Data, RegExp]>([
			['a key of another service', () => ({ apiKey: `sk_${SECRET}` }), /begin with yk_/],
			['a wrong key', () => ({ apiKey: `yk_${SECRET}` }), /did not accept this key.*\(401/s],
			[
				'a key that may not read',
				() => ({ apiKey: emulator.keys.writeCalls }),
				/may not read data.*\(403/s,
			],
			['a base URL without /v1', () => ({ baseUrl: emulator.origin }), /Base URL/],
			['a base URL that is none', () => ({ baseUrl: 'api.example.com' }), /Base URL/],
			['a server without an address', () => ({ baseUrl: 'https://no.invalid/v1' }), noAnswer],
			['a closed port', () => ({ baseUrl: 'http://127.0.0.1:9/v1' }), noAnswer],
			[
				'fields that changed places',
				() => ({ apiKey: emulator.url, baseUrl: `yk_${SECRET}` }),
				/'Base URL'/,
			],
			[
				'a password in the address',
				() => ({ baseUrl: `https://user:${SECRET}@api.example.com/v1` }),
				/'Base URL'/,
			],
			[
				'a key in the address',
				() => ({ baseUrl: `https://api.example.com/yk_${SECRET}/v1` }),
				/'Base URL'/,
			],
		])('says what is wrong, and repeats no secret: %s', async (_what, data, message) => {
			await expectRefusal(data(), message);
		});

		it.each<[string, () => Fault, RegExp]>([
			['an HTML page', () => ({ kind: 'html' }), NOT_THE_API],
			['another JSON API', () => ({ kind: 'not-envelope' }), NOT_THE_API],
			[
				'nothing',
				() => ({ kind: 'status', status: 404, body: 'No' }),
				/^(?=.*404).*nothing at this address/s,
			],
			[
				'an error',
				() => ({ kind: 'status', status: 500, body: 'Oops' }),
				/could not complete the request.*\(500/s,
			],
			['a redirect', redirect, /redirects to another address/],
		])('says that it found %s', async (_what, fault, message) => {
			emulator.faults.add({ ...fault(), times: Infinity });
			await expectRefusal({}, message);
			expect(stranger.requests).toEqual([]);
		});
	});

	// Which requests of the nodes have the key: promises/keyStaysHome.
	describe('in the HTTP Request node', () => {
		/** @returns what n8n says if the node fails */
		async function request(
			url: string,
			ref: CredentialRef,
			type = 'ykVoiceApi',
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
					options: { redirect: { redirect: { followRedirects: true } } },
				},
				credentials: { [type]: ref },
			};
			const saved = await n8n.saveWorkflow(chain('HTTP Request', manualTrigger(), node));
			return await n8n.run(saved).then(
				() => undefined,
				(error: Error) => error.message,
			);
		}

		const keysSent = () => emulator.requests.map(({ headers }) => headers.authorization);

		it('its key goes to an address below the Base URL, and to no other', async () => {
			const ref = await n8n.createCredential(given());
			expect(await request(`${emulator.url}/agents/`, ref)).toBeUndefined();
			expect(keysSent()).toEqual([`Bearer ${emulator.keys.all}`]);
			const refused = /only to addresses below its 'Base URL'/;
			expect(await request(`${stranger.url}/agents/`, ref)).toMatch(refused);
			expect(stranger.requests).toEqual([]);
		});

		it('its key goes nowhere by a redirect', async () => {
			emulator.faults.add(redirect());
			await request(`${emulator.url}/agents/`, await n8n.createCredential(given()));
			expect(emulator.requests).toHaveLength(1);
			expect(stranger.requests).toEqual([]);
		});

		it('a token of OAuth2 goes nowhere, unless the user allows it', async () => {
			const type = 'ykVoiceOAuth2Api';
			const data = {
				baseUrl: emulator.url,
				grantType: 'authorizationCode',
				clientId: 'id',
				clientSecret: SECRET,
				authUrl: `${emulator.origin}/auth`,
				accessTokenUrl: `${emulator.origin}/token`,
				oauthTokenData: { access_token: emulator.tokens.all, token_type: 'Bearer' },
			};
			const closed = await n8n.createCredential(data, { type });
			for (const { url } of [stranger, emulator])
				expect(await request(`${url}/agents/`, closed, type)).toMatch(/configured to prevent use/);
			const allowed = { allowedHttpRequestDomains: 'domains', allowedDomains: '127.0.0.1' };
			const open = await n8n.createCredential({ ...data, ...allowed }, { type });
			expect(await request(`${emulator.url}/agents/`, open, type)).toBeUndefined();
			expect(keysSent()).toEqual([`Bearer ${emulator.tokens.all}`]);
		});
	});
}
