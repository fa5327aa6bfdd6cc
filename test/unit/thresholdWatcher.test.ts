import { expect, it } from 'vitest';

import type { Api } from '../../nodes/api/session.ts';
import { thresholdWatcher } from '../../nodes/watching/thresholdWatcher.ts';

const DAY = 24 * 3600 * 1000;

/** A watcher of a value that must not fall below 10. It reads this record. */
const watching = (record: unknown, more: { periodOf?: undefined } = {}) => {
	const send = async (request: object) => {
		expect(request).toEqual({ method: 'GET', path: '/wallet' });
		return await Promise.resolve({ data: record });
	};
	const malformed = (what: string) => new Error(what);
	const api = { send, malformed } as unknown as Api;
	return thresholdWatcher(
		{ api, key: 'k', account: 'a', deadline: Infinity, limit: 500, lookBack: 0 },
		{
			path: '/wallet',
			threshold: 10,
			valueOf: ({ value }) => (typeof value === 'number' ? value : undefined),
			absent: 'there is no value',
			periodOf: ({ period = '' }) => String(period),
			item: { threshold: 10 },
			...more,
		},
	);
};

/** The numbers of the polls that start the workflow, where each poll reads one of these records. */
async function startsOf(records: object[], more = {}): Promise<number[]> {
	let state: unknown;
	const starts: number[] = [];
	for (const [poll, record] of records.entries()) {
		const found = await watching(record, more).poll(state);
		expect(found.notices).toEqual([]);
		expect(found.isBeginning ?? false).toBe(poll === 0);
		if (found.records.length > 0) starts.push(poll);
		({ state } = found);
	}
	return starts;
}

const low = (period?: number) => ({ value: 9, ...(period !== undefined && { period }) });
const HIGH = { value: 10 };

it.each<[when: string, records: object[], starts: number[]]>([
	['once when it falls below the threshold', [HIGH, low(), low(), low()], [1]],
	['not before it has risen, if it was low from the beginning', [low(), low(), HIGH, low()], [3]],
	['in another billing period, if it was low from the beginning', [low(0), low(7 * DAY)], [1]],
	['again after it has risen to the threshold', [HIGH, low(), HIGH, low(), low()], [1, 3]],
	['again in another billing period', [HIGH, low(0), low(0), low(7 * DAY), low(7 * DAY)], [1, 3]],
	['once if it does not show another period', [HIGH, low(0), low(), low(DAY)], [1]],
	['once for the period that started it', [HIGH, low(0), low(DAY), low(6 * DAY)], [1, 3]],
	['never if it does not fall', [HIGH, HIGH, HIGH], []],
])('a value starts the workflow %s', async (_when, records, starts) => {
	expect(await startsOf(records)).toEqual(starts);
});

it('a value that has no period starts the workflow once', async () => {
	expect(await startsOf([HIGH, low(0), low(7 * DAY)], { periodOf: undefined })).toEqual([1]);
});

it('its item is the record, with the threshold in front', async () => {
	const record = { currency: 'EUR', value: 9 };
	const { records } = await watching(record).poll((await watching(HIGH).poll()).state);
	expect(records.map(({ whole }) => whole)).toEqual([{ threshold: 10, ...record }]);
	expect(Object.keys(records[0]!.whole)[0]).toBe('threshold');
	expect(await watching(record).sample()).toEqual(records[0]);
});

it.each([
	['of another account', { account: 'b' }],
	['of another key', { key: 'b' }],
	['that is damaged', { fired: 'yes' }],
	['without a period', { period: undefined }],
])('a state %s begins again', async (_of, damage) => {
	const { state } = await watching(HIGH).poll();
	const found = await watching(low()).poll({ ...(state as object), ...damage });
	expect(found).toMatchObject({ isBeginning: true, records: [] });
});

it.each([{}, null, [7]])('an answer without the value is an error: %j', async (record) => {
	await expect(watching(record).poll()).rejects.toThrow('there is no value');
});
