import fc from 'fast-check';

import { DAY, HOUR, MINUTE, SECOND } from '../../nodes/time.ts';
import { ENGINES, type Fate } from '../support/polling.ts';

// A history is a random sequence of things that happen to a trigger, its account and n8n. This file says
// what can happen, and how often. All times are in ms.

/** How late a record may show up and still start the workflow: the default of Look Back. */
export const LOOK_BACK = 3 * HOUR;

/** Events that start the workflow for each new record of a list. */
const LISTS = ['newTransaction', 'newOrder', 'newCall', 'callReady'] as const;

/** Events that read a whole list and compare it with the last poll. */
const STATES = [
	'orderStatusChanged',
	'campaignStatusChanged',
	'newContact',
	'eventChanged',
] as const;

/** Events that compare one value with an amount. */
const VALUES = ['lowBalance'] as const;

export const EVENTS = [...LISTS, ...STATES, ...VALUES] as const;

export type EventName = (typeof EVENTS)[number];

export const watchesStates = (event: EventName) => (STATES as readonly string[]).includes(event);

type Made<A> = A extends fc.Arbitrary<infer T> ? T : never;

/** How long it takes until a call has its summary. Some of the long ones are calls that take as long. */
const wait = fc.constantFrom(0, 0, 0, MINUTE, 40 * MINUTE, 2 * HOUR, 9 * HOUR);

/** For how long the parts of a record cannot be read, from when it shows up. */
const broken = fc.constantFrom(0, 0, 0, 0, 0, 0, 2 * HOUR, Infinity);

/** How long after its date a record shows up. */
const lag = fc.constantFrom(0, 0, 0, MINUTE, 20 * MINUTE, 2 * HOUR, LOOK_BACK, 5 * HOUR);

const add = fc.record({
	kind: fc.constant('add' as const),
	count: fc.oneof(
		{ weight: 25, arbitrary: fc.integer({ min: 1, max: 12 }) },
		{ weight: 1, arbitrary: fc.constant(120) },
	),
	lag,
	wait,
	broken,
	/** The time between the dates of two records. */
	apart: fc.constantFrom(0, 0, 1, 250, SECOND, 5 * MINUTE),
});

/** Adds a record that is dated in the future. */
const addFuture = fc.record({
	kind: fc.constant('addFuture' as const),
	ahead: fc.constantFrom(MINUTE, 9 * MINUTE, 2 * HOUR, 9 * DAY),
});

const remove = fc.record({ kind: fc.constant('remove' as const), index: fc.nat(60) });

/** Some records get another status. `way` chooses among the statuses that can follow. */
const move = fc.record({
	kind: fc.constant('move' as const),
	index: fc.nat(20),
	count: fc.constantFrom(1, 1, 1, 4, 30),
	way: fc.nat(5),
});

/** Something happens to one of several accounts, or to its key. */
const account = fc.record({
	kind: fc.constant('account' as const),
	what: fc.constantFrom(
		'fails' as const,
		'fails',
		'fails',
		'hangs',
		'isSwapped',
		'getsOldName',
		'comes',
		'goes',
		'comesBack',
		'isRenamed',
		'getsAnotherKey',
		'isReplaced',
	),
	index: fc.nat(100),
	/** For how long its key fails, and with which status. */
	ms: fc.constantFrom(SECOND, 10 * MINUTE, 40 * MINUTE, 2 * HOUR),
	status: fc.constantFrom(401, 403, 500, 500),
});

export type AccountChange = Made<typeof account>;

export type Change = Made<typeof add | typeof addFuture | typeof remove | typeof move>;

function changesOf(event: EventName): Array<fc.WeightedArbitrary<Change>> {
	const ofRecords = [
		{ weight: 7, arbitrary: add },
		{ weight: 1, arbitrary: remove },
	];
	if (event === 'newContact') return ofRecords;
	if (event === 'lowBalance')
		return [add, move].map((arbitrary) => ({ weight: 5, arbitrary }) as never);
	if (watchesStates(event)) return [...ofRecords, { weight: 10, arbitrary: move }];
	return [...ofRecords, { weight: 1, arbitrary: addFuture }];
}

/** An answer that is an error, however often the request is repeated. */
const fault = fc.constant({ kind: 'fault' as const });

const fate = fc.oneof(
	{ weight: 9, arbitrary: fc.constant<Fate>('saved') },
	{ weight: 4, arbitrary: fc.constantFrom<Fate>('stateOnly', 'itemsOnly', 'nothing', 'refused') },
);

const pollOf = (event: EventName) =>
	fc.record({
		kind: fc.constant('poll' as const),
		/** What happens while it reads: before which of its answers, and what. */
		during: fc.oneof(
			{ weight: 3, arbitrary: fc.constant([]) },
			{
				weight: 2,
				arbitrary: fc.array(
					fc.tuple(fc.nat(6), fc.oneof(...changesOf(event), { weight: 3, arbitrary: fault })),
					{ maxLength: 3 },
				),
			},
		),
		/** How long an answer takes. If it is long, a poll cannot read a long list in its time. */
		latency: fc.constantFrom(10, 10, 10, 10, 800, 3 * SECOND, 9 * SECOND),
		/** The answer that does not come before a later step, so that polls overlap. */
		heldAt: fc.constantFrom(undefined, undefined, undefined, 0, 1, 3),
		fate,
	});

const pass = fc.record({
	kind: fc.constant('wait' as const),
	ms: fc.constantFrom(SECOND, MINUTE, 10 * MINUTE, 40 * MINUTE, 2 * HOUR, 4 * HOUR),
});

/** Answers that were held come, n8n is killed and starts again, or the user switches the workflow off and on. */
const action = fc.record({
	kind: fc.constantFrom('release' as const, 'release', 'kill', 'reactivate'),
});

const stepOf = (event: EventName) =>
	fc.oneof(
		...changesOf(event),
		{ weight: 9, arbitrary: pollOf(event) },
		{ weight: 4, arbitrary: pass },
		{ weight: 2, arbitrary: action },
	);

/** The account, the server that holds it, and the settings of the workflow. */
const setupOf = (event: EventName) =>
	fc.record({
		event: fc.constant(event),
		engine: fc.constantFrom(...ENGINES),
		/** How the server sorts its lists. */
		order: fc.constantFrom('newest first' as const, 'newest first', 'oldest first', 'by id'),
		/** Whether `created_after` includes the moment itself. */
		isInclusive: fc.boolean(),
		/** Whether `created_after` is compared in whole seconds. */
		isCoarse: fc.boolean(),
		/** How many records the server puts on a page: all, up to 5 or up to 3. */
		pageCap: fc.constantFrom('none' as const, 'none', '5 records'),
		/** How far n8n's clock is ahead of the server's. */
		skew: fc.constantFrom(0, 0, 4 * MINUTE, -4 * MINUTE),
		limitPerPoll: fc.constantFrom(500, 500, 1, 3, 20),
		/** Whether items of orders have their lines, which take a request each. */
		hasLines: fc.boolean(),
		/** How long a call may wait for its summary. */
		waitAtMost: fc.constantFrom(2 * HOUR, 10 * HOUR),
		/** Records at the beginning: their age in minutes, and how late they show up. */
		initial: fc.array(fc.tuple(fc.integer({ min: 0, max: 300 }), lag, wait), { maxLength: 25 }),
	});

/** Events that the histories of several accounts watch. Each account has a watcher that is tested by itself. */
export const SHARED_EVENTS = [
	...LISTS,
	'campaignStatusChanged',
	'newContact',
	'orderStatusChanged',
	'lowBalance',
] as const;

/** How many accounts there are at the beginning, and whether records of different accounts may have one id. */
const accounts = fc.record({
	count: fc.oneof(
		{ weight: 8, arbitrary: fc.integer({ min: 1, max: 6 }) },
		{ weight: 3, arbitrary: fc.integer({ min: 7, max: 20 }) },
		{ weight: 1, arbitrary: fc.integer({ min: 60, max: 80 }) },
	),
	sharesIds: fc.boolean(),
});

/** A history of a trigger that watches the event in several accounts. */
export const historyOfAccounts = (event: EventName) =>
	fc.record({
		setup: fc
			.tuple(setupOf(event), accounts, fc.constantFrom(500, 500, 20, 3))
			.map(([setup, of, limitPerPoll]): Setup => ({
				...setup,
				accounts: of,
				limitPerPoll: event === 'lowBalance' ? 500 : limitPerPoll,
				initial: setup.initial.slice(0, 6),
			})),
		steps: fc.array(
			fc.oneof({ weight: 4, arbitrary: stepOf(event) }, { weight: 1, arbitrary: account }),
			{
				minLength: 4,
				maxLength: 30,
				size: 'max',
			},
		),
	});

/** A history of a trigger that watches the event. */
export const historyOf = (event: EventName) =>
	fc.record({
		setup: setupOf(event),
		steps: fc.array(stepOf(event), { minLength: 4, maxLength: 30, size: 'max' }),
	});

export type Setup = Made<ReturnType<typeof setupOf>> & { accounts?: Made<typeof accounts> };
export type Step = Made<ReturnType<typeof stepOf>> | AccountChange;
export interface History {
	setup: Setup;
	steps: Step[];
}
/** What happens while a poll reads: before which of its answers, and what. And how long each takes. */
export interface Happening {
	during: ReadonlyArray<[number, Change | { kind: 'fault' }]>;
	latency: number;
}
export type PollStep = Extract<Step, { kind: 'poll' }>;
