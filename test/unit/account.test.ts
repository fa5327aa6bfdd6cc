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
