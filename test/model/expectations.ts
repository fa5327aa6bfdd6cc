import type { IDataObject } from 'n8n-workflow';

import { fallOf, idOf, type Account, type Row } from './account.ts';
import { LOOK_BACK, watchesStates, type Setup } from './history.ts';

// What docs/trigger.md promises to the user. It is checked by what happened in the account and by the
// items that n8n got, and never by what the trigger stores.

/** The trigger has broken one of its promises. */
export class BrokenPromise extends Error {}

export function expectThat(isSo: boolean, complaint: string): void {
	if (!isSo) throw new BrokenPromise(complaint);
}

/**
 * What is expected of a trigger for one account, and what n8n got from it. Everything that starts the workflow has a
 * key: the id of a record, or a record's id with the number of its state.
 */
export abstract class Expectations {
	protected readonly setup: Setup;

	protected readonly account: Account;

	/** Key → how often the workflow was started for it. */
	private readonly starts = new Map<string, number>();

	/** Keys that n8n stored as done, but did not start the workflow for. */
	private readonly lostKeys = new Set<string>();

	/** Keys that may start the workflow again, as docs/limits.md says. */
	private readonly repeatable = new Set<string>();

	constructor(setup: Setup, account: Account) {
		this.setup = setup;
		this.account = account;
	}

	/** Checks the items of a poll, and returns the key of each. */
	abstract keysOf(items: IDataObject[]): string[];

	/** Keys that must have started the workflow if nothing happens after `settledAt`. */
	protected abstract due(settledAt: number): string[];

	/** The first poll has read everything that there is. */
	begun(): void {}

	/**
	 * Whether an account begins with this poll or with the next is not known from outside. What is there may come or
	 * not.
	 */
	mayBegin(): void {}

	/** A poll that nothing disturbed has read the account. */
	read(): void {}

	/** The trigger knows only what n8n has stored. */
	forgotten(): void {}

	/** Whether the account certainly shows a record that n8n has stored for it. */
	isSurelyKnown(): boolean {
		return false;
	}

	/** Whether the workflow was started for this key, and n8n has stored that. */
	protected isSure(key: string): boolean {
		return this.starts.has(key) && !this.repeatable.has(key);
	}

	started(key: string): void {
		this.starts.set(key, (this.starts.get(key) ?? 0) + 1);
	}

	/** A key that was started, but not stored. */
	mayRepeat(key: string): void {
		this.started(key);
		this.repeatable.add(key);
	}

	lost(key: string): void {
		this.lostKeys.add(key);
	}

	/**
	 * Checks that everything has started the workflow once or, if some still have to wait, that those that wait or
	 * cannot be read hold up no others.
	 */
	check(settledAt: number, isWhole: boolean): void {
		for (const key of this.due(settledAt))
			if (isWhole || this.isReadable(key, settledAt))
				expectThat(this.starts.has(key) || this.lostKeys.has(key), `${key} never came`);
		for (const [key, times] of this.starts)
			expectThat(times === 1 || this.repeatable.has(key), `${key} came ${times} times`);
	}

	/** Whether what the key stands for was complete at a time. */
	protected isReadable(key: string, time: number): boolean {
		const [id = ''] = key.split(' ');
		const { endsAt, summaryAt, brokenUntil } = this.account.rowOf(id);
		const completeAt = this.setup.event === 'callReady' ? summaryAt : endsAt;
		return completeAt <= time && brokenUntil <= time;
	}
}

/** Each new record that shows up within Look Back comes once, oldest first. */
class ExpectedRecords extends Expectations {
	/** The records that were there before the trigger. */
	private readonly old = new Set<string>();

	/** What may come or not, such as calls that were in progress then, but had begun before Look Back. */
	private readonly long = new Set<string>();

	override begun(): void {
		const isCall = ['newCall', 'callReady'].includes(this.setup.event);
		for (const { id, at, endsAt } of this.account.listed()) {
			if (!isCall || endsAt <= this.account.now) this.old.add(id);
			else if (at < this.account.now - LOOK_BACK) this.long.add(id);
		}
	}

	override mayBegin(): void {
		for (const { id } of this.account.listed()) if (!this.old.has(id)) this.long.add(id);
	}

	/** Of the records that started the workflow, the newest is always within Look Back of what is known. */
	override isSurelyKnown(): boolean {
		const known = this.account.everyone().filter(({ id }) => this.isSure(id));
		const newest = known.reduce<Row | undefined>((a, b) => (a && a.at > b.at ? a : b), undefined);
		return newest !== undefined && this.account.listed().includes(newest);
	}

	keysOf(items: IDataObject[]): string[] {
		const rows = items.map(({ id }) => this.account.rowOf(id));
		rows.forEach((row, index) => {
			expectThat(!this.old.has(row.id), `${row.id} is old`);
			expectThat((rows[index - 1]?.at ?? -Infinity) <= row.at, 'Not oldest first');
			const item = items[index]!;
			if (['newCall', 'callReady'].includes(this.setup.event))
				expectThat(row.endsAt <= this.account.now, `${row.id} came before its end`);
			if (this.setup.event === 'callReady')
				expectThat(this.isReady(row, item), `${row.id} came too early`);
			if (this.setup.event === 'newOrder' && this.setup.hasLines)
				expectThat(
					item.line_items !== undefined || this.isGivenUp(row, item),
					`${row.id} came without its lines`,
				);
		});
		return rows.map(({ id }) => id);
	}

	/** Whether a call has its summary, or has waited for it long enough after its end. */
	private isReady(row: Row, item: IDataObject): boolean {
		const isOver = this.account.now >= row.endsAt + this.setup.waitAtMost;
		return item.ready === true || (item.incomplete ? this.isGivenUp(row, item) : isOver);
	}

	/** Whether a record is marked as incomplete, and its parts could not be read for Look Back. */
	private isGivenUp({ visibleAt, endsAt, brokenUntil }: Row, item: IDataObject): boolean {
		// Only calls have an end.
		const shownAt = this.setup.event === 'newOrder' ? visibleAt : Math.max(visibleAt, endsAt);
		const wasBroken = brokenUntil > shownAt && this.account.now >= shownAt + LOOK_BACK;
		return item.incomplete === true && wasBroken;
	}

	protected due(settledAt: number): string[] {
		const isDue = ({ id, at, visibleAt }: Row) => {
			const isInTime = visibleAt - at <= LOOK_BACK && visibleAt <= settledAt;
			return isInTime && !this.old.has(id) && !this.long.has(id);
		};
		return this.account
			.listed()
			.filter(isDue)
			.map(({ id }) => id);
	}
}

/**
 * Each record that is new or shows another state than before comes once. Of states between two polls, and of
 * those that Limit per Poll delays, only the last one has to come.
 */
class ExpectedStates extends Expectations {
	/** Id → the last state that came, or that the record had at the beginning. */
	private readonly known = new Map<string, string>();

	/** States that the records had at the beginning. */
	private readonly old = new Set<string>();

	/** Records whose last state may come again. */
	private readonly unsure = new Set<string>();

	private get isOfOrders(): boolean {
		return this.setup.event === 'orderStatusChanged';
	}

	override begun(): void {
		for (const { id, states } of this.account.listed())
			states.forEach((_state, index) => this.old.add(`${id} ${index}`));
		this.mayBegin();
	}

	override mayBegin(): void {
		for (const { id, states } of this.account.listed()) this.known.set(id, states.at(-1)!);
	}

	override isSurelyKnown(): boolean {
		const { account } = this;
		return account.listed().some(({ id, states }) => this.isSure(`${id} ${states.length - 1}`));
	}

	keysOf(items: IDataObject[]): string[] {
		return items.map((item) => {
			const id = String(item.id);
			const { states } = this.account.rowOf(id);
			const isContact = this.setup.event === 'newContact';
			const state = isContact ? '' : String(item.new_status ?? item.status);
			const index = states.lastIndexOf(state);
			const key = `${id} ${index}`;
			expectThat(index >= 0, `${id} was never ${state}`);
			expectThat(!this.old.has(key), `${key} is old`);
			if (this.isOfOrders && this.setup.hasLines)
				expectThat(
					item.line_items !== undefined || item.incomplete === true,
					`${key} came without its lines`,
				);
			const before = (item.previous_status ?? null) as string | null;
			const wasBefore = before === null || states.slice(0, index).includes(before);
			expectThat(wasBefore && before !== state, `${key} was not ${before} before`);
			return key;
		});
	}

	override started(key: string): void {
		super.started(key);
		this.remember(key, true);
	}

	override lost(key: string): void {
		super.lost(key);
		this.remember(key, true);
	}

	override mayRepeat(key: string): void {
		super.mayRepeat(key);
		this.remember(key, false);
	}

	private remember(key: string, isSure: boolean): void {
		const [id = '', index] = key.split(' ');
		this.known.set(id, this.account.rowOf(id).states[Number(index)]!);
		if (isSure) this.unsure.delete(id);
		else this.unsure.add(id);
	}

	protected due(settledAt: number): string[] {
		// A new order does not come while it is pending.
		const first = this.isOfOrders ? 'pending' : undefined;
		const isDue = ({ id, visibleAt, states }: Row) => {
			const last = states.at(-1)!;
			const isNew = (this.known.get(id) ?? first) !== last && !this.unsure.has(id);
			return visibleAt <= settledAt && isNew;
		};
		const due = this.account.listed().filter(isDue);
		return due
			.map(({ id, states }) => `${id} ${states.length - 1}`)
			.filter((key) => !this.old.has(key));
	}
}

/** Each fall of a balance comes once, if a poll has read the wallet before it fell. */
class ExpectedFalls extends Expectations {
	/** The falls that were there before the trigger. */
	private readonly old = new Set<string>();

	/** When a poll last found that the balance was not low. */
	private highAt = Infinity;

	override begun(): void {
		for (const { id } of this.account.listed()) this.old.add(id);
	}

	override mayBegin(): void {
		this.highAt = Infinity;
	}

	/** n8n does not store what polls without items find out. */
	override forgotten(): void {
		this.mayBegin();
	}

	override read(): void {
		if (!this.account.isLow) this.highAt = this.account.now;
	}

	keysOf(items: IDataObject[]): string[] {
		return items.map(({ balance }) => {
			const { id } = this.account.rowOf(idOf(fallOf(balance)));
			expectThat(!this.old.has(id), `${id} is old`);
			return id;
		});
	}

	protected due(settledAt: number): string[] {
		const [last, before] = this.account.listed().toReversed();
		const wasHigh = last !== undefined && this.highAt > (before?.at ?? 0) && last.at > this.highAt;
		const isDue = this.account.isLow && wasHigh;
		return isDue && last.at <= settledAt && !this.old.has(last.id) ? [last.id] : [];
	}
}

export function expectationsOf(setup: Setup, account: Account): Expectations {
	if (setup.event === 'lowBalance') return new ExpectedFalls(setup, account);
	const Expected = watchesStates(setup.event) ? ExpectedStates : ExpectedRecords;
	return new Expected(setup, account);
}
