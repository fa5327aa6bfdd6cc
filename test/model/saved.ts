import { HOUR, MINUTE } from '../../nodes/time.ts';
import type { Change, EventName, History, PollStep, Setup, Step } from './history.ts';

// Mistakes that were made once in a trigger, here or in n8n's own, or that are easily made, and that a few random
// histories may miss. Each has the shortest history that shows it.

const setup = (event: EventName, more: Partial<Setup> = {}): Setup => ({
	event,
	engine: 'legacy',
	order: 'newest first',
	isInclusive: false,
	isCoarse: false,
	pageCap: 'none',
	skew: 0,
	limitPerPoll: 500,
	hasLines: false,
	waitAtMost: 10 * HOUR,
	initial: [],
	...more,
});

const poll = (more: Partial<PollStep> = {}): PollStep => ({
	kind: 'poll',
	during: [],
	latency: 10,
	heldAt: undefined,
	fate: 'saved',
	...more,
});

const add = (more: Partial<Extract<Change, { kind: 'add' }>> = {}): Step => ({
	kind: 'add',
	count: 1,
	lag: 0,
	wait: 0,
	broken: 0,
	apart: 0,
	...more,
});

const wait = (ms: number): Step => ({ kind: 'wait', ms });

const move = (count: 4 | 30): Step => ({ kind: 'move', index: 0, count, way: 0 });

const history = (of: Setup, ...steps: Step[]): History => ({ setup: of, steps });

/** What was wrong → a history that shows it. */
export const SAVED: Readonly<Record<string, History>> = {
	'no margin below Look Back, although the clocks differ': history(
		setup('newOrder', { skew: 4 * MINUTE }),
		add({ lag: 3 * HOUR }),
		wait(3 * HOUR - 2 * MINUTE),
		{ kind: 'addFuture', ahead: 9 * MINUTE },
		poll(),
		wait(3 * MINUTE),
		poll(),
	),
	'the floor passes what waits or is delayed': history(
		setup('callReady'),
		add({ wait: 9 * HOUR }),
		wait(4 * HOUR),
		add(),
		poll(),
	),
	'a call in progress at the activation counts as done': history(
		setup('newCall', { initial: [[10, 0, 40 * MINUTE]] }),
		wait(40 * MINUTE),
		poll(),
	),
	'an activation is stored where n8n drops it': history(
		setup('newOrder', { engine: 'durable' }),
		{ kind: 'kill' },
		add(),
		poll(),
	),
	'items that n8n could not save count as handed over': history(
		setup('newOrder', { engine: 'durable' }),
		add(),
		poll({ fate: 'refused' }),
	),
	'polls that overlap do not give way': history(
		setup('newOrder'),
		add(),
		poll({ heldAt: 0 }),
		poll(),
		{ kind: 'release' },
	),
	'a broken record blocks the others of a whole list': history(
		setup('orderStatusChanged', { hasLines: true }),
		add({ broken: Infinity }),
		add(),
		move(4),
		poll(),
	),
	'an order that is deleted while its lines are read is an error': history(
		setup('newOrder', { hasLines: true }),
		add(),
		poll({ heldAt: 1 }),
		{ kind: 'remove', index: 0 },
		{ kind: 'release' },
	),
	'so is one whose status changed': history(
		setup('orderStatusChanged', { hasLines: true }),
		add(),
		move(4),
		poll({ heldAt: 1 }),
		{ kind: 'remove', index: 0 },
		{ kind: 'release' },
	),
	'what the limit delays waits for its parts again': history(
		setup('orderStatusChanged', { hasLines: true, limitPerPoll: 3 }),
		add({ count: 7, broken: Infinity }),
		move(30),
		poll(),
	),
};
