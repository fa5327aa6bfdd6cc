import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import type * as Cursor from '../../nodes/trigger/reading/cursor.ts';
import type * as Storage from '../../nodes/trigger/memory.ts';
import type * as Sweep from '../../nodes/trigger/reading/sweep.ts';
import type * as Overlap from '../../nodes/trigger/overlap.ts';

/** The modules under test, so that a mutant can stand in for them. */
export type Subject = Pick<typeof Cursor, 'guard' | 'LIMITS'> &
	Pick<typeof Sweep, 'sweep' | 'activate'> &
	Pick<typeof Storage, 'Memory'> &
	Pick<typeof Overlap, 'Turns'>;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 0, 15, 9);
const LOOK_BACK = 3 * HOUR;
const PAGE = 4;
const LATENCY = SECOND;
/** What n8n grants a poll. */
const BUDGET = 5 * MINUTE;

interface Row extends Cursor.Entry {
	at: number;
	visible: number;
	fires: boolean;
}

/** What has happened to the records along one line of saved states. */
interface Lineage {
	scope: string;
	/** Visible before its beginning: must never fire. Two lines of one beginning share it. */
	old: ReadonlySet<string>;
	/** Visible before it ended: may or may not fire. */
	open: ReadonlySet<string>;
	fired: ReadonlySet<string>;
	/** Late records dated before this may be left out. */
	shortened: number;
}

/** What n8n stores, as plain JSON: each node's data under its name, and the workflow's. */
interface Box {
	owns: Record<string, IDataObject>;
	global: IDataObject;
	/** The line of what was stored last, in whichever place. */
	last?: number;
}

/** A state as it is stored: with the number of the line that it belongs to, which the trigger leaves alone. */
type Raw = Cursor.State & { line: number };

/** Where the node finds its data: its name and its scope, as they were when its poll began. */
interface Place {
	box: Box;
	name: string;
	scope: string;
	/** Whether it is to begin anew whatever is stored. */
	restarts: boolean;
}

/** What a poll goes on from. */
interface Live {
	state: Cursor.State;
	line: number;
}

/** A poll that has read, and not yet committed; `asked` is the API's time when it began. */
interface Pending {
	swept: Sweep.Swept<Row>;
	place: Place;
	asked: number;
	first?: Lineage;
	turn?: Overlap.Turn;
	/** How many activations there had been. */
	activations: number;
}

const lag = fc.oneof(
	{ weight: 3, arbitrary: fc.constant(0) },
	{ weight: 2, arbitrary: fc.integer({ min: 1, max: LOOK_BACK / MINUTE }).map((n) => n * MINUTE) },
	{ weight: 1, arbitrary: fc.constant(LOOK_BACK) },
	{ weight: 1, arbitrary: fc.constant(5 * HOUR) },
);
const add = fc.record({
	kind: fc.constant('add' as const),
	count: fc.integer({ min: 1, max: 6 }),
	lag,
	spread: fc.constantFrom(0, 0, 1, 250, SECOND, 5 * MINUTE),
});
const remove = fc.record({ kind: fc.constant('remove' as const), index: fc.nat(60) });
const future = fc.record({
	kind: fc.constant('future' as const),
	ahead: fc.constantFrom(MINUTE, 9 * MINUTE, 20 * MINUTE, 2 * HOUR, 9 * DAY),
});
const fault = fc.record({ kind: fc.constant('fault' as const) });
const during = fc.array(fc.tuple(fc.nat(4), fc.oneof(add, remove, remove, fault, fault)), {
	maxLength: 3,
});
const poll = fc.record({
	kind: fc.constant('poll' as const),
	during: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 2, arbitrary: during }),
	budget: fc.constantFrom(Infinity, Infinity, Infinity, 0, 1, 2, 4),
	hold: fc.nat(5).map((n) => n === 0),
	/**
	 * What becomes of the items. `lost`, `doubled` and `neither` are crashes between n8n's savings;
	 * `unsaved`: nothing is saved although the process lives on.
	 */
	fate: fc.constantFrom(
		...Array<'no'>(6).fill('no'),
		'lost' as const,
		'doubled' as const,
		'neither' as const,
		'unsaved' as const,
	),
	/** Begins with a copy from before so many savings, or only its own data does. */
	copy: fc.oneof(
		{ weight: 4, arbitrary: fc.constant(undefined) },
		{
			weight: 1,
			arbitrary: fc.record({ savings: fc.integer({ min: 1, max: 3 }), ownOnly: fc.boolean() }),
		},
	),
});
const step = fc.oneof(
	{ weight: 6, arbitrary: add },
	{ weight: 1, arbitrary: remove },
	{ weight: 1, arbitrary: future },
	{ weight: 8, arbitrary: poll },
	{
		weight: 4,
		arbitrary: fc.record({
			kind: fc.constant('wait' as const),
			ms: fc.constantFrom(SECOND, MINUTE, 10 * MINUTE, 40 * MINUTE, 2 * HOUR, 4 * HOUR),
		}),
	},
	{ weight: 2, arbitrary: fc.record({ kind: fc.constant('release' as const), index: fc.nat(3) }) },
	{
		weight: 1,
		arbitrary: fc.record({
			kind: fc.constantFrom(
				'kill' as const,
				'reactivate' as const,
				'restart' as const,
				'rename' as const,
				'rescope' as const,
			),
			during,
		}),
	},
);
const setup = fc
	.record({
		engine: fc.constantFrom('legacy', 'legacy', 'scheduler', 'durable'),
		/** How the list runs, whatever order was asked for. */
		order: fc.constantFrom('older' as const, 'older' as const, 'newer' as const),
		ties: fc.constantFrom(1, -1),
		inclusive: fc.boolean(),
		totals: fc.nat(4).map((n) => n > 0),
		/** Whether the API shows its clock. */
		date: fc.boolean(),
		skew: fc.constantFrom(0, 0, 4 * MINUTE, -4 * MINUTE, 5 * HOUR, -5 * HOUR, DAY, -DAY),
		ids: fc.constantFrom(1000, 1000, 8, 3),
		limit: fc.constantFrom(Infinity, Infinity, 1, 2, 5),
		filtered: fc.boolean(),
		slow: fc.boolean(),
		initial: fc.array(fc.tuple(fc.integer({ min: 0, max: 300 }), lag), { maxLength: 12 }),
	})
	.map((given) => ({
		...given,
		totals: given.totals || given.order === 'newer',
		/**
		 * Polls too short for the look-back window come through it bit by bit, except where a
		 * newest-first list has no total, the scheduler forgets what an idle poll stored, or the clock
		 * takes all records for future ones.
		 */
		slow:
			given.slow &&
			(given.totals || given.order === 'newer') &&
			given.engine !== 'scheduler' &&
			(given.date || given.skew >= 0),
		/**
		 * A clock that runs fast and is never corrected cannot tell the present from a date in the
		 * future: the margin bears a little of that, a full state none.
		 */
		futures: given.date || given.skew <= (given.ids < 1000 ? 0 : 4 * MINUTE),
	}));

/** One random life of a trigger. */
export const history = fc.record({
	setup,
	steps: fc.array(step, { minLength: 4, maxLength: 30, size: 'max' }),
});
export type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

export interface Stats {
	polls: number;
	emitted: number;
	largest: number;
}

/** A promise to the user that was not kept. */
export class Broken extends Error {}

function promise(holds: boolean, text: () => string): void {
	if (!holds) throw new Broken(text());
}

/** Plays a history, and throws at the first promise that is not kept. */
export async function play({ setup, steps }: History, subject: Subject): Promise<Stats> {
	const stats: Stats = { polls: 0, emitted: 0, largest: 0 };
	const api = fakeApi(setup);
	const order: Sweep.Age = setup.order;
	const limits = { ...subject.LIMITS, page: PAGE, ids: setup.ids, requests: 40 };
	const keep = (row: Row) => !setup.filtered || row.fires;

	const isLegacy = setup.engine === 'legacy';
	const isDurable = setup.engine === 'durable';
	let scope = 'a';
	let name = 'one';
	/** In the database; `memory` is what the legacy engine holds besides. */
	let saved = JSON.stringify({ owns: {}, global: {} } satisfies Box);
	let memory = load(saved);
	/** What was saved before each saving, which a poll may still begin with for a while. */
	let copies: Array<{ json: string; at: number; hasOwn: boolean }> = [];
	/** Whether the database has the node's own data of the present beginning. */
	let isOwnSaved = false;
	let active = false;
	let activations = 0;
	let turns = new subject.Turns();
	let held: Pending[] = [];
	const lines: Lineage[] = [];
	const delivered = new Map<string, number>();
	const excused = new Map<string, number>();
	const lost = new Set<string>();

	const placeIn = (box: Box, restarts = false): Place => ({
		box,
		// Durable cursors are kept under the node's id.
		name: isDurable ? 'id' : name,
		scope,
		restarts,
	});
	const memoryOf = ({ box, name }: Place) =>
		new subject.Memory((box.owns[name] ??= {}), box.global, 'node');

	function recall(place: Place): Live | undefined {
		if (place.restarts) return undefined;
		const found = memoryOf(place).recall((raw) => {
			const state = subject.guard(raw, place.scope);
			return state && { state, raw: raw as Raw };
		});
		promise(!found || found.raw.scope === place.scope, () => 'Another scope goes on');
		const last = lines[place.box.last ?? -1];
		promise(!!found || last?.scope !== place.scope, () => 'Its place is forgotten');
		promise(
			!found || lines[found.raw.line]!.old === last?.old,
			() => 'An earlier beginning is back',
		);
		return found && { state: found.state, line: found.raw.line };
	}

	async function read(
		place: Place,
		live: Live | undefined,
		events: Events,
		budget: number,
	): Promise<Pending> {
		const ports = api.ports(events, budget);
		const options = { scope, lookBack: LOOK_BACK, limit: setup.limit, keep, limits, order };
		const asked = api.now();
		const visible = () => new Set(api.listed().map(({ id }) => id));
		if (!live) {
			const old = visible();
			const swept = await subject.activate(ports, options);
			const first = { scope, old, open: visible(), fired: new Set<string>(), shortened: -Infinity };
			return { swept, place, asked, first, activations };
		}

		const { f, r } = live.state;
		const count = api.after(f).length;
		const swept = await subject.sweep(live.state, ports, options);
		if (events.length === 0 && setup.totals && r === undefined && api.after(f).length === count) {
			const { state } = swept.commit(live.state);
			const isIdle = JSON.stringify(state) === JSON.stringify(live.state);
			const isOnePage = count < PAGE || (count === PAGE && isIdle);
			const most = isOnePage ? 1 : 1 + Math.ceil((count - PAGE + 1) / (PAGE - 1));
			promise(ports.requests() <= most, () => `${ports.requests()} requests for ${count} records`);
		}
		return { swept, place, asked, activations };
	}

	function commit({ swept, place, asked, first }: Pending): Row[] {
		const { box } = place;
		const live = recall(place);
		const before = JSON.stringify(box);
		const { state, emit, shortened = -Infinity } = swept.commit(live?.state);
		promise(JSON.stringify(box) === before, () => 'The stored state was mutated');
		promise(
			emit.length <= setup.limit,
			() => `${emit.length} emitted, the limit is ${setup.limit}`,
		);
		emit.forEach((row, i) => {
			const last = emit[i - 1];
			promise(
				!last || last.at < row.at || (last.at === row.at && last.id < row.id),
				() => 'Not oldest first',
			);
		});
		if (!state) {
			promise(emit.length === 0, () => 'Emitted without a state');
			return [];
		}
		const line = live ? lines[live.line] : first;
		promise(line !== undefined, () => 'A state from nowhere');
		for (const row of emit) {
			promise(keep(row), () => `${row.id} does not match`);
			promise(!line!.old.has(row.id), () => `${row.id} is old`);
			promise(!line!.fired.has(row.id), () => `${row.id} doubled`);
		}
		const size = JSON.stringify(state).length;
		stats.largest = Math.max(stats.largest, size);
		const present = Math.min(state.r ?? Infinity, state.h, asked + (setup.date ? 0 : setup.skew));
		promise(
			Object.keys(state.ids).length <= setup.ids || state.f >= present,
			() => `${size} bytes of state`,
		);
		promise(
			Object.values(state.ids).every((at) => at >= state.f),
			() => 'Kept what lies before the floor',
		);

		lines.push({
			...line!,
			fired: emit.length ? new Set([...line!.fired, ...emit.map(({ id }) => id)]) : line!.fired,
			shortened: Math.max(line!.shortened, shortened),
		});
		box.last = lines.length - 1;
		const raw: Raw = { ...state, line: box.last };
		memoryOf(place).store(raw, live === undefined, emit.length > 0);
		if (live === undefined) isOwnSaved = false;
		return emit;
	}

	/** The saving rules of the three engines: what is in the database after a poll. */
	function save({ box }: Place, emit: Row[], activation: boolean, fate: Fate): void {
		const { owns, global, last } = box;
		const partly = (part: Partial<Box>) => JSON.stringify({ ...load(saved), ...part, last });
		const before = { json: saved, at: api.now(), hasOwn: isOwnSaved };
		const count = (times: Map<string, number>) => {
			for (const { id } of emit) times.set(id, (times.get(id) ?? 0) + 1);
		};
		if (emit.length === 0) {
			// An idle poll: durable saves the own data alone, and at an activation the workflow's alone.
			if (activation) saved = isDurable ? partly({ global }) : JSON.stringify(box);
			else if (isDurable) saved = partly({ owns });
			if (isDurable && !activation) isOwnSaved = true;
		} else if (fate === 'no' || (fate === 'lost' && !isDurable)) {
			saved = JSON.stringify(box);
			isOwnSaved = true;
			if (fate === 'no') count(delivered);
			else for (const { id } of emit) lost.add(id);
		} else if (fate === 'doubled' && !isDurable) {
			count(delivered);
			count(excused);
		} else if (isDurable && fate !== 'neither' && isOwnSaved) {
			// The workflow's data is saved beside the transaction that saves the own and the execution.
			// Before the first such transaction that would lose the items, and no node could tell.
			saved = partly({ global });
		}
		stats.emitted += emit.length;
		if (saved !== before.json) copies.push(before);
	}

	function finish(pending: Pending, activation: boolean, given: Fate): void {
		const { place, turn } = pending;
		const fate = isLegacy && given === 'unsaved' ? 'no' : given;
		const now = api.now();
		if (turn?.isOver(memoryOf(place).handed(), now)) {
			const isInTime = now - pending.asked < BUDGET && pending.activations === activations;
			promise(!isInTime, () => 'Overtaken before its time');
		} else {
			const emit = commit(pending);
			if (emit.length) turn?.handOver(memoryOf(place).handed(), now);
			save(place, emit, activation, fate);
		}
		turn?.end();
		if (fate !== 'no' && fate !== 'unsaved') die();
	}

	function die(): void {
		held = [];
		copies = [];
		memory = load(saved);
		turns = new subject.Turns();
	}

	/** What a poll begins with. */
	function boxFor(copy: Copy): Box {
		if (isLegacy) return memory;
		const recent = copies.filter(({ at }) => api.now() - at < BUDGET);
		const old = copy && recent.at(-Math.min(copy.savings, recent.length));
		if (!old) return load(saved);
		if (!isDurable || !copy.ownOnly) return load(old.json);
		// The own data is read first, and once more where there is none yet.
		return old.hasOwn ? { ...load(saved), owns: load(old.json).owns } : load(saved);
	}

	async function tick({
		events = [],
		budget = Infinity,
		activation = false,
		isFirst = false,
		restarts = false,
		hold = false,
		fate = 'no',
		copy,
	}: Tick): Promise<void> {
		stats.polls += 1;
		const place = placeIn(boxFor(copy), restarts);
		const live = recall(place);
		const turn = isLegacy
			? undefined
			: turns.begin('k', {
					now: api.now(),
					budget: BUDGET,
					scope,
					isFirst,
					isAnew: live === undefined,
				});
		if (!isLegacy && !turn) {
			const isUnderWay = held.some(({ asked }) => api.now() - asked < BUDGET);
			promise(isUnderWay && !isFirst, () => 'Waits for nothing');
			return;
		}
		if (turn?.isOver(memoryOf(place).handed(), api.now())) {
			promise(!isFirst, () => 'An activation is given up');
			turn.end();
			return;
		}
		let pending: Pending;
		try {
			pending = { ...(await read(place, live, events, budget)), turn };
		} catch (error) {
			if (error instanceof Broken || !api.expects(error, budget)) throw error;
			turn?.end();
			if (activation) active = live !== undefined;
			return;
		}
		if (hold) held.push(pending);
		else finish(pending, activation, fate);
	}

	async function activate(events: Events, isFirst: boolean, restarts = false): Promise<void> {
		active = true;
		activations += 1;
		// The legacy engine drops what its old polls return.
		if (isLegacy) held = [];
		memory = load(saved);
		await tick({ events, budget: 20, activation: true, isFirst, restarts });
		copies = [];
	}

	await activate([], true);
	for (const step of steps) {
		api.wait(step.kind === 'wait' ? step.ms : SECOND);
		if (step.kind === 'add' || step.kind === 'remove' || step.kind === 'future') api.change(step);
		if (step.kind === 'poll' && active) await tick({ ...step, events: step.during });
		if (step.kind === 'release' && held.length)
			finish(held.splice(step.index % held.length, 1)[0]!, false, 'no');
		if (step.kind === 'kill') die();
		// Back and forth, so that the old name's data comes back.
		if (step.kind === 'rename') name = name === 'one' ? 'two' : 'one';
		if (step.kind === 'rescope') scope = scope === 'a' ? 'b' : 'a';
		if (
			step.kind === 'rename' ||
			step.kind === 'rescope' ||
			step.kind === 'kill' ||
			step.kind === 'reactivate' ||
			step.kind === 'restart'
		)
			await activate(
				step.during,
				step.kind !== 'rename' && step.kind !== 'rescope',
				step.kind === 'restart',
			);
	}

	while (held.length) finish(held.pop()!, false, 'no');
	if (!active) await activate([], true);
	let settled = 0;
	for (const pause of [MINUTE, LOOK_BACK]) {
		api.wait(pause);
		for (let quiet = 0, polls = 0; quiet < 3; polls += 1) {
			if (quiet === 0) settled = api.now();
			const before = stats.emitted;
			await tick({ budget: setup.slow ? 14 : Infinity });
			quiet = stats.emitted === before ? quiet + 1 : 0;
			promise(polls < 200, () => 'Never comes to rest');
		}
	}

	const end = recall(placeIn(isLegacy ? memory : load(saved)));
	promise(end !== undefined, () => 'Nothing is stored');
	const lineage = lines[end!.line]!;
	for (const row of api.listed()) {
		const late = row.visible - row.at;
		const due =
			row.visible <= settled &&
			!lineage.open.has(row.id) &&
			keep(row) &&
			late <= LOOK_BACK &&
			(late <= 0 || row.at >= lineage.shortened);
		promise(!due || lineage.fired.has(row.id), () => `${row.id} missed`);
		promise(!due || lost.has(row.id) || delivered.has(row.id), () => `${row.id} fired nowhere`);
	}
	if (!steps.some(({ kind }) => kind === 'rescope')) {
		for (const [id, times] of delivered)
			promise(times <= 1 + (excused.get(id) ?? 0), () => `${id} fired ${times} times`);
	}
	return stats;
}

type Change =
	| { kind: 'add'; count: number; lag: number; spread: number }
	| { kind: 'remove'; index: number }
	| { kind: 'future'; ahead: number };
type Events = ReadonlyArray<readonly [number, Change | { kind: 'fault' }]>;
type Poll = typeof poll extends fc.Arbitrary<infer T> ? T : never;
type Fate = Poll['fate'];
type Copy = Poll['copy'];

type Tick = Partial<Pick<Poll, 'budget' | 'hold' | 'fate' | 'copy'>> & {
	events?: Events;
	activation?: boolean;
	isFirst?: boolean;
	restarts?: boolean;
};

const load = (saved: string) => JSON.parse(saved) as Box;

class Fault extends Error {}

/** A list endpoint in which records appear, vanish and shift while it is read (reference: "Other endpoints"). */
function fakeApi({
	order,
	ties,
	inclusive,
	totals,
	date,
	skew,
	initial,
	futures,
}: History['setup']) {
	let now = START;
	let born = 0;
	let rows: Row[] = [];

	const insert = (at: number, visible: number): void => {
		const n = (born += 1);
		const id = `${(Math.imul(n, 2654435761) >>> 0).toString(16).padStart(8, '0')}-0000-4000-8000-${String(n).padStart(12, '0')}`;
		rows.push({ id, at, visible, created_at: written(at), fires: n % 3 > 0 });
	};
	const sort = (): void => void rows.sort((a, b) => a.at - b.at || (a.id < b.id ? -ties : ties));
	const listed = (): Row[] => rows.filter(({ visible }) => visible <= now);
	const after = (ms: number): Row[] =>
		listed().filter(({ at }) => (inclusive ? at >= ms : at > ms));

	function change(step: Change): void {
		if (step.kind === 'remove') {
			const gone = listed().at(-1 - step.index);
			rows = rows.filter((row) => row !== gone);
		} else if (step.kind === 'future') {
			if (futures) insert(now + step.ahead, now);
		} else {
			for (let i = 0; i < step.count; i += 1)
				insert(now - i * step.spread, Math.max(now, now - i * step.spread + step.lag));
		}
		sort();
	}

	function ports(events: Events, budget: number) {
		let requests = 0;
		const page = async ({ after: from, offset, limit }: Sweep.Query): Promise<Sweep.Page<Row>> => {
			now += LATENCY;
			const index = requests++;
			for (const [at, event] of events) {
				if (at !== index) continue;
				if (event.kind === 'fault') throw new Fault('502');
				change(event);
			}
			const found = from === undefined ? listed() : after(Date.parse(from));
			if (order === 'older') found.reverse();
			return {
				records: found.slice(offset, offset + limit),
				...(totals && { total: found.length }),
				...(date && { now: now - (now % SECOND) }),
			};
		};
		return {
			page,
			now: () => now + skew,
			deadline: now + skew + budget * LATENCY,
			requests: () => requests,
		};
	}

	for (const [minutes, lag] of initial)
		insert(START - minutes * MINUTE, START - minutes * MINUTE + lag);
	sort();
	return {
		change,
		listed,
		ports,
		after: (f: number) => after((Math.floor(f / SECOND) - 1) * SECOND),
		now: () => now,
		wait: (ms: number) => void (now += ms),
		expects: (error: unknown, budget: number) =>
			error instanceof Fault ||
			(budget < Infinity && error instanceof Error && error.message.includes('ran out of time')),
	};
}

/** A time as APIs write it: in ms or finer, in any offset, or in UTC without saying so. */
function written(at: number): string {
	const form = Math.floor(at / SECOND) % 3;
	if (form === 0) return new Date(at).toISOString().replace('Z', '456');
	if (form === 1) return new Date(at + 2 * HOUR).toISOString().replace('Z', '789+02:00');
	return new Date(at).toISOString();
}
