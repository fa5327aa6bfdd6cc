import fc from 'fast-check';

/** What a random life of a trigger is made of: what may happen, and how often. Times are in ms. */

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** How late a record may show up and still fire: the trigger's own default. */
export const LOOK_BACK = 3 * HOUR;

/** The events of the model: of each way to watch one, and of each thing that makes a list different. */
export const LISTS = [
	'newTransaction',
	'newOrder',
	'newCall',
	'callReady',
	'contactByDate',
] as const;
export const STATES = [
	'orderStatusChanged',
	'campaignStatusChanged',
	'newContact',
	'eventChanged',
] as const;
export const VALUES = ['lowBalance', 'lowMinutes'] as const;
export const MODELLED = [...LISTS, ...STATES, ...VALUES] as const;

export type Modelled = (typeof MODELLED)[number];

/** What an arbitrary makes. */
type Of<A> = A extends fc.Arbitrary<infer T> ? T : never;

const lag = fc.constantFrom(0, 0, 0, MINUTE, 20 * MINUTE, 2 * HOUR, LOOK_BACK, 5 * HOUR);

/** Records appear: some at once, some late, a few ms or minutes apart, or all of one date. */
const add = fc.record({
	kind: fc.constant('add' as const),
	count: fc.oneof(
		{ weight: 60, arbitrary: fc.integer({ min: 1, max: 12 }) },
		{ weight: 2, arbitrary: fc.integer({ min: 100, max: 800 }) },
		{ weight: 1, arbitrary: fc.integer({ min: 1000, max: 4000 }) },
	),
	lag,
	/** After which a call has ended and has its summary. */
	wait: fc.constantFrom(0, 0, 0, MINUTE, 40 * MINUTE, 2 * HOUR, 9 * HOUR),
	spread: fc.constantFrom(0, 0, 1, 250, SECOND, 5 * MINUTE),
});

const remove = fc.record({ kind: fc.constant('remove' as const), index: fc.nat(60) });

/** A record dated in the future. */
const future = fc.record({
	kind: fc.constant('future' as const),
	ahead: fc.constantFrom(MINUTE, 9 * MINUTE, 2 * HOUR, 9 * DAY),
});

/** A record without an id, or without a date and time. */
const bad = fc.record({
	kind: fc.constant('bad' as const),
	of: fc.constantFrom('id', 'null', 'number', 'day', 'none', 'february'),
});

/** Records move to another state, orders in one of the ways that the reference's table allows. */
const move = fc.record({
	kind: fc.constant('move' as const),
	index: fc.nat(20),
	count: fc.constantFrom(1, 1, 1, 4, 30),
	way: fc.nat(5),
	/** Whether the API writes it in other letters. */
	isLoud: fc.boolean(),
});

/** The wallet is charged or topped up, minutes are used or granted; or a billing period begins. */
const change = fc.record({
	kind: fc.constant('change' as const),
	by: fc.constantFrom(-60, -25, -5, -1, 1, 5, 25, 60),
	isNewPeriod: fc.constantFrom(false, false, false, true),
});

export const isState = (event: Modelled) => (STATES as readonly string[]).includes(event);

const changesOf = (event: Modelled) => {
	if (event === 'lowBalance' || event === 'lowMinutes') return [{ weight: 8, arbitrary: change }];
	const records = [
		{ weight: 7, arbitrary: add },
		{ weight: 1, arbitrary: remove },
	];
	if (isState(event))
		return [...records, { weight: event === 'newContact' ? 0 : 10, arbitrary: move }];
	return [...records, { weight: 1, arbitrary: future }, { weight: 1, arbitrary: bad }];
};

export type Change =
	| Of<typeof add>
	| Of<typeof remove>
	| Of<typeof future>
	| Of<typeof bad>
	| Of<typeof move>
	| Of<typeof change>;

/** An answer is an error that no repetition mends. */
const fault = fc.constant({ kind: 'fault' as const });

/** What becomes of a poll's items. All but `no` need some. */
export type Fate = 'no' | 'lost' | 'doubled' | 'neither' | 'refused';
const fate = fc.constantFrom<Fate>(
	...Array<'no'>(9).fill('no'),
	// n8n dies: after it saved the state, before; after it started the workflow; before both.
	'lost',
	'doubled',
	'neither',
	// A transaction of the durable cursors fails, and the process lives on.
	'refused',
);

const pollOf = (event: Modelled) => {
	const happens = fc.oneof(...changesOf(event), { weight: 3, arbitrary: fault });
	return fc.record({
		kind: fc.constant('poll' as const),
		/** What happens while it reads, before which of its answers. */
		during: fc.oneof(
			{ weight: 3, arbitrary: fc.constant([]) },
			{ weight: 2, arbitrary: fc.array(fc.tuple(fc.nat(6), happens), { maxLength: 3 }) },
		),
		/** How long an answer takes: a long list is not read within one poll's time. */
		latency: fc.constantFrom(10, 10, 10, 10, 800, 3 * SECOND, 9 * SECOND),
		/** Before which of its answers the steps that follow happen: polls overlap. */
		heldAt: fc.constantFrom(undefined, undefined, undefined, 0, 1, 3),
		fate,
		/** Whether its answers are as out of date as those of the last poll, if that is not long ago. */
		isStale: fc.constantFrom(false, false, false, true),
		/** Whether its answers leave out some records. */
		omits: fc.constantFrom(false, false, false, true),
	});
};

const wait = fc.record({
	kind: fc.constant('wait' as const),
	ms: fc.constantFrom(SECOND, MINUTE, 10 * MINUTE, 40 * MINUTE, 2 * HOUR, 4 * HOUR),
});

/**
 * What the user, or n8n, does: a poll that was held goes on; n8n is killed, the workflow is published
 * again, or the node is renamed.
 */
const deed = fc.record({
	kind: fc.constantFrom(...(['release', 'release', 'kill', 'reactivate', 'rename'] as const)),
});

const stepOf = (event: Modelled) =>
	fc.oneof(
		...changesOf(event),
		{ weight: 9, arbitrary: pollOf(event) },
		{ weight: 4, arbitrary: wait },
		{ weight: 2, arbitrary: deed },
	);

/** The account, the server that holds it, and the workflow. */
const setupOf = (event: Modelled) =>
	fc
		.record({
			event: fc.constant(event),
			engine: fc.constantFrom('legacy' as const, 'scheduler' as const, 'durable' as const),
			/** Which way the list runs. */
			order: fc.constantFrom<'newestFirst' | 'oldestFirst' | 'none'>(
				...(['newestFirst', 'newestFirst', 'oldestFirst', 'none'] as const),
			),
			/** Which way records of one date run, by their ids. */
			ties: fc.constantFrom(1, -1),
			/** Whether created_after includes the moment, and whether it is compared in seconds. */
			inclusive: fc.boolean(),
			coarse: fc.boolean(),
			/** What of a list's meta the server sends. */
			meta: fc.constantFrom('full' as const, 'full' as const, 'total' as const, 'none' as const),
			/** The most that it puts on a page. */
			cap: fc.constantFrom(100, 100, 50, 7, 4),
			/** Whether its answers carry their date. */
			dated: fc.boolean(),
			/** How far n8n's clock is ahead. */
			skew: fc.constantFrom(0, 0, 4 * MINUTE, -4 * MINUTE, 5 * HOUR, -5 * HOUR),
			/** How many records the trigger may remember. */
			done: fc.constantFrom(10_000, 10_000, 10_000, 8),
			/** How many of them may wait below the floor. */
			waiting: fc.constantFrom(500, 500, 2),
			limit: fc.constantFrom(500, 500, 1, 3, 20),
			filtered: fc.boolean(),
			/** Whether ids are whole numbers. */
			numeric: fc.boolean(),
			/** How the usage shows its billing period. */
			period: fc.constantFrom('iso', 'day', 'month', 'epoch', 'nested', 'none' as const),
			/** Before which answer of the first activation a request fails. The user tries again later. */
			failsAt: fc.constantFrom(undefined, undefined, 0, 1, 2),
			/** What is there at the beginning: minutes of age, and how late it shows up. */
			initial: fc.array(fc.tuple(fc.integer({ min: 0, max: 300 }), lag), { maxLength: 25 }),
		})
		.map((given) => ({
			...given,
			// A clock that is far off and never corrected shuts out what the look-back's margin does not bear.
			skew: given.dated || Math.abs(given.skew) <= 4 * MINUTE ? given.skew : 0,
		}));

/** One random life of a trigger of an event. */
export const historyOf = (event: Modelled) =>
	fc.record({
		setup: setupOf(event),
		steps: fc.array(stepOf(event), { minLength: 4, maxLength: 30, size: 'max' }),
	});

export type History = Of<ReturnType<typeof historyOf>>;
export type Setup = History['setup'];
export type Step = History['steps'][number];
export type PollStep = Extract<Step, { kind: 'poll' }>;
