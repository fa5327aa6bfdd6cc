import { isObject, type JsonObject } from '../../json';
import { shorten, type Dated } from '../reading/record';
import { isTime, packed, secondOf, type State } from '../reading/state';
import type { Known } from '../reading/window';
import type { FollowedList } from './list';

/** Records whose moves from one status to another are followed. */
export interface FollowedStatuses extends Pick<
	FollowedList,
	'path' | 'query' | 'order' | 'spanName'
> {
	/** The status that every record begins with. */
	initial: string;
	/** Each status, in the order in which they can follow each other, with those that it can move to. */
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
	/** Whether it lay between two polls, and only the reference's table shows it. */
	inferred: boolean;
}

/**
 * A list whose records fire each time that their status changes. What is remembered is which status
 * each record has had, but for the initial one, which all have had: so no answer that is out of date
 * fires a move twice.
 */
export function statusesOf(statuses: FollowedStatuses): FollowedList {
	const { path, query, order, spanName, span, from, to, moves, initial, shape } = statuses;
	const isAmong = (wanted: readonly string[], status: string) =>
		wanted.length === 0 || wanted.includes(status);
	const isWanted = (move: Move) =>
		isAmong(from, move.previous_status) && isAmong(to, move.new_status);

	return {
		path,
		query,
		order,
		spanName,
		horizon: (now) => now - span,
		lacks: ({ status }) => (typeof status === 'string' ? undefined : 'status'),
		eventsOf: (record, state) =>
			movesOf(record, state, statuses).map((move) => ({
				key: pairKey(record.key, move.new_status),
				at: record.at,
				record: { ...record.record, ...move },
			})),
		judge(record) {
			const { previous_status, new_status, inferred } = record as unknown as Move;
			const move = { previous_status, new_status, inferred };
			return isWanted(move) ? { item: { ...shape(record), ...move } } : 'unwanted';
		},
		upgrade: (raw, scope) => stateOfStatuses(raw, scope, moves, initial),
	};
}

/** Stands for a record's having had a status. */
const pairKey = (key: string, status: string) => shorten(`${key}:${status}`);

/** How a record came to its status from the last that is known; a known one again where it has not moved. */
function movesOf({ key, record }: Dated, state: Known, statuses: FollowedStatuses): Move[] {
	const { moves, initial, isAfterGap, from } = statuses;
	const status = String(record.status);
	const hasHad = (one: string) => state.done.has(pairKey(key, one));
	const last = Object.keys(moves).findLast(hasHad) ?? initial;
	if (status === last && status === initial) return [];
	if (hasHad(status)) return [{ previous_status: last, new_status: status, inferred: false }];
	// A move that was seen, and not saved, would be hidden by a shorter way.
	const by = isAfterGap && !from.includes(last) ? from : [];
	const way = by
		.map((each) => wayThrough(each, last, status, moves))
		.find((one) => one !== undefined);
	const steps = way ?? wayBetween(last, status, moves) ?? [status];
	return steps.map((step, at) => ({
		previous_status: steps[at - 1] ?? last,
		new_status: step,
		inferred: steps.length > 1,
	}));
}

type Moves = FollowedStatuses['moves'];

/** The shortest way that the table allows, without the status where it begins. */
function wayBetween(from: string, to: string, moves: Moves): string[] | undefined {
	const ways: string[][] = [[from]];
	for (const way of ways) {
		const here = way.at(-1)!;
		if (here === to) return way.slice(1);
		ways.push(
			...(moves[here] ?? []).filter((next) => !way.includes(next)).map((next) => [...way, next]),
		);
	}
	return undefined;
}

function wayThrough(middle: string, from: string, to: string, moves: Moves): string[] | undefined {
	const there = wayBetween(from, middle, moves);
	const on = wayBetween(middle, to, moves);
	return there && on && on.length > 0 ? [...there, ...on] : undefined;
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
	const had = Object.entries(raw.known).flatMap(([key, status]) =>
		(wayBetween(initial, String(status), moves) ?? [String(status)]).map(
			(step) => [pairKey(key.slice(0, 10), step), second] as const,
		),
	);
	return { v: 2, scope, floor, done: packed(new Map(had)), open: {} };
}
