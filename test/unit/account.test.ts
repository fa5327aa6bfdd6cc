import { expect, test } from 'vitest';

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

// That the key and the tokens stand in no message: promises/keyStaysHome.
test.each(['South Pizza', '  South Pizza\n', 'South\u00a0Pizza'])(
	'the account %j is found, hands over no other key, and conceals all of them',
	async (name) => {
		const accounts = { 'North & Sons': 'yk_north', 'South Pizza': 'yk_south' };
		const context = contextOf(() => ({ accounts, apiKey: 'yk_own' }));
		const account = await accountOf(context, 'apiKey', { ...USE, account: name });
		expect(account).toMatchObject({ name: 'South Pizza', fields: { apiKey: 'yk_south' } });
		expect(JSON.stringify(account)).not.toMatch(/yk_north|yk_own/);
		expect(account.conceal('yk_north yk_south yk_own')).toBe('[secret] [secret] [secret]');
	},
);
