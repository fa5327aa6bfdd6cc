import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { startEmulator, type Emulator, type Fault } from '../../emulator/index.ts';
import { emulator, n8n, renewEmulator } from '../shared.ts';
import { chain, manualTrigger, type CredentialRef } from '../workflows.ts';

const SECRET = 'S3cr3t0123456789abcdef';

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
		expect(stranger.requests).toEqual([]);
		for (const secret of [SECRET, emulator.keys.all, emulator.tokens.all])
			expect(n8n.log).not.toContain(secret);
	});

	type Data = { apiKey?: string; baseUrl?: string };

	const given = (data: Data = {}) => ({
		apiKey: emulator.keys.all,
		baseUrl: emulator.url,
		...data,
	});

	const redirect = (): Fault => ({
		kind: 'status',
		status: 307,
		times: Infinity,
		location: `${stranger.url}/agents/`,
	});

	it('may only read, and passes its test', async () => {
		const { status } = await n8n.testCredential(given({ apiKey: emulator.keys.read }));
		expect(status).toBe('OK');
	});

	it.each<[what: string, data: () => Data, message: RegExp, fault?: () => Fault]>([
		['a key of another service', () => ({ apiKey: `sk_${SECRET}` }), /begin with yk_/],
		['a wrong key', () => ({ apiKey: `yk_${SECRET}` }), /did not accept this key.*\(401/s],
		[
			'a key that may not read',
			() => ({ apiKey: emulator.keys.writeCalls }),
			/may not read data.*\(403/s,
		],
		['a base URL without /v1', () => ({ baseUrl: emulator.origin }), /'Base URL'/],
		['a server that is not there', () => ({ baseUrl: 'http://127.0.0.1:9/v1' }), /no answer/i],
		['a web page', () => ({}), /not the YK Voice API/, () => ({ kind: 'html' })],
		[
			'an address with nothing',
			() => ({}),
			/\(404\).*nothing at this address/s,
			() => ({ kind: 'status', status: 404, body: 'No' }),
		],
		['a redirect', () => ({}), /redirects to another address/, redirect],
	])('is told in its test of %s, without a secret', async (_what, data, message, fault) => {
		if (fault) emulator.faults.add(fault());
		const answer = await n8n.testCredential(given(data()));
		expect(answer).toEqual({ status: 'Error', message: expect.stringMatching(message) });
		expect(answer.message).not.toContain(SECRET);
	});

	// Which requests of the nodes have the key: promises/keyStaysHome.
	describe('in the HTTP Request node', () => {
		/** @returns what n8n says if the node fails */
		async function request(url: string, ref: CredentialRef, type = 'ykVoiceApi') {
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

		it('its key goes to an address below the Base URL, and to no other, also by a redirect', async () => {
			const ref = await n8n.createCredential(given());
			expect(await request(`${emulator.url}/agents/`, ref)).toBeUndefined();
			expect(keysSent()).toEqual([`Bearer ${emulator.keys.all}`]);
			const refused = /only to addresses below its 'Base URL'/;
			expect(await request(`${stranger.url}/agents/`, ref)).toMatch(refused);
			emulator.faults.add(redirect());
			await request(`${emulator.url}/agents/`, ref);
			expect(emulator.requests).toHaveLength(2);
		});

		it('the keys of several accounts go nowhere, because it cannot choose one', async () => {
			const type = 'ykVoiceAccountsApi';
			const accounts = JSON.stringify({ North: emulator.keys.all, South: emulator.keys.read });
			const ref = await n8n.createCredential({ baseUrl: emulator.url, accounts }, { type });
			expect(await request(`${emulator.url}/agents/`, ref, type)).toMatch(
				/Only the YK Voice nodes can choose an account/,
			);
			expect(keysSent()).toEqual([]);
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
