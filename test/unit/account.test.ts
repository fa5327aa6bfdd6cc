import { expect, test } from 'vitest';

import { accountOf, type NodeContext } from '../../nodes/api/account.ts';

// What n8n 2.41 throws for expressions that are wrong: JavaScript names what it has read.
test.each([
	["Expression evaluation failed: Unexpected identifier 'yk_live_secret'", 'ExpressionError'],
	['Invalid regular expression: /(yk_live_secret/: Unterminated group', 'SyntaxError'],
])('the error of an expression shows nothing of it [P16]: %s', async (message, name) => {
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

test('of many tokens, the first and those of the last three renewals are removed [P228]', async () => {
	const tokens = Array.from({ length: 6 }, (_, at) => `token-${at}-`.padEnd(40, 'abcdefgh'[at]));
	let now = 0;
	const context = {
		getCredentials: async () =>
			await Promise.resolve({
				...{ baseUrl: 'https://host.example/v1', grantType: 'clientCredentials' },
				oauthTokenData: { access_token: tokens[now] },
			}),
		getNode: () => ({ name: 'YK Voice' }),
	} as unknown as NodeContext;
	const { conceal } = await accountOf(context, 'oAuth2', { itemIndex: 0 });
	for (now = 0; now < tokens.length - 1; now++) await conceal('');
	const told = await conceal([...tokens]);
	expect(told.map((text, at) => text === tokens[at])).toEqual([
		false,
		true,
		true,
		false,
		false,
		false,
	]);
});
