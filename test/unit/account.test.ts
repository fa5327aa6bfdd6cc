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

/** An account whose credential holds these tokens, one after another. */
const withTokens = async (tokens: readonly unknown[]) => {
	const held = { now: 0 };
	const context = {
		getCredentials: async () =>
			await Promise.resolve({
				...{ baseUrl: 'https://host.example/v1', grantType: 'clientCredentials' },
				oauthTokenData: { access_token: tokens[held.now] },
			}),
		getNode: () => ({ name: 'YK Voice' }),
	} as unknown as NodeContext;
	return { held, ...(await accountOf(context, 'oAuth2', { itemIndex: 0 })) };
};

const TOKENS = Array.from({ length: 6 }, (_, at) => `token-${at}-`.padEnd(40, 'abcdefgh'[at]));

test('of many tokens, the first, those of the last three renewals and that of the request are removed [P228]', async () => {
	const { held, conceal } = await withTokens(TOKENS);
	for (held.now = 0; held.now < TOKENS.length - 1; held.now++) await conceal('');
	const kept = async (token?: string) => {
		const told = await conceal([...TOKENS], { token });
		return told.filter((text, at) => text === TOKENS[at]);
	};
	expect(await kept()).toEqual([TOKENS[1], TOKENS[2]]);
	for (const token of TOKENS) expect(await kept(token)).not.toContain(token);
});

test('with a renewal the credential is read again, also if the access token stays the same [P17]', async () => {
	const data = { access_token: 'access-token-abcdefgh', refresh_token: 'refresh-token-of-before' };
	const context = {
		getCredentials: async () =>
			await Promise.resolve({ baseUrl: 'https://host.example/v1', oauthTokenData: { ...data } }),
		getNode: () => ({ name: 'YK Voice' }),
	} as unknown as NodeContext;
	const { conceal } = await accountOf(context, 'oAuth2', { itemIndex: 0 });
	data.refresh_token = 'another-one-from-now-on';
	const asked = { token: data.access_token, isRenewed: true };
	expect(await conceal(`a ${data.refresh_token}`, asked)).toBe('a [secret]');
	expect(await conceal(`a ${data.refresh_token}`)).toBe('a [secret]');
});

test.each([{ toString: 1 }, ['a'], 'half-\ud800-a-pair', 12, null])(
	'a renewed token that is %j breaks nothing',
	async (token) => {
		const { held, conceal } = await withTokens([TOKENS[0], token]);
		held.now = 1;
		expect(await conceal(`said half-\ud800-a-pair ${TOKENS[0]}`)).toMatch(/^said .*\[secret\]$/);
	},
);
