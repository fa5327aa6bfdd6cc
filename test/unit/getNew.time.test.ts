import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import type { Api } from '../../nodes/api/session.ts';
import { readNew } from '../../nodes/watching/getNew.ts';
import { MINUTE } from '../../nodes/time.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

it('a client whose list does not end within five minutes fails, so that the next execution may begin [P223]', async () => {
	let id = 0;
	const send = async () => {
		vi.setSystemTime(Date.now() + MINUTE);
		const created_at = new Date().toISOString();
		const data = Array.from({ length: 2 }, () => ({ id: (id += 1), created_at }));
		return await Promise.resolve({ data: id > 2 ? [{ id: id - 2, created_at }, ...data] : data });
	};
	const remember = {
		isKept: true,
		update: async <T>(_kept: object, work: (state: unknown) => Promise<{ result: T }>) =>
			(await work(undefined)).result,
	};
	const given = { api: { send } as unknown as Api, remember: remember as never, tell: () => {} };
	const chosen = {
		firstRun: 'skip',
		filters: {},
		options: { executionLimit: 500, lookBack: 3 },
	} as const;
	const list = { path: '/orders', judge: (item: object) => ({ item: item as never }) };
	await expect(readNew('order', list, chosen, given)).rejects.toThrow('not enough time');
});
