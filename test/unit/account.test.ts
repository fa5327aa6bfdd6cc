import { expect, test } from 'vitest';

import { accountOf, type NodeContext } from '../../nodes/api/account.ts';

// What n8n 2.41 throws for expressions that are wrong: JavaScript names what it has read.
test.each([
	["Expression evaluation failed: Unexpected identifier 'yk_live_secret'", 'ExpressionError'],
	['Invalid regular expression: /(yk_live_secret/: Unterminated group', 'SyntaxError'],
])('the error of an expression shows nothing of it: %s', async (message, name) => {
	const context = {
		getCredentials: async () => await Promise.reject(Object.assign(new Error(message), { name })),
		getNode: () => ({ name: 'YK Voice' }),
	} as unknown as NodeContext;
	for (const use of [{ itemIndex: 0 }, { advice: 'Enter a key.' }]) {
		const error = await accountOf(context, 'apiKey', use).catch((thrown: unknown) => thrown);
		expect(String((error as Error).message)).toMatch(/^The credential /);
		expect(JSON.stringify([error, String(error), (error as Error).stack])).not.toContain('secret');
	}
});

const contextOf = (read: () => object) =>
	({
		getCredentials: async () =>
			await Promise.resolve({ baseUrl: 'https://a.example/v1', ...read() }),
		getNode: () => ({ name: 'YK Voice' }),
	}) as unknown as NodeContext;

test('the key and its form in a web address are removed from the text of an error', async () => {
	const apiKey = 'yk_live_S3cr3t/K"ey+0123';
	const { conceal } = await accountOf(
		contextOf(() => ({ apiKey })),
		'apiKey',
		{ itemIndex: 0 },
	);
	const text = `Bearer ${apiKey} at /v1?key=${encodeURIComponent(apiKey)}, ${apiKey}${apiKey}!`;
	expect(conceal(text)).toBe('Bearer [secret] at /v1?key=[secret], [secret][secret]!');
	expect(conceal('A key begins with yk_')).toBe('A key begins with yk_');
});

test('with OAuth2 these are the client secret and all tokens, also those of before a renewal', async () => {
	const tokens = { access_token: 'access-1', refresh_token: 'refresh-1' };
	const read = () => ({ clientSecret: 'client', oauthTokenData: { ...tokens } });
	const account = await accountOf(contextOf(read), 'oAuth2', { itemIndex: 0 });
	Object.assign(tokens, { access_token: 'access-1-2', refresh_token: 'refresh-2' });
	await account.readSecrets();
	expect(account.conceal('access-1-2 access-1 refresh-1 refresh-2 client')).toBe(
		Array(5).fill('[secret]').join(' '),
	);
});
