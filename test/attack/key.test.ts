import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';

import { logged, sent } from '../faults/watch.ts';
import { loadPackage, type Credentials } from '../support/harness.ts';
import { attack, credentialsFor, KEY, some, tokensFor, tryEach, whereIsKey } from './attack.ts';
import { authenticate, pollerFor, testCredential, WAYS } from './hosts.ts';
import { answerWith, isList, record, send, serverForTests, tame, type Answer } from './server.ts';
import { TRIGGERS, USUAL } from './targets.ts';

const api = serverForTests();
/** A server that must not get the key. */
const stranger = serverForTests('127.0.0.2');

afterEach(
	() => void expect(whereIsKey(stranger.asked), 'the stranger has the key').toBeUndefined(),
);

/** A way of each kind. */
const FEW = WAYS.filter(({ name }) =>
	/test of|apiRequest|playground|catalogue.delete|mapItem|searchAgents|event newCall/.test(name),
);

const ACCOUNTS: ReadonlyArray<readonly [string, (baseUrl: string) => Credentials]> = [
	['an API key', credentialsFor],
	['an OAuth2 token', tokensFor],
];

/** Ways to write the address of another server. */
const ADDRESSES: Readonly<Record<string, (stranger: URL, own: URL) => string>> = {
	absolute: ({ origin }) => `${origin}/v1/agents/`,
	'without a scheme': ({ host }) => `//${host}/v1/agents/`,
	'with a name and a password': ({ host }) => `http://user:pass@${host}/v1/agents/`,
	'with our host as a name': ({ host }, own) => `http://${own.hostname}@${host}/v1/agents/`,
	'with backslashes': ({ host }) => `\\\\${host}\\v1\\agents\\`,
	'with a tab in it': ({ host }) => `/\t/${host}/v1/agents/`,
	'of another port': ({ port }, own) => `http://${own.hostname}:${port}/v1/agents/`,
	'of another scheme': (_stranger, own) => `https://${own.host}/v1/agents/`,
	'in capitals': ({ host }) => `HTTP://${host.toUpperCase()}/v1/agents/`,
};

describe.each(ACCOUNTS)('%s does not follow a redirect [P10]', (_name, credentials) => {
	const redirect =
		(status: number, location: string): Answer =>
		(_asked, response) =>
			send(response, '', status, { location });

	it.each([301, 302, 303, 307, 308])('(%i), whatever sends it [P10]', async (status) => {
		api.answer = redirect(status, `${stranger.origin}/v1/agents/`);
		for (const { name, go } of status === 302 ? WAYS : FEW) {
			await go(api, credentials(api.url)).catch(() => {});
			expect(stranger.asked.length, name).toBe(0);
		}
	});

	it.each(Object.entries(ADDRESSES))('to an address that is %s', async (_how, addressOf) => {
		api.answer = redirect(307, addressOf(new URL(stranger.origin), new URL(api.origin)));
		for (const { name, go } of FEW) {
			await go(api, credentials(api.url)).catch(() => {});
			expect(stranger.asked.length, name).toBe(0);
		}
	});

	it('after one that it may follow', async () => {
		api.answer = ({ path }, response) =>
			send(response, '', 307, {
				location: path.endsWith('/') ? stranger.url : `${api.origin}${path}/`,
			});
		for (const { name, go } of FEW) {
			await go(api, credentials(api.url)).catch(() => {});
			expect(stranger.asked.length, name).toBe(0);
		}
	});
});

describe("the test of a credential does not say that it works if the API's answer is a redirect", () => {
	it.each(ACCOUNTS)('%s', async (_name, credentials) => {
		api.answer = (_asked, response) => send(response, '', 302, { location: stranger.url });
		await expect(testCredential(credentials(api.url))).rejects.toThrow();
	});
});

describe('the test of an API key', () => {
	const said = async () => {
		const before = logged.length;
		const message = await testCredential(credentialsFor(api.url)).then(
			() => 'OK',
			({ message: text }: Error) => text,
		);
		expect(whereIsKey({ message, lines: logged.slice(before) })).toBeUndefined();
		return message;
	};

	it('works with the API, also if only the slash at the end differs', async () => {
		api.answer = (_asked, response) => send(response, { ok: true, data: [] });
		expect(await said()).toBe('OK');
		api.answer = (asked, response) =>
			asked.path.endsWith('/')
				? send(response, '', 301, { location: asked.path.slice(0, -1) })
				: send(response, { ok: true, data: [] });
		expect(await said()).toBe('OK');
	});

	it.each([200, 401, 403, 404, 418, 500])(
		'does not show the key that an answer with %d repeats [P16]',
		async (status) => {
			api.answer = ({ headers: { authorization: token = '' } }, response) => {
				response.statusMessage = `Bad ${token}`;
				send(response, { ok: false, error: { code: token, message: token } }, status);
			};
			expect(await said()).not.toBe('OK');
		},
	);

	it('reads no answer that is too long or too deep [P38]', async () => {
		const zipped = gzipSync(`{"ok":true,"data":[${'[],'.repeat(6_000_000)}[]]}`);
		api.answer = (_asked, response) => {
			response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'application/json' });
			response.end(zipped);
		};
		expect(await said()).toMatch(/not the YK Voice API/);
	});
});

describe("n8n's HTTP Request node with this credential", async () => {
	const pack = await loadPackage();
	const data = (baseUrl: string) => ({ apiKey: KEY, baseUrl });

	it.each(['Host', 'HOST ', 'x-forwarded-host', 'X-Original-URL'])(
		'does not send the key to the site that the header %s names [P12]',
		async (name) => {
			const request = { url: '/agents/', headers: { [name]: 'evil.example' } };
			const asked = authenticate(pack, 'ykVoiceApi', data(api.url), request);
			await expect(asked).rejects.toThrow(/Nothing was sent/);
		},
	);

	it.each([
		'http://127.0.0.2/v1/agents/',
		'//127.0.0.2/x',
		'http://127.0.0.1:1/v1',
		'HTTPS://x.example',
	])('does not send the key to %s [P12]', async (url) => {
		const request = { url, headers: {} };
		const sendable = await authenticate(
			pack,
			'ykVoiceApi',
			data('http://127.0.0.1:5678/v1'),
			request,
		).catch(() => ({}));
		expect(whereIsKey(sendable)).toBeUndefined();
	});

	it('does not send the key where a redirect leads [P12]', async () => {
		const request = { url: `${api.url}/agents/`, headers: {} };
		const { sendCredentialsOnCrossOriginRedirect: sendsOn, disableFollowRedirect: stays } =
			await authenticate(pack, 'ykVoiceApi', data(api.url), request);
		expect(sendsOn === false || stays === true).toBe(true);
	});

	// n8n itself sends an OAuth2 token, so only the list of allowed domains can say where to.
	it('is not allowed at first for OAuth2 [P13]', () => {
		const { properties } = pack.credentialTypes.ykVoiceOAuth2Api!;
		const field = properties.find(({ name }) => name === 'allowedHttpRequestDomains');
		expect(field?.default).toBe('none');
	});
});

describe('a credential that is filled in wrongly shows nothing of what it holds [P16]', () => {
	const PASSWORD = KEY.slice(8);
	const WRONG: ReadonlyArray<readonly [string, unknown, unknown]> = [
		['key and Base URL are swapped', KEY, 'http://127.0.0.1/v1'],
		['both fields hold the key', KEY, KEY],
		['the key stands in the path of the Base URL', `http://127.0.0.1/${KEY}`, KEY],
		['the key stands before the end of the Base URL', `ftp://127.0.0.1/${KEY}/v1`, KEY],
		['the key stands in its query', `http://127.0.0.1/v1?key=${KEY}`, KEY],
		['the key stands in its fragment', `http://127.0.0.1/v1#${KEY}`, KEY],
		['the Base URL has a password', `http://user:${PASSWORD}@127.0.0.1/v1`, KEY],
		['the Base URL has only a name', `http://${PASSWORD}@127.0.0.1/v1`, KEY],
		['the key is the host', `http://${KEY}/v1`, 'yk_another'],
		['the port is no number', `http://127.0.0.1:${KEY}/v1`, KEY],
		['the Base URL has spaces', `http://127.0.0.1/ ${KEY}/v1`, KEY],
		['the Base URL is a list', [KEY], KEY],
		['the key has a line break', 'http://127.0.0.1:9/v1', `${KEY}\r\nX-Evil: 1`],
		['the key holds a character that no header has', 'http://127.0.0.1:9/v1', `${KEY}\u2713`],
		['the key begins otherwise', 'http://127.0.0.1:9/v1', `Bearer ${KEY}`],
	];

	it.each(WRONG)('%s [P16]', async (_what, baseUrl, apiKey) => {
		const credentials = credentialsFor(baseUrl, apiKey);
		for (const onError of ['stopWorkflow', 'continueErrorOutput'] as const) {
			const { messages } = await attack(api, { operation: 'contact.getAll', credentials, onError });
			expect(messages.length).toBeGreaterThan(0);
		}
		for (const { go } of FEW) {
			const before = logged.length;
			const thrown: unknown = await go(api, credentials).catch((error: unknown) => error);
			expect(whereIsKey({ thrown, lines: logged.slice(before) })).toBeUndefined();
		}
	});

	it.each([
		...['https:/api.voice.example/v1', 'https:api.voice.example/v1', 'http:/127.0.0.1/v1'],
		...['https:///api.voice.example/v1', 'http://api.voice.example/v1', 'http://93.184.216.34/v1'],
		...['javascript:alert(1)/v1', 'file:///etc/v1', 'https://user@api.voice.example/v1'],
		...['https://api.voice.example\\@127.0.0.2/v1', 'https://127.0.0.2#@api.voice.example/v1'],
	])('nothing is sent with the Base URL %s', async (baseUrl) => {
		for (const { name, go } of FEW) {
			const before = sent.length;
			await go(api, credentialsFor(baseUrl)).catch(() => {});
			expect(sent.slice(before), name).toEqual([]);
		}
	});
});

/** Answers that hold the key, which the server knows from the request. */
const ECHOES: Readonly<Record<string, Answer>> = {
	'each field of a record': answerWith(({ path }) => ({
		...Object.fromEntries(Object.keys(record(path)).map((name) => [name, `my key: ${KEY}`])),
		...{ id: record(path).id, created_at: record(path).created_at, [KEY]: { [KEY]: [KEY] } },
	})),
	'each text of a transcript and a summary': answerWith(({ path }) =>
		record(path, {
			...{ summary: KEY, prompt_instructions: KEY, line_items: [{ sku: KEY, name: KEY }] },
			...{ transcript: [{ role: KEY, text: KEY, time: KEY }], custom_fields: [{ name: KEY }] },
		}),
	),
	'its headers': (asked, response) =>
		send(response, { ok: true, data: isList(asked) ? [asked.headers] : asked.headers }),
	'the end of an answer that is cut off': (_asked, response) => {
		response.writeHead(200, { 'content-length': '9999', 'x-echo': KEY }).write(`{"data":"${KEY}`);
		setTimeout(() => response.destroy(), 5);
	},
	'the words of its status': (_asked, response) =>
		void response.writeHead(500, `no ${KEY}`, { 'set-cookie': KEY, 'retry-after': KEY }).end(KEY),
	'a code, a message and details': (_asked, response) =>
		send(
			response,
			{ ok: false, error: { code: KEY, message: KEY, details: { [KEY]: [KEY] } } },
			400,
		),
	'its content type': (_asked, response) =>
		send(response, KEY, 200, { 'content-type': `a/${KEY}` }),
	'an address to go to': ({ path }, response) =>
		send(response, '', 302, { location: `http://127.0.0.2:9${path}?key=${KEY}` }),
	'names of groups': (_asked, response) =>
		send(response, { ok: true, data: { [KEY]: [record('')] } }),
	'its meta': (asked, response) =>
		send(response, { ok: true, data: isList(asked) ? [] : {}, meta: { [KEY]: KEY } }),
};

describe('an answer with the key [P17] in', () => {
	it.each(Object.entries(ECHOES))('%s leaves nothing of it [P11] [P16]', async (_where, answer) => {
		api.answer = answer;
		const at = Object.values(ECHOES).indexOf(answer);
		const isRecord = at === 0;
		const targets = isRecord ? USUAL : some(USUAL, at, 10);
		await tryEach(
			targets,
			({ operation }) => operation,
			async (target) => await attack(api, target),
		);
		for (const parameters of isRecord ? TRIGGERS : some(TRIGGERS, at, 4)) {
			const poller = pollerFor(api, { parameters });
			api.answer = tame;
			await poller.activate().catch(() => {});
			api.answer = answer;
			if (poller.isActive) await poller.tick();
			const { errors, items, warnings, known } = poller;
			expect(
				whereIsKey({ errors, items, warnings, known }),
				String(parameters.event),
			).toBeUndefined();
		}
	});

	it.each([502, 400, 200])('a page (%i), wherever it is cut', async (status) => {
		const places = Array.from({ length: 20 }, (_, at) => at * 27);
		for (const at of [...places, 990, 1980, 4080, 9980]) {
			for (const body of [`${'x'.repeat(at)}${KEY}`, `<p>${'x '.repeat(at / 2)}<b>${KEY}</b>`]) {
				api.answer = (_asked, response) =>
					send(response, body, status, { 'content-type': 'text/html' });
				await attack(api, { operation: 'usage.get' });
			}
		}
	});

	it.each(['code', 'message', 'details'])(
		'the %s of an error, wherever it is cut',
		async (field) => {
			for (let at = 0; at < 2200; at += 111) {
				const error = { code: 'A', message: 'B', [field]: `${'x'.repeat(at)}${KEY}` };
				api.answer = (_asked, response) => send(response, { ok: false, error }, 400);
				await attack(api, { operation: 'usage.get' });
			}
		},
	);

	it('the name of a file that joins its pieces, with other characters between them [P19]', async () => {
		const key = 'yk_live_7Hq2vZp9_Lm4Xc8Nb_1Sd6Fg3J';
		const disposition = `attachment; filename="${key.replaceAll('_', ':')}.mp3"`;
		api.answer = (_asked, response) =>
			send(response, 'ID3', 200, { 'content-disposition': disposition });
		const { outputs } = await attack(api, {
			operation: 'apiRequest.send',
			parameters: { method: 'GET', path: '/preview', response: 'file' },
			credentials: credentialsFor(api.url, key),
		});
		expect(outputs.flat()[0]?.binary?.data?.fileName).toBe('[secret].mp3');
		expect(JSON.stringify(outputs)).not.toContain('7Hq2vZp9');
	});
});
