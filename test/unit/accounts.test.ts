import { describe, expect, it, test, vi } from 'vitest';

import { accountsWatcher } from '../../nodes/trigger/accounts.ts';
import { FullRecord } from '../../nodes/domain/simplify.ts';
import { DAY, MINUTE } from '../../nodes/time.ts';
import { OutOfTimeError, type PollResult } from '../../nodes/watching/watcher.ts';

// How one poll reads many accounts. What comes of it in the course of time: poll.test.ts.

/** What the watcher of an account finds if it may return so many records. */
type Poll = (limit: number) => Partial<PollResult>;

/** An account with so many new records. */
const has =
	(count: number): Poll =>
	(limit) => ({
		records: Array.from({ length: Math.min(count, limit) }, (_, id) => new FullRecord({ id })),
	});

/** Watches accounts, by their names. */
const watching = (polls: Record<string, Poll>, limit = 500, notChosen: string[] = []) =>
	accountsWatcher({
		chosen: Object.keys(polls),
		known: new Map([...Object.keys(polls), ...notChosen].map((name) => [name, {}])),
		limit,
		deadline: Infinity,
		isStarting: false,
		watch: (name, share) => ({
			async poll(state) {
				const isBeginning = state === undefined;
				const found = { state: {}, records: [], notices: [], isBeginning, ...polls[name]!(share) };
				return await Promise.resolve(found);
			},
			sample: async () => await Promise.resolve(undefined),
		}),
	});

const entriesOf = ({ state }: PollResult) =>
	(state as { accounts: Record<string, { state?: object; turn?: string }> }).accounts;

/** Stored entries of accounts that have begun. */
const begun = (...names: string[]) => ({
	accounts: Object.fromEntries(names.map((name) => [name, { state: {} }])),
});

/** How many records came of each account. */
const countsOf = ({ records: all }: PollResult) => {
	const counts: Record<string, number> = {};
	for (const { account } of all) counts[String(account)] = (counts[String(account)] ?? 0) + 1;
	return counts;
};

test('Limit per Poll is shared fairly, and what some do not need is for others in the next poll', async () => {
	const polls = { busy: has(100), quiet: has(1), calm: has(0), crowded: has(100) };
	const first = await watching(polls, 40).poll(begun(...Object.keys(polls)));
	expect(countsOf(first)).toEqual({ busy: 10, quiet: 1, crowded: 10 });
	const next = await watching(polls, 40).poll(first.state);
	expect(countsOf(next)).toEqual({ busy: 19, quiet: 1, crowded: 20 });
});

test('a long notice is shown to its end', async () => {
	const notices = [`${'The API says: '.repeat(100)}the end.`];
	const found = await watching({ one: () => ({ notices }), other: () => ({ notices }) }).poll();
	expect(found.notices).toEqual([`one, other: ${notices[0]}`]);
});

test('an account that always runs out of time does not always come first', async () => {
	const late = () => {
		throw new OutOfTimeError('There was not enough time');
	};
	const first = await watching({ late, other: has(0) }).poll(begun('late', 'other'));
	const next = await watching({ late, other: has(0) }).poll(first.state);
	expect([first, next].map((found) => entriesOf(found).late?.turn)).toEqual(['first', 'last']);
});

describe('what is stored', () => {
	it('of an account that is gone stays for 30 days, and the user is told once', async () => {
		vi.useFakeTimers({ toFake: ['Date'], now: DAY });
		const polls = { here: has(0) };
		const first = await watching(polls).poll(begun('here', 'gone 1', 'gone 2'));
		expect(first).toMatchObject({ isNews: true });
		expect(first.notices).toEqual([
			expect.stringMatching(/^gone 1, gone 2: .*no account of this name/),
		]);
		vi.setSystemTime(31 * DAY);
		const kept = await watching(polls).poll(first.state);
		expect(kept).toMatchObject({ notices: [], isNews: false });
		expect(Object.keys(entriesOf(kept))).toEqual(['here', 'gone 1', 'gone 2']);
		vi.setSystemTime(31 * DAY + MINUTE);
		expect(Object.keys(entriesOf(await watching(polls).poll(kept.state)))).toEqual(['here']);
		vi.useRealTimers();
	});

	it('of an account that is no longer chosen stays without a word', async () => {
		const found = await watching({ here: has(0) }, 500, ['other']).poll(begun('here', 'other'));
		expect(found.notices).toEqual([]);
		expect(entriesOf(found).other).toMatchObject({ state: {} });
	});

	it('has 1,000,000 characters: what does not fit waits and is named, and the others go on', async () => {
		const large =
			(count: number): Poll =>
			() => ({ state: { is: 'x'.repeat(count) }, records: [new FullRecord({ id: 1 })] });
		const polls = { small: large(10), first: large(700_000), second: large(400_000) };
		const found = await watching(polls).poll(begun('small', 'first', 'second'));
		expect(countsOf(found)).toEqual({ small: 1, first: 1 });
		expect(found.notices).toEqual([expect.stringMatching(/^second: .*does not fit/)]);
		expect(entriesOf(found).second?.state).toEqual({});
	});

	it('is of 200 accounts: the others are named', async () => {
		const polls = Object.fromEntries(Array.from({ length: 202 }, (_, at) => [`A${at}`, has(1)]));
		const found = await watching(polls).poll(begun(...Object.keys(polls)));
		expect(Object.keys(countsOf(found))).toHaveLength(200);
		expect(found.notices).toEqual([expect.stringMatching(/^A200, A201: .*up to 200 accounts/)]);
		expect((await watching(polls).poll(found.state)).notices).toEqual([]);
	});
});

it('a notice of several accounts comes once, with their names', async () => {
	const notice = () => ({ notices: ['Records were left out.'] });
	const found = await watching({ 'A 1': notice, 'A 2': notice }).poll();
	expect(found.notices).toEqual(['A 1, A 2: Records were left out.']);
});
