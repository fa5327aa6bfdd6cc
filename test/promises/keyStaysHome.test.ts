import { createRequire } from 'node:module';
import { inspect } from 'node:util';
import type { INodeParameters } from 'n8n-workflow';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { credentials as keyCredential, oAuth2, run } from '../support/account.ts';
import {
	authenticationOf,
	loadOptions,
	loadPackage,
	testCredential,
	type Credentials,
} from '../support/harness.ts';
import { workflow as n8n } from '../support/n8n.ts';
import { Poller } from '../support/poller.ts';
import { locator } from '../support/samples.ts';
import {
	apiForTests,
	ID,
	KEY,
	send,
	serverForTests,
	tame,
	type Answer,
	type Asked,
} from '../support/server.ts';
import { targetOf, TARGETS, TRIGGERS, tryEach } from './all.ts';

const api = apiForTests();
/** A server that must not get the key. */
const stranger = serverForTests('127.0.0.2');
/** The server of OAuth2 tokens. */
const login = serverForTests();

const { nodeTypes } = await loadPackage();

/** What was logged. n8n logs in two ways: the engine by LoggerProxy, a node's context by the Logger service. */
const logged: unknown[][] = [];
const note = (...said: unknown[]) => void logged.push(said);
const LEVELS = ['error', 'warn', 'info', 'debug', 'verbose'];
const recorder = Object.fromEntries(LEVELS.map((level) => [level, note]));
n8n.LoggerProxy.init(recorder as never);
const fromCore = createRequire(createRequire(import.meta.url).resolve('n8n-core'));
const { Container } = fromCore('@n8n/di') as { Container: { get(type: unknown): object } };
const { Logger } = fromCore('@n8n/backend-common') as { Logger: unknown };
Object.assign(Container.get(Logger), recorder);

// Bytes are shown as text here: an error may hold an answer that was not read.
const usualBytes = Object.getOwnPropertyDescriptor(Buffer.prototype, inspect.custom)!;
beforeAll(() => {
	function value(this: Buffer) {
		return this.toString('latin1');
	}
	Object.defineProperty(Buffer.prototype, inspect.custom, { ...usualBytes, value });
});
afterAll(() => void Object.defineProperty(Buffer.prototype, inspect.custom, usualBytes));

/** A text that was cut in the middle of a secret holds one of its pieces. */
const piecesOf = (secret: string) =>
	Array.from({ length: secret.length / 8 }, (_, at) => secret.slice(at * 8, at * 8 + 8));

/**
 * Nothing that the user sees or n8n saves or logs has a piece of the secrets. It also looks where JSON does not: into
 * causes and properties that are not enumerable.
 */
function expectHidden(held: unknown, secrets = [KEY]): void {
	const all = { depth: Infinity, showHidden: true, maxArrayLength: null, maxStringLength: null };
	const text = inspect({ held, logged: logged.splice(0) }, all);
	const pieces = secrets.flatMap((secret) =>
		[secret, encodeURIComponent(secret)].flatMap(piecesOf),
	);
	const found = pieces.filter((piece) => piece !== 'yk_live_' && text.includes(piece));
	expect(found, 'pieces of the key').toEqual([]);
}

const methodsOf = (type: string) =>
	Object.entries(nodeTypes.getByNameAndVersion(type, 1).methods ?? {}).flatMap(([kind, methods]) =>
		Object.keys(methods).map((name) => ({ type, kind, name })),
	);

/** Parameters that are filled in when the editor asks for its lists. */
const FILLED: INodeParameters = {
	resource: 'agentTool',
	operation: 'update',
	tool: 'make-reservation',
	path: '/x',
	agent_id: locator(ID),
	contact: locator(ID),
	event_id: locator(ID),
	item_id: locator(ID),
	catalogue_id: locator(ID),
	contact_list_id: locator(ID),
	options: {},
};

/** Sends what it sends. Gives or throws what the user gets. */
type Way = readonly [name: string, go: (credentials: Credentials) => Promise<unknown>];

/** Every way in which the key leaves n8n: each operation, event and list, and the test of a credential. */
const WAYS: Way[] = [
	['the test of the credential', testCredential],
	...TARGETS.map((target): Way => [
		target[0],
		async (credentials) => await run(...target, { credentials }),
	]),
	...[...methodsOf('ykVoice'), ...methodsOf('ykVoiceTrigger')].map(({ type, kind, name }): Way => [
		`${type} ${name}`,
		async (credentials) => {
			const authentication = authenticationOf(credentials);
			const parameters = { ...FILLED, authentication };
			return await loadOptions(kind as 'listSearch', name, { type, credentials, parameters });
		},
	]),
	...TRIGGERS.map(([event, parameters]): Way => [
		`the event ${event}`,
		async (credentials) => await new Poller({ parameters, credentials }).activate(),
	]),
];

/** A way of each kind. */
const FEW = WAYS.filter(([name]) =>
	/test of|apiRequest|makeTestCall|catalogue.delete|mapItem|searchAgents|event newCall$/.test(name),
);

const outcomeOf = async ([, go]: Way, credentials: Credentials) =>
	await go(credentials).catch((error: unknown) => error);

const ACCOUNTS: ReadonlyArray<readonly [string, () => Credentials, Way[]]> = [
	['an API key', () => keyCredential(KEY, api.url), WAYS],
	['an OAuth2 token', () => oAuth2(KEY), FEW],
];

describe.each(ACCOUNTS)(
	'1. %s goes to the Base URL and nowhere else',
	(_which, credentials, ways) => {
		afterEach(() => expect(stranger.asked).toEqual([]));

		// Which addresses are no redirect within the server: unit/answer.
		it.each([301, 302, 303, 307, 308])(
			'whatever sends it, if the API redirects (%i)',
			async (status) => {
				const location = `${stranger.url}/agents/`;
				api.answer = (_asked, response) => send(response, '', status, { location });
				for (const way of status === 302 ? ways : FEW) await outcomeOf(way, credentials());
			},
		);

		it('also behind a redirect that adds a slash, which is followed', async () => {
			const withSlash =
				(answer: Answer): Answer =>
				(asked, response) =>
					asked.path.endsWith('/')
						? answer(asked, response)
						: send(response, '', 301, { location: `${asked.path}/` });
			api.answer = withSlash((_asked, response) =>
				send(response, '', 307, { location: stranger.url }),
			);
			for (const way of FEW) await outcomeOf(way, credentials());
			api.answer = withSlash(tame);
			const { error } = await run('usage.get', {}, [{}], { credentials: credentials() });
			expect(error?.message).toBeUndefined();
		});

		it('in one header, and not to the server of a file', async () => {
			await tryEach(ways, async (way) => {
				api.asked = [];
				await outcomeOf(way, credentials());
				for (const { path, headers, query, body } of api.asked) {
					const { authorization, ...others } = headers;
					expect(authorization).toBe(path.startsWith('/v1/') ? `Bearer ${KEY}` : undefined);
					expectHidden({ path, others, query: String(query), body });
				}
			});
		});
	},
);

// Which Base URLs are refused, and that no message repeats them: unit/baseUrl. Other addresses, redirects and proxies
// of the HTTP Request node: contract/credential.
it('1. The key goes to no server that an item names, if it is not one of the Specific Domains', async () => {
	const { ykVoiceApi } = keyCredential(KEY, '={{ $json.url }}');
	const limited = { allowedHttpRequestDomains: 'domains', allowedDomains: '127.0.0.1' };
	const { error } = await run('agent.getAll', {}, [{ url: stranger.url }], {
		credentials: { ykVoiceApi: { ...ykVoiceApi, ...limited } },
	});
	expect(error?.message).toBeDefined();
	expect(stranger.asked).toEqual([]);
});

const bearer = ({ headers }: Asked) => String(headers.authorization).replace('Bearer ', '');

/** Errors that repeat the key, each in another place. */
const ERRORS: Readonly<Record<string, Answer>> = {
	'a code, a message and details': (asked, response) => {
		const key = bearer(asked);
		const details = { given: key, list: [key], name: `?key=${encodeURIComponent(key)}` };
		send(response, { ok: false, error: { code: key, message: key, details } }, 400);
	},
	'the request that is refused': ({ headers, path }, response) => {
		const error = { code: 'A', message: 'B', details: [headers, path] };
		send(response, { ok: false, error }, 403);
	},
	'a page': (asked, response) =>
		send(response, `<p>no ${bearer(asked)}</p>`, 500, { 'content-type': 'text/html' }),
	'the words of its status': (asked, response) => {
		const key = bearer(asked);
		response.writeHead(418, `no ${key}`, { 'set-cookie': key, 'retry-after': key }).end(key);
	},
	'its content type': (asked, response) =>
		send(response, 'no', 200, { 'content-type': `a/${bearer(asked)}` }),
	'an address to go to': (asked, response) => {
		const location = `http://127.0.0.2:9${asked.path}?key=${bearer(asked)}`;
		send(response, '', 302, { location });
	},
};

describe.each(ACCOUNTS)('1. %s stands in no message', (_which, credentials, ways) => {
	it.each(Object.entries(ERRORS))('if the API says it in %s', async (where, answer) => {
		api.answer = answer;
		await tryEach(where.startsWith('a code') ? ways : FEW, async (way) => {
			expectHidden(await outcomeOf(way, credentials()));
		});
	});

	it('if the API breaks off in the middle of it', async () => {
		api.answer = (asked, response) => {
			response.writeHead(200, { 'content-length': '9999', 'x-echo': bearer(asked) });
			response.write(`{"ok":true,"data":"${bearer(asked)}`, () => response.destroy());
		};
		expectHidden(await run('usage.get', {}, [{}], { credentials: credentials() }));
	});

	it('in the item of a failure', async () => {
		for (const answer of Object.values(ERRORS)) {
			api.answer = answer;
			for (const onError of ['continueRegularOutput', 'continueErrorOutput'] as const) {
				const rest = { credentials: credentials(), node: { onError } };
				const result = await run(...targetOf('call.get'), rest);
				expect(result.messages.length).toBeGreaterThan(0);
				expectHidden(result);
			}
		}
	});

	it('wherever a long text is cut', async () => {
		for (let at = 0; at < 2200; at += 37) {
			const text = `${'x'.repeat(at)}${KEY}`;
			const asked = { code: 'A', message: text, details: text };
			api.answer = (_asked, response) =>
				at % 2 ? send(response, { ok: false, error: asked }, 400) : send(response, text, 502);
			expectHidden(await run('usage.get', {}, [{}], { credentials: credentials() }));
		}
	});
});

it('1. An expression of the credential that fails stands in no message', async () => {
	const credentials = keyCredential(`={{ new RegExp("(${KEY}") }}`, api.url);
	for (const way of FEW) {
		const outcome = await outcomeOf(way, credentials);
		expect(inspect(outcome)).toMatch(/holds an expression|'API Key' must/);
		expectHidden(outcome);
	}
});

describe('1. An OAuth2 token that is renewed stands in no message', () => {
	const OLD = { access_token: 'access-old+5f0c', refresh_token: 'refresh-old/3b1e' };
	const NEW = { access_token: 'access-new+77aa', refresh_token: 'refresh-new/1188' };
	const CLIENT = 'client-secret+91d2';
	const SECRETS = [...Object.values(OLD), ...Object.values(NEW), CLIENT];

	const credentials = () =>
		oAuth2('', {
			clientSecret: CLIENT,
			scope: 'agents:read',
			grantType: 'authorizationCode',
			authentication: 'header',
			accessTokenUrl: `${login.origin}/token`,
			authUrl: `${login.origin}/authorize`,
			oauthTokenData: { ...OLD, token_type: 'Bearer' },
		});

	const secrets = SECRETS.join(' ');
	it.each<[how: string, answer: Answer]>([
		[
			'works',
			(_asked, response) => send(response, { ...NEW, token_type: 'Bearer', expires_in: 3600 }),
		],
		[
			'is refused',
			(_asked, response) =>
				send(response, { error: 'invalid_grant', error_description: secrets }, 400),
		],
		['is answered with a page', (_asked, response) => void response.end(`<p>${secrets}</p>`)],
		['is not answered', (_asked, response) => void response.destroy()],
	])('where the renewal %s', async (_how, answer) => {
		login.answer = answer;
		api.answer = (asked, response) => {
			const isNew = bearer(asked) === NEW.access_token;
			const error = { code: 'DENIED', message: `no ${bearer(asked)}`, details: asked.headers };
			send(response, { ok: false, error }, isNew ? 403 : 401);
		};
		const result = await run('usage.get', {}, [{}], { credentials: credentials() });
		expect(result.error?.message).toMatch(/access token|No answer/);
		expect(login.asked.length).toBeGreaterThan(0);
		expectHidden({ ...result, run: JSON.stringify(result.run) }, SECRETS);
	});
});
