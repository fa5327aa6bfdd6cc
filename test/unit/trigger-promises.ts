import type { IDataObject } from 'n8n-workflow';

import { HOUR, LOOK_BACK, SECOND, type Setup } from './trigger-histories.ts';
import {
	BALANCE_BELOW,
	MINUTES_BELOW,
	ORDER_MOVES,
	plain,
	START,
	type Requests,
	type World,
} from './trigger-world.ts';

/**
 * What README promises a user, told from what happened in the world and what n8n was handed, and
 * from nothing that the trigger stores.
 */

/** A promise to the user that was not kept. */
export class Broken extends Error {}

export const promise = (isKept: boolean, what: () => string): void => {
	if (!isKept) throw new Broken(what());
};

/** A poll, as far as the world saw it. */
export interface Poll {
	began: number;
	requests: Requests;
	/** Whether no other was under way at any moment of it: of two at once, one gives way. */
	isAlone: boolean;
}

/** The promises of one kind of event. What has happened is called by a key: a record, a move, an alert. */
export abstract class Promises {
	protected readonly setup: Setup;

	protected readonly world: World;

	private readonly times = new Map<string, number>();

	private readonly lost = new Set<string>();

	private readonly repeatable = new Set<string>();

	constructor(setup: Setup, world: World) {
		this.setup = setup;
		this.world = world;
	}

	/** The state of version 0.1, by which the trigger goes on. */
	abstract upgraded(keyOf: (id: string) => string): object;

	/** Looks at the items that a poll hands over. Its keys, one for each. */
	abstract keysOf(items: IDataObject[], poll: Poll): string[];

	/** The first activation: `was` is what there was as it began. */
	begun(_was: ReadonlySet<string>): void {}

	/** A poll that went well, be it with items or without. */
	polled(_poll: Poll): void {}

	/** What is known is stored, and survives the process. */
	stored(): void {}

	/** What was not stored is gone: the process has died, or n8n has refused a poll. */
	died(): void {}

	hear(_notice: string): void {}

	/** Nothing is to happen any more but what is due already. */
	abstract missing(settled: number): string[];

	/** What there is to happen by now. */
	abstract present(): Set<string>;

	deliver(keys: string[], isRepeatable: boolean): void {
		for (const key of keys) {
			this.times.set(key, (this.times.get(key) ?? 0) + 1);
			if (isRepeatable) this.repeatable.add(key);
		}
	}

	/** n8n saved that they were emitted, and no more. */
	lose(keys: string[]): void {
		for (const key of keys) this.lost.add(key);
	}

	/** An old copy was put back, and no process knows better: README says so. */
	forgetDelivered(): void {
		for (const key of this.times.keys()) this.repeatable.add(key);
	}

	settle(settled: number): void {
		for (const key of this.missing(settled))
			promise(this.times.has(key) || this.lost.has(key), () => `${key} missed`);
		for (const [key, times] of this.times)
			promise(times === 1 || this.repeatable.has(key), () => `${key} came ${times} times`);
	}
}

/** Each record that shows up within the look-back, once, oldest first; none that was there before. */
export class RecordPromises extends Promises {
	private readonly old = new Set<string>();

	/** What showed up while the first activation read: it may count as old. */
	private readonly maybeOld = new Set<string>();

	/** What shows up late, dated before this, may be left out: the user was told so. */
	private shortened = -Infinity;

	private hasBad = false;

	private hasToldBad = false;

	upgraded(keyOf: (id: string) => string) {
		const f = START - LOOK_BACK;
		const ids: Record<string, number> = {};
		this.world.listed().forEach(({ id, at }, index) => {
			const wasDone = this.setup.initial[index % this.setup.initial.length]![2];
			if (at >= f && wasDone) ids[keyOf(String(id))] = at;
			if (at < f || wasDone) this.old.add(String(id));
		});
		return { f, h: START, r: f, l: f, ids };
	}

	present = () => new Set(this.world.listed().map(({ id }) => String(id)));

	override begun(was: ReadonlySet<string>): void {
		for (const id of was) this.old.add(id);
		for (const id of this.present()) this.maybeOld.add(id);
	}

	override polled({ requests }: Poll): void {
		this.hasBad ||= requests.hasBad;
	}

	keysOf(items: IDataObject[]): string[] {
		const { world, setup } = this;
		return items.map((item, index) => {
			const row = world.rowOf(item.id);
			promise(row.isUsable && row.isWanted, () => `${row.id} is not wanted`);
			promise(!this.old.has(String(row.id)), () => `${row.id} is old`);
			const last = index > 0 ? world.rowOf(items[index - 1]!.id) : undefined;
			promise(!last || last.at <= row.at, () => 'Not oldest first');
			// Where the API does not tell its time, n8n's clock counts.
			const now = world.now + (setup.dated ? 0 : setup.skew);
			const isComplete = item.ready === true || now >= row.at + 2 * HOUR;
			promise(setup.event !== 'callReady' || isComplete, () => `${row.id} came too early`);
			return String(row.id);
		});
	}

	override hear(notice: string): void {
		if (/no id or no created_at/.test(notice)) this.hasToldBad = true;
		const [, date] = /created before (\S+) no longer/.exec(notice) ?? [];
		if (date !== undefined) this.shortened = Math.max(this.shortened, Date.parse(date));
		if (/in a row/.test(notice)) this.shortened = this.world.now;
	}

	missing(settled: number): string[] {
		promise(!this.hasBad || this.hasToldBad, () => 'A bad record was left out in silence');
		const isDue = (row: ReturnType<World['rowOf']>) => {
			const late = row.visible - row.at;
			const isNew = !this.old.has(String(row.id)) && !this.maybeOld.has(String(row.id));
			const isInTime = late <= LOOK_BACK && (late <= 0 || row.at >= this.shortened);
			return row.isUsable && row.isWanted && row.visible <= settled && isNew && isInTime;
		};
		return this.world
			.listed()
			.filter(isDue)
			.map(({ id }) => String(id));
	}
}

/**
 * Each status that an order shows at a poll and did not have before, once, with the one that it had
 * last; and those that the reference's table says must have lain between, marked.
 */
export class MovePromises extends Promises {
	private readonly old = new Set<string>();

	/** What polls were shown: by key, whether it is stored. */
	private readonly seen = new Map<string, boolean>();

	private isTold = false;

	upgraded(keyOf: (id: string) => string) {
		const had = this.world.listed().filter(({ statuses }) => statuses.length > 1);
		this.begun();
		const known = Object.fromEntries(
			had.map(({ id, statuses }) => [keyOf(String(id)), statuses.at(-1)]),
		);
		return { at: START, since: START - 14 * 24 * HOUR, known };
	}

	present = () =>
		new Set(
			this.world
				.listed()
				.flatMap(({ id, statuses }) => statuses.map((status) => keyOfMove(id, status))),
		);

	override begun(): void {
		for (const key of this.present()) this.old.add(key);
	}

	override polled({ began, requests, isAlone }: Poll): void {
		// One that runs out of time has not taken up all that it was shown.
		if (!isAlone || this.world.now > began + 10 * SECOND) return;
		const shown = new Map<string, Set<string>>();
		for (const { id, status } of requests.orders)
			shown.set(id, (shown.get(id) ?? new Set()).add(keyOfMove(id, status)));
		// Of one that moved while the poll read it, either counts.
		for (const keys of shown.values())
			for (const key of keys) if (keys.size === 1 && !this.seen.has(key)) this.seen.set(key, false);
	}

	override stored(): void {
		for (const key of this.seen.keys()) this.seen.set(key, true);
	}

	override died(): void {
		for (const [key, isStored] of this.seen) if (!isStored) this.seen.delete(key);
	}

	override hear(notice: string): void {
		this.isTold ||= /no longer|in a row/.test(notice);
	}

	keysOf(items: IDataObject[]): string[] {
		return items.map(({ id, previous_status, new_status, inferred }) => {
			const key = keyOfMove(String(id), String(new_status));
			const [from, to] = [String(previous_status), plain(String(new_status))];
			const had = this.world.rowOf(id).statuses.map(plain);
			const [before, after] = [had.indexOf(from), had.indexOf(to)];
			const isWanted = !this.setup.filtered || to === 'completed' || to === 'cancelled';
			promise(isWanted, () => `${key} is not wanted`);
			promise(!this.old.has(key), () => `${key} is old`);
			promise(from in ORDER_MOVES, () => `${key} from ${from}`);
			const isAllowed = ORDER_MOVES[from]!.includes(to) || !(to in ORDER_MOVES);
			promise(isAllowed, () => `${key} from ${from}, which no order does`);
			const wasSo = 0 <= before && before < after;
			promise(inferred === true || wasSo, () => `${key} from ${from}, which was not so`);
			return key;
		});
	}

	missing(settled: number): string[] {
		if (this.isTold) return [];
		const isWanted = (key: string) => !this.setup.filtered || /completed$|cancelled$/.test(key);
		const last = this.world
			.listed()
			.filter(({ visible }) => visible <= settled)
			.map(({ id, statuses }) => keyOfMove(id, statuses.at(-1)!));
		return [...last, ...this.seen.keys()].filter(
			(key) => !this.old.has(key) && !key.endsWith(' pending') && isWanted(key),
		);
	}
}

const keyOfMove = (id: string | number, status: string) => `${id} ${plain(status)}`;

/**
 * One alert for each time that the value is below: none without a rise since the last, and none
 * left out where a poll saw the rise, or the transactions or another period tell of it.
 */
export class AlertPromises extends Promises {
	private last: { began: number; ended: number; period: number } | undefined;

	private mayRepeat = false;

	private count = 0;

	/** When a poll last saw the value above, and whether that is stored. */
	private above: { at: number; isStored: boolean } | undefined;

	private poll: Poll | undefined;

	private get threshold(): number {
		return this.setup.event === 'lowBalance' ? BALANCE_BELOW : MINUTES_BELOW;
	}

	upgraded() {
		const { value, period } = this.world.level;
		const fired = value < this.threshold;
		if (fired) this.last = { began: START, ended: START, period };
		return { fired, at: START };
	}

	present = () => new Set<string>();

	override polled({ requests, isAlone }: Poll): void {
		const at = this.world.now;
		const { value } = requests.levels[0] ?? {};
		if (isAlone && value !== undefined && value >= this.threshold)
			this.above = { at, isStored: false };
	}

	override stored(): void {
		if (this.above) this.above.isStored = true;
	}

	override died(): void {
		if (this.above?.isStored === false) this.above = undefined;
	}

	override forgetDelivered(): void {
		super.forgetDelivered();
		this.mayRepeat = true;
	}

	keysOf(items: IDataObject[], poll: Poll): string[] {
		this.poll = poll;
		return items.map((item) => {
			const value = this.setup.event === 'lowBalance' ? item.balance : item.minutes_remaining;
			promise((value as number) < this.threshold, () => `An alert at ${String(value)}`);
			const hasReason = this.mayRepeat || !this.last || this.hasRisen(this.last.began);
			promise(hasReason, () => 'An alert without a rise since the last');
			return `alert ${(this.count += 1)}`;
		});
	}

	override deliver(keys: string[], isRepeatable: boolean): void {
		super.deliver(keys, isRepeatable);
		if (keys.length > 0) this.alerted(isRepeatable);
	}

	override lose(keys: string[]): void {
		super.lose(keys);
		if (keys.length > 0) this.alerted(true);
	}

	private alerted(mayRepeat: boolean): void {
		const { period } = this.poll!.requests.levels[0]!;
		this.last = { began: this.poll!.began, ended: this.world.now, period };
		this.mayRepeat = mayRepeat;
	}

	private hasRisen(since: number): boolean {
		const { levels } = this.world;
		return levels.some(
			({ value, period }, index) =>
				(value >= this.threshold || period > this.last!.period) &&
				(levels[index + 1]?.at ?? Infinity) > since,
		);
	}

	missing(): string[] {
		const { world, setup, last } = this;
		if (world.level.value >= this.threshold) return [];
		if (last === undefined) return ['The first alert'];
		const isNewPeriod = world.level.period > last.period;
		const isSeen = (this.above?.at ?? -Infinity) > last.ended;
		// n8n's own second of the alert is in part before it.
		const isBooked =
			setup.event === 'lowBalance' && setup.dated && this.hasRisen(last.ended + SECOND);
		return isNewPeriod || isSeen || isBooked ? ['The next alert'] : [];
	}
}

export function promisesOf(setup: Setup, world: World): Promises {
	if (setup.event === 'orderStatusChanged') return new MovePromises(setup, world);
	const isValue = setup.event === 'lowBalance' || setup.event === 'lowMinutes';
	return isValue ? new AlertPromises(setup, world) : new RecordPromises(setup, world);
}
