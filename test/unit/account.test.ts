import { describe, expect, test } from 'vitest';

import { accountOf, type NodeContext } from '../../nodes/api/account.ts';

/** A node whose credential has these fields, or cannot be read. */
const contextOf = (read: () => object) =>
	({
		getCredentials: async () =>
			await Promise.resolve({ baseUrl: 'https://a.example/v1', ...read() }),
		getNode: () => ({ name: 'YK Voice' }),
	}) as unknown as NodeContext;

const USE = { itemIndex: 0 };

// What n8n 2.41 throws for expressions that are wrong: JavaScript names what it has read.
test.each([
	["Expression evaluation failed: Unexpected identifier 'yk_live_secret'", 'ExpressionError'],
	['Invalid regular expression: /(yk_live_secret/: Unterminated group', 'SyntaxError'],
])('the error of an expression shows nothing of it: %s', async (message, name) => {
	const context = contextOf(() => {
		throw Object.assign(new Error(message), { name });
	});
	for (const use of [USE, { advice: 'Enter a key.' }]) {
		const error = await accountOf(context, 'apiKey', use).catch((thrown: unknown) => thrown);
		expect(String((error as Error).message)).toMatch(/^The credential /);
		expect(JSON.stringify([error, String(error), (error as Error).stack])).not.toContain('secret');
	}
});

describe('what is removed from the text of an error', () => {
	test('is the key and its form in a web address', async () => {
		const apiKey = 'yk_live_S3cr3t/K"ey+0123';
		const context = contextOf(() => ({ apiKey }));
		const { conceal } = await accountOf(context, 'apiKey', USE);
		const text = `Bearer ${apiKey} at /v1?key=${encodeURIComponent(apiKey)}, ${apiKey}${apiKey}!`;
		expect(conceal(text)).toBe('Bearer [secret] at /v1?key=[secret], [secret][secret]!');
		expect(conceal('A key begins with yk_')).toBe('A key begins with yk_');
	});

	test('with OAuth2 is the client secret and all tokens, also those of before a renewal', async () => {
		const tokens = { access_token: 'access-1', refresh_token: 'refresh-1' };
		const read = () => ({ clientSecret: 'client', oauthTokenData: { ...tokens } });
		const account = await accountOf(contextOf(read), 'oAuth2', USE);
		Object.assign(tokens, { access_token: 'access-1-2', refresh_token: 'refresh-2' });
		await account.readSecrets();
		expect(account.conceal('access-1-2 access-1 refresh-1 refresh-2 client')).toBe(
			Array(5).fill('[secret]').join(' '),
		);
	});
});

describe('the account that a node names', () => {
	const keys = { 'North & Sons': 'yk_north', 'South Pizza': 'yk_south' };
	const choose = async (account: string) =>
		await accountOf(
			contextOf(() => ({ accounts: keys, apiKey: 'yk_own' })),
			'apiKey',
			{ ...USE, account },
		);

	test.each(['South Pizza', '  South Pizza\n', 'South\u00a0Pizza'])(
		'is found: %j',
		async (name) => {
			const account = await choose(name);
			expect(account).toMatchObject({ name: 'South Pizza', fields: { apiKey: 'yk_south' } });
			// It hands over no other key, and conceals all of them.
			expect(JSON.stringify(account)).not.toMatch(/yk_north|yk_own/);
			expect(account.conceal('yk_north yk_south yk_own')).toBe('[secret] [secret] [secret]');
		},
	);
});
