import { describe, expect, it, onTestFinished, test, vi } from 'vitest';

import { accountsWatcher } from '../../nodes/trigger/accounts.ts';
import { FullRecord } from '../../nodes/domain/simplify.ts';
import { DAY, MINUTE } from '../../nodes/time.ts';
import { PassingError, type PollResult } from '../../nodes/watching/watcher.ts';

// How one poll reads many accounts. What comes of it in the course of time: poll.test.ts.

/** What the watcher of an account finds if it may return so many records. */
type Poll = (limit: number) => Partial<PollResult> | Promise<Partial<PollResult>>;

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
		keyOf: (name) => name.replace(' renamed', ''),
		watch: (name, share) => ({
			async poll(state) {
				const isBeginning = state === undefined;
				const found = await polls[name]!(share);
				return { state: state ?? {}, records: [], notices: [], isBeginning, ...found };
			},
			sample: async () => await Promise.resolve(undefined),
		}),
	});

const entriesOf = ({ state }: PollResult) =>
	(state as { accounts: Record<string, { state?: object }> }).accounts;

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

it.each([
	['a limit below half of the accounts', 12, 3, 100],
	['an event without a limit', 60, Infinity, 1],
])('all accounts have their turn with %s', async (_of, count, limit, each) => {
	const names = Array.from({ length: count }, (_, at) => `A${at}`);
	const polls = Object.fromEntries(names.map((name) => [name, has(each)]));
	const counts: Record<string, number> = {};
	vi.useFakeTimers({ toFake: ['Date'] });
	onTestFinished(() => void vi.useRealTimers());
	let stored: object = begun(...names);
	for (let left = count * each > limit ? 20 : 1; left > 0; left -= 1) {
		vi.advanceTimersByTime(MINUTE);
		const found = await watching(polls, limit).poll(stored);
		stored = found.state;
		for (const { account } of found.records)
			counts[String(account)] = (counts[String(account)] ?? 0) + 1;
	}
	expect(Object.keys(counts)).toHaveLength(count);
	const all = Object.values(counts);
	expect(Math.max(...all) - Math.min(...all)).toBeLessThanOrEqual(1);
});

test('a limit below the number of accounts leaves out none that has nothing new', async () => {
	const names = Array.from({ length: 30 }, (_, at) => `A${at}`);
	const quiet = Object.fromEntries(names.map((name) => [name, has(0)]));
	const first = await watching({ ...quiet, last: has(0) }, 3).poll();
	expect(Object.keys(entriesOf(first))).toEqual([...names, 'last']);
	for (const { state } of Object.values(entriesOf(first))) expect(state).toBeDefined();
	const next = await watching({ ...quiet, last: has(1) }, 3).poll(first.state);
	expect(countsOf(next)).toEqual({ last: 1 });
});

/** An account that could not be read. */
const failing =
	(error = new Error('no')): Poll =>
	() => {
		throw error;
	};

test('one account that hangs keeps one place of ten, and comes last in the next poll', async () => {
	let answer: (found: object) => void = () => {};
	const hangs: Poll = async () => await new Promise((resolve) => (answer = resolve));
	const order: string[] = [];
	const names = Array.from({ length: 30 }, (_, at) => `A${at}`);
	const note = (name: string) => () => (order.push(name), {});
	const polls = Object.fromEntries(names.map((name) => [name, note(name)]));
	const slow = watching({ hangs, ...polls }).poll(begun('hangs', ...names));
	await vi.waitFor(() => expect(order).toEqual(names));
	answer({});
	await slow;
	const late = failing(new PassingError('There was not enough time'));
	const first = await watching({ late, ...polls }).poll(begun('late', ...names));
	order.length = 0;
	const again: Poll = () => (order.push('late'), {});
	await watching({ late: again, ...polls }).poll(first.state);
	expect(order).toEqual([...names, 'late']);
});

test('what is wrong with one fails the poll, and what others have comes with the next one', async () => {
	const polls = { wrong: failing(), busy: has(2) };
	const first = await watching(polls).poll(begun('wrong', 'busy'));
	expect(first).toMatchObject({ records: [], notices: [], failed: 'wrong: no.' });
	const next = await watching(polls).poll(first.state);
	expect(countsOf(next)).toEqual({ busy: 2 });
	expect(next).not.toHaveProperty('failed');
	const well = await watching({ ...polls, wrong: has(0) }).poll(next.state);
	expect(await watching(polls).poll(well.state)).toMatchObject({ failed: 'wrong: no.' });
});

test('if none can be read, each is named', async () => {
	const polls = { 'A 1': failing(), 'A 2': failing(), 'A 3': failing(new PassingError('late')) };
	const poll = watching(polls).poll(begun(...Object.keys(polls)));
	await expect(poll).rejects.toThrow('A 1, A 2: no. A 3: late.');
	await expect(poll).rejects.toThrow(PassingError);
});

test('an account that gets another name goes on, also if it gets the old one again', async () => {
	const state = { key: 'A', seen: 7 };
	let stored: object = { accounts: { A: { state }, other: { state: {} } } };
	for (const name of ['A renamed', 'A']) {
		const found = await watching({ [name]: has(0), other: has(0) }).poll(stored);
		expect(found).not.toHaveProperty('failed');
		expect(entriesOf(found)).toEqual({ [name]: { state }, other: { state: {} } });
		stored = JSON.parse(JSON.stringify(found.state)) as object;
	}
});

describe('what is stored', () => {
	it('of an account that is gone stays for 30 days, and the user is told once', async () => {
		vi.useFakeTimers({ toFake: ['Date'], now: DAY });
		const polls = { here: has(0) };
		const first = await watching(polls).poll(begun('here', 'gone 1', 'gone 2'));
		expect(first.failed).toMatch(/^gone 1, gone 2: .*no account of this name/);
		vi.setSystemTime(31 * DAY);
		const kept = await watching(polls).poll(first.state);
		expect(kept).not.toHaveProperty('failed');
		expect(Object.keys(entriesOf(kept))).toEqual(['here', 'gone 1', 'gone 2']);
		vi.setSystemTime(31 * DAY + MINUTE);
		expect(Object.keys(entriesOf(await watching(polls).poll(kept.state)))).toEqual(['here']);
		vi.useRealTimers();
	});

	it('of an account that is no longer chosen stays without a word', async () => {
		const found = await watching({ here: has(0) }, 500, ['other']).poll(begun('here', 'other'));
		expect(found).not.toHaveProperty('failed');
		expect(entriesOf(found).other).toMatchObject({ state: {} });
	});

	it('has 1,000,000 characters: what does not fit waits and is named, and the others go on', async () => {
		const large =
			(count: number): Poll =>
			() => ({ state: { is: 'x'.repeat(count) }, records: [new FullRecord({ id: 1 })] });
		const polls = { small: large(10), first: large(700_000), second: large(400_000) };
		const told = await watching(polls).poll(begun('small', 'first', 'second'));
		expect(told.failed).toMatch(/^second: .*does not fit/);
		const found = await watching(polls).poll(told.state);
		expect(countsOf(found)).toEqual({ small: 1, first: 1 });
		expect(entriesOf(found).second?.state).toEqual({});
	});

	it('is of 200 accounts: the others are named', async () => {
		const polls = Object.fromEntries(Array.from({ length: 202 }, (_, at) => [`A${at}`, has(1)]));
		const told = await watching(polls).poll(begun(...Object.keys(polls)));
		expect(told.failed).toMatch(/^A200, A201: .*up to 200 accounts/);
		const found = await watching(polls).poll(told.state);
		expect(Object.keys(countsOf(found))).toHaveLength(200);
		expect(found).not.toHaveProperty('failed');
	});
});

test('a long notice is shown to its end', async () => {
	const notices = [`${'The API says: '.repeat(100)}the end.`];
	const polls = { one: () => ({ notices }), other: () => ({ notices }) };
	const found = await watching(polls).poll(begun('one', 'other'));
	expect(found.failed).toBe(`one, other: ${notices[0]}`);
});

it('a notice of several accounts is told once, with their names', async () => {
	const notice = () => ({ notices: ['Records were left out.'] });
	const polls = { 'A 1': notice, 'A 2': notice };
	const found = await watching(polls).poll(begun(...Object.keys(polls)));
	expect(found).toMatchObject({ notices: [], failed: 'A 1, A 2: Records were left out.' });
	expect(await watching(polls).poll(found.state)).not.toHaveProperty('failed');
});
