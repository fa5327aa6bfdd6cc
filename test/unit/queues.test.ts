import { getEventListeners } from 'node:events';
import type { IExecuteFunctions } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { Queues } from '../../nodes/action/queues.ts';
import type { Account } from '../../nodes/api/account.ts';

test('1,000 accounts leave no listener on an execution', async () => {
	const { signal } = new AbortController();
	const context = { getExecutionCancelSignal: () => signal, getNode: () => ({}) };
	const accounts = Array.from({ length: 1000 }, (_, at) => ({ identity: String(at) }) as Account);
	const queues = new Queues(
		context as unknown as IExecuteFunctions,
		accounts,
		{ timeout: 1000, writes: 1 },
		{ permission: 'READ' },
	);
	expect(getEventListeners(signal, 'abort')).toHaveLength(1);
	queues.close();
	expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});
