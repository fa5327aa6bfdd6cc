import type { IDataObject } from 'n8n-workflow';

import { HOUR, isState, LOOK_BACK, type Setup } from './trigger-histories.ts';
import {
	BALANCE_BELOW,
	MINUTES_BELOW,
	plain,
	type Requests,
	type Row,
	type World,
} from './trigger-world.ts';

/**
 * What docs/trigger.md promises a user, told from what happened in the world and what n8n was handed,
 * and from nothing that the trigger stores.
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

	/** Looks at the items that a poll hands over. Its keys, one for each. */
	abstract keysOf(items: IDataObject[], poll: Poll): string[];

	/** The first activation has gone well: what is there is old. */
	begun(): void {}

	/** A poll that went well, be it with items or without. */
	polled(_poll: Poll): void {}

	/** What is known is stored, and survives the process. */
	stored(): void {}

	/** What was not stored is gone: the process has died, or n8n has refused a poll. */
	died(): void {}

	hear(_notice: string): void {}

	/** Nothing is to happen any more but what is due already. */
	abstract missing(settled: number): string[];

	deliver(keys: string[], isRepeatable: boolean): void {
		for (const key of keys) this.times.set(key, (this.times.get(key) ?? 0) + 1);
		if (isRepeatable) this.mayRepeat(keys);
	}

	/** They may come again, as docs/trigger.md says. */
	mayRepeat(keys: string[]): void {
		for (const key of keys) this.repeatable.add(key);
	}

	/** n8n saved that they were emitted, and no more. */
	lose(keys: string[]): void {
		for (const key of keys) this.lost.add(key);
	}

	settle(settled: number): void {
		for (const key of this.missing(settled))
			promise(this.times.has(key) || this.lost.has(key), () => `${key} missed`);
		for (const [key, times] of this.times)
			promise(times === 1 || this.repeatable.has(key), () => `${key} came ${times} times`);
	}
}

/** Each record that shows up within the look-back, once, oldest first; none that was there before. */
class RecordPromises extends Promises {
	private readonly old = new Set<string>();

	/** What shows up late, dated before this, may be left out: the user was told so. */
	private shortened = -Infinity;

	private hasBad = false;

	private hasToldBad = false;

	override begun(): void {
		for (const { id } of this.world.listed()) this.old.add(String(id));
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
	}

	missing(settled: number): string[] {
		promise(!this.hasBad || this.hasToldBad, () => 'A bad record was left out in silence');
		const isDue = (row: Row) => {
			const late = row.visible - row.at;
			const isInTime = late <= LOOK_BACK && (late <= 0 || row.at >= this.shortened);
			const isNew = !this.old.has(String(row.id));
			return row.isUsable && row.isWanted && row.visible <= settled && isNew && isInTime;
		};
		return this.world
			.listed()
			.filter(isDue)
			.map(({ id }) => String(id));
	}
}

/** Each record that is new or shows another state than before, once; at the end, the last state of each. */
class StatePromises extends Promises {
	/** The state that the user knows of each record. */
	private readonly told = new Map<string, string>();

	/** Records of which n8n may have forgotten that it started the workflow. */
	private readonly unsure = new Set<string>();

	private readonly old = new Set<string>();

	/** Moves of orders that polls were shown, and whether that is stored: also those that the limit delays. */
	private readonly seen = new Map<string, boolean>();

	private get isOfOrders(): boolean {
		return this.setup.event === 'orderStatusChanged';
	}

	override begun(): void {
		for (const { id, visits } of this.world.listed()) {
			visits.forEach((_visit, at) => this.old.add(`${id} ${at}`));
			this.told.set(String(id), plain(visits.at(-1)!.state));
		}
	}

	override polled({ requests, isAlone }: Poll): void {
		if (!isAlone || !this.isOfOrders) return;
		const shown = new Map<string, Set<number>>();
		for (const { id, visit } of requests.shown)
			shown.set(id, (shown.get(id) ?? new Set()).add(visit));
		// Of one that moved while the poll read it, either counts.
		for (const [id, visits] of shown) {
			const key = `${id} ${[...visits][0]}`;
			if (visits.size === 1 && !this.seen.has(key)) this.seen.set(key, false);
		}
	}

	override stored(): void {
		for (const key of this.seen.keys()) this.seen.set(key, true);
	}

	override died(): void {
		for (const [key, isStored] of this.seen) if (!isStored) this.seen.delete(key);
	}

	keysOf(items: IDataObject[]): string[] {
		const { event } = this.setup;
		return items.map(({ id, new_status, status, previous_status }) => {
			const states = this.world.rowOf(id).visits.map(({ state }) => plain(state));
			const state = event === 'newContact' ? '' : plain(String(new_status ?? status));
			const key = `${String(id)} ${states.lastIndexOf(state)}`;
			promise(states.includes(state), () => `${String(id)} was never ${state}`);
			promise(this.isWanted(state), () => `${key} is not wanted`);
			promise(!this.old.has(key), () => `${key} is old`);
			const before = previous_status ?? null;
			const wasSo =
				before === null || states.indexOf(plain(String(before))) < states.lastIndexOf(state);
			promise(wasSo && before !== state, () => `${key} from ${String(before)}, which was not so`);
			return key;
		});
	}

	override deliver(keys: string[], isRepeatable: boolean): void {
		this.tell(keys);
		super.deliver(keys, isRepeatable);
	}

	override lose(keys: string[]): void {
		super.lose(keys);
		this.tell(keys);
	}

	override mayRepeat(keys: string[]): void {
		super.mayRepeat(keys);
		for (const key of keys) this.unsure.add(key.split(' ')[0]!);
	}

	private tell(keys: string[]): void {
		for (const key of keys) {
			const [id, visit] = key.split(' ');
			this.unsure.delete(id!);
			this.told.set(id!, plain(this.world.rowOf(id).visits[Number(visit)]!.state));
		}
	}

	private isWanted(state: string): boolean {
		return !this.isOfOrders || !this.setup.filtered || /^(completed|cancelled)$/.test(state);
	}

	missing(settled: number): string[] {
		const last = this.world
			.listed()
			.filter(({ visible }) => visible <= settled)
			.filter(({ id, visits }) => {
				const first = this.isOfOrders ? 'pending' : undefined;
				if (this.unsure.has(String(id))) return false;
				return (this.told.get(String(id)) ?? first) !== plain(visits.at(-1)!.state);
			})
			.map(({ id, visits }) => `${id} ${visits.length - 1}`);
		return [...last, ...this.seen.keys()].filter((key) => {
			const [id, visit] = key.split(' ');
			const state = plain(this.world.rowOf(id).visits[Number(visit)]!.state);
			const isFirst = this.isOfOrders && state === 'pending';
			return !this.old.has(key) && !isFirst && this.isWanted(state);
		});
	}
}

/** One alert when the value falls below: none without a rise since the last, none left out if a poll saw the rise. */
class AlertPromises extends Promises {
	private last: { began: number; ended: number; period: number } | undefined;

	private mayAlert = false;

	private count = 0;

	/** When a poll last saw the value above, and whether that is stored. */
	private above: { at: number; isStored: boolean } | undefined;

	private poll: Poll | undefined;

	private get threshold(): number {
		return this.setup.event === 'lowBalance' ? BALANCE_BELOW : MINUTES_BELOW;
	}

	override polled({ requests, isAlone }: Poll): void {
		const { value } = requests.levels[0] ?? {};
		if (isAlone && value !== undefined && value >= this.threshold)
			this.above = { at: this.world.now, isStored: false };
	}

	override stored(): void {
		if (this.above) this.above.isStored = true;
	}

	override died(): void {
		if (this.above?.isStored === false) this.above = undefined;
	}

	override mayRepeat(keys: string[]): void {
		super.mayRepeat(keys);
		if (keys.length > 0) this.mayAlert = true;
	}

	keysOf(items: IDataObject[], poll: Poll): string[] {
		this.poll = poll;
		return items.map((item) => {
			const value = this.setup.event === 'lowBalance' ? item.balance : item.minutes_remaining;
			promise((value as number) < this.threshold, () => `An alert at ${String(value)}`);
			const hasReason = this.mayAlert || !this.last || this.hasRisen(this.last.began);
			promise(hasReason, () => 'An alert without a rise since the last');
			return `alert ${(this.count += 1)}`;
		});
	}

	override deliver(keys: string[], isRepeatable: boolean): void {
		if (keys.length > 0) this.alerted();
		super.deliver(keys, isRepeatable);
	}

	override lose(keys: string[]): void {
		super.lose(keys);
		if (keys.length > 0) this.alerted();
		this.mayAlert ||= keys.length > 0;
	}

	private alerted(): void {
		const { period } = this.poll!.requests.levels[0]!;
		this.last = { began: this.poll!.began, ended: this.world.now, period };
		this.mayAlert = false;
	}

	private hasRisen(since: number): boolean {
		const { levels } = this.world;
		const isShown = this.setup.period !== 'none';
		return levels.some(
			({ value, period }, index) =>
				(value >= this.threshold || (isShown && period > this.last!.period)) &&
				(levels[index + 1]?.at ?? Infinity) > since,
		);
	}

	missing(): string[] {
		const { world, last } = this;
		if (world.level.value >= this.threshold) return [];
		if (last === undefined) return ['The first alert'];
		const isNewPeriod = this.setup.period !== 'none' && world.level.period > last.period;
		const isSeen = (this.above?.at ?? -Infinity) > last.ended;
		return isNewPeriod || isSeen ? ['The next alert'] : [];
	}
}

export function promisesOf(setup: Setup, world: World): Promises {
	if (isState(setup.event)) return new StatePromises(setup, world);
	const isValue = setup.event === 'lowBalance' || setup.event === 'lowMinutes';
	return isValue ? new AlertPromises(setup, world) : new RecordPromises(setup, world);
}
