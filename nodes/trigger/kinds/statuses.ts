import { isObject, type JsonObject } from '../../json';
import { isSameStatus, plainStatus } from '../../domain/status';
import { inFront } from '../../domain/simplify';
import { idOf, shorten, type Dated } from '../reading/record';
import { isTime, packed, secondOf, type Done, type State } from '../reading/state';
import type { PollResult, Watcher, Watching } from '../watcher';
import { ListWatcher, type FollowedList } from './list';

/** What an item says of a move, before the rest of the record. */
export const moveInFront = inFront('id', 'previous_status', 'new_status');

/** Records whose moves from one status to another are followed. */
export interface FollowedStatuses extends Pick<
	FollowedList,
	'path' | 'query' | 'isNewestFirst' | 'spanName'
> {
	/** The status that every record begins with. */
	initial: string;
	/** Each status that the reference names, with those that it can move to. */
	moves: Readonly<Record<string, readonly string[]>>;
	/** For how long after its creation a record is followed (ms). */
	span: number;
	/** Moves that the user asks for; empty: all. */
	from: readonly string[];
	to: readonly string[];
	/** Whether polls may have been missed whose moves were not saved. */
	isAfterGap: boolean;
	shape(record: JsonObject): JsonObject;
}

/** A move of a record, as it is emitted. */
interface Move {
	previous_status: string;
	new_status: string;
	/** Whether the table alone says that it went this way, and no two polls. */
	inferred: boolean;
}

/** A move that waits for the limit: the record's id, its previous status, its new one, `inferred`. */
type Waiting = [id: string, previous: string, next: string, inferred: boolean];

export interface StatusState extends State {
	/** As they were seen. By the time that they are emitted, their records may have moved on. */
	waiting: Waiting[];
}

/**
 * A list whose records fire with each status that they had not had before. What is done with are
 * pairs of a record and a status: all that is seen is, at once, and what the limit holds back waits
 * in the state, because the API does not show it again. So no answer that is out of date fires a move
 * twice, and none is lost or merged because others came first.
 */
export class StatusesWatcher implements Watcher<StatusState> {
	private readonly statuses: FollowedStatuses;

	private readonly limit: number;

	private readonly list: ListWatcher;

	/** The records that this poll has read, by their id. */
	private readonly read = new Map<string, JsonObject>();

	constructor(statuses: FollowedStatuses, watching: Watching) {
		this.statuses = statuses;
		this.limit = watching.limit;
		const followed = statusesOf(statuses);
		const eventsOf: FollowedList['eventsOf'] = (one, state) => {
			this.read.set(idOf(one.record)!, one.record);
			return followed.eventsOf!(one, state);
		};
		this.list = new ListWatcher({ ...followed, eventsOf }, { ...watching, limit: Infinity });
	}

	guard(raw: unknown): StatusState | undefined {
		const state = this.list.guard(raw);
		if (state === undefined) return undefined;
		const { waiting = [] } = raw as Partial<StatusState>;
		const isUsable = Array.isArray(waiting) && waiting.every(isWaiting);
		return isUsable ? { ...state, waiting } : undefined;
	}

	async begin(): Promise<PollResult<StatusState>> {
		const { commit, ...found } = await this.list.begin();
		return {
			...found,
			commit(live) {
				const { state, ...settled } = commit(live);
				const waiting = state === live ? live!.waiting : [];
				return { ...settled, state: { ...state!, waiting } };
			},
		};
	}

	async poll(saved: StatusState): Promise<PollResult<StatusState> | undefined> {
		const polled = await this.list.poll(saved);
		if (polled === undefined) return undefined;
		const { commit, ...found } = polled;
		const isWhole = found.error === undefined && found.isShort !== true;
		return {
			...found,
			commit: (live = saved) => {
				const { state, emit, notices } = commit(live);
				const moves = [...live.waiting.filter(this.isWanted), ...emit.map(waitingOf)];
				const due = moves.filter(([id]) => isWhole || this.read.has(id)).slice(0, this.limit);
				const emitted = new Set(due);
				const waiting = moves.filter((move) => !emitted.has(move));
				return { state: { ...state!, waiting }, emit: due.map(this.itemOf), notices };
			},
		};
	}

	async sample(): Promise<JsonObject | undefined> {
		const move = await this.list.sample();
		return move && this.itemOf(waitingOf(move));
	}

	private readonly isWanted = ([, previous, next]: Waiting) =>
		isMoveWanted(previous, next, this.statuses);

	private readonly itemOf = ([id, previous_status, new_status, inferred]: Waiting) => {
		const record = this.read.get(id);
		const shown = record ? this.statuses.shape(record) : { id, incomplete: true };
		return moveInFront({ ...shown, previous_status, new_status, inferred });
	};
}

/** The list below it, whose events are moves: each fires as what `waitingOf` reads. */
export function statusesOf(statuses: FollowedStatuses): FollowedList {
	const { path, query, isNewestFirst, spanName, span, moves, initial } = statuses;
	return {
		path,
		query,
		isNewestFirst,
		spanName,
		horizon: (now) => now - span,
		lacks: ({ status }) => (typeof status === 'string' ? undefined : 'status'),
		eventsOf: (record, { done }) =>
			movesOf(record, done, statuses).map((move) => ({
				key: pairKey(record.key, move.new_status),
				at: record.at,
				record: { ...record.record, ...move },
			})),
		judge(record) {
			const { previous_status, new_status } = record as unknown as Move;
			return isMoveWanted(previous_status, new_status, statuses) ? { item: record } : 'unwanted';
		},
		upgrade: (raw, scope) => stateOfStatuses(raw, scope, moves, initial),
	};
}

const isMoveWanted = (previous: string, next: string, { from, to }: FollowedStatuses) =>
	(from.length === 0 || from.includes(previous)) && (to.length === 0 || to.includes(next));

const waitingOf = (move: JsonObject): Waiting => {
	const { previous_status, new_status, inferred } = move as unknown as Move;
	return [idOf(move)!, previous_status, new_status, inferred];
};

const isWaiting = (raw: unknown): raw is Waiting =>
	Array.isArray(raw) &&
	raw.length === 4 &&
	raw.every((part, at) => typeof part === (at < 3 ? 'string' : 'boolean'));

/** Stands for a record's having had a status. */
const pairKey = (key: string, status: string) => shorten(`${key}:${plainStatus(status)}`);

/**
 * How a record came to its status from the last that is known; a known one again where it has not
 * moved. One that the table does not name says nothing of what follows it.
 */
function movesOf({ key, record }: Dated, done: Done, statuses: FollowedStatuses): Move[] {
	const { moves, initial, isAfterGap, from } = statuses;
	const status = nameOf(String(record.status), moves);
	if (status === initial) return [];
	const last = lastOf(key, done, moves) ?? initial;
	if (done.has(pairKey(key, status)))
		return [{ previous_status: last, new_status: status, inferred: false }];
	// One from before what is known: an answer that is out of date shows what no other did.
	const isBefore = waysBetween(status, last, moves).length > 0;
	const origin = isBefore ? initial : last;
	const ways = waysBetween(origin, status, moves);
	// A move that was seen, and not saved, would be hidden by a shorter way.
	const isThrough = (way: string[]) => way.slice(0, -1).some((step) => from.includes(step));
	const isHidden = isAfterGap && !from.includes(last);
	const way = (isHidden ? ways.find(isThrough) : undefined) ?? ways[0] ?? [status];
	const inferred = isBefore || way.length > 1 || (isAfterGap && ways.length > 1);
	return way.map((step, at) => ({
		previous_status: way[at - 1] ?? origin,
		new_status: step,
		inferred,
	}));
}

type Moves = FollowedStatuses['moves'];

/** As the table writes it, or as it came. */
const nameOf = (status: string, moves: Moves) =>
	Object.hasOwn(moves, status)
		? status
		: (Object.keys(moves).find((name) => isSameStatus(name, status)) ?? status);

/** The named status that came last of those that a record has had. */
function lastOf(key: string, done: Done, moves: Moves): string | undefined {
	const places = placesIn(done);
	let last = { status: undefined as string | undefined, place: -1 };
	for (const status of Object.keys(moves)) {
		const place = places.get(pairKey(key, status)) ?? -1;
		if (place > last.place) last = { status, place };
	}
	return last.status;
}

const PLACES = new WeakMap<Done, Map<string, number>>();

/** In which order keys came to be done with: of those of one second, `packed` keeps it. */
function placesIn(done: Done): Map<string, number> {
	const places = PLACES.get(done) ?? new Map([...done.keys()].map((key, place) => [key, place]));
	PLACES.set(done, places);
	return places;
}

/** All ways that the table allows, the shortest first, without the status where they begin. */
function waysBetween(from: string, to: string, moves: Moves): string[][] {
	const ways: string[][] = [[from]];
	for (const way of ways) {
		const next = moves[way.at(-1)!] ?? [];
		ways.push(...next.filter((step) => !way.includes(step)).map((step) => [...way, step]));
	}
	return ways.filter((way) => way.at(-1) === to).map((way) => way.slice(1));
}

/** The state that version 0.1 stored: the status of each record that was not in its initial one. */
function stateOfStatuses(
	raw: unknown,
	scope: string,
	moves: Moves,
	initial: string,
): State | undefined {
	if (!isObject(raw) || raw.v !== 1 || !isTime(raw.at) || !isTime(raw.since)) return undefined;
	if (!isObject(raw.known)) return undefined;
	const floor = raw.since;
	// When they were created was not stored; it was before this.
	const second = Math.max(0, secondOf(raw.at, floor));
	const had = Object.entries(raw.known).flatMap(([key, text]) => {
		const status = nameOf(String(text), moves);
		const [way = [status]] = waysBetween(initial, status, moves);
		return way.map((step) => [pairKey(key.slice(0, 10), step), second] as const);
	});
	return { v: 2, scope, floor, done: packed(new Map(had)), open: {} };
}
