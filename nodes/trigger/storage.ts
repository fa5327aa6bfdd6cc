import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { isObject } from '../json';
import { MINUTE } from '../time';

/** What is stored. A batch is what one poll handed over: items, or a new beginning. */
export interface Saved {
	/** How many batches there were by then. */
	batch: number;
	/** Tells this batch from one of the same number in another process. */
	id: string;
	/** The node's name by then. */
	name: string;
	/** The event and the settings that it was stored for. */
	what: string;
	state: unknown;
	/** What the user has to be told with the next item. */
	notices: string[];
	/** Of the copy: the id of the batch that was saved with it. */
	next?: string;
}

/** One poll that runs. Time in ms. */
interface Turn {
	began: number;
	/** What it watches, and in which account. */
	scope: string;
}

/** What this process knows of one node. */
interface Memory {
	/** What it last stored, or tried to. */
	saved?: Saved;
	/** The batch in n8n's data that this follows from. */
	base?: string;
	/** When it last handed over items (ms). */
	handedAt: number;
	turn?: Turn;
	/** Notices that have failed a poll already. */
	told: Set<string>;
}

const memories = new Map<string, Memory>();

/**
 * Where the state of one node is kept.
 *
 * - n8n's data of the node: saved together with the items, so it is right. But n8n keeps it under the
 *   node's name, so renaming the node loses it. With durable cursors n8n drops what an activation stores.
 * - n8n's data of the workflow: a copy under the node's id, from before the last batch. With durable
 *   cursors n8n may save it without the items, so it must not be ahead of them.
 * - This process: what polls without items learned. n8n may drop that. It counts only if it follows
 *   from what is stored.
 */
export class Storage {
	private readonly own: IDataObject;

	private readonly shared: IDataObject;

	private readonly copyKey: string;

	private readonly name: string;

	private readonly memory: Memory;

	private turn: Turn | undefined;

	constructor(context: IPollFunctions) {
		const { id, name } = context.getNode();
		const key = `${context.getWorkflow().id}:${id}`;
		this.own = context.getWorkflowStaticData('node');
		this.shared = context.getWorkflowStaticData('global');
		this.copyKey = `ykVoiceTrigger:${id}`;
		this.name = name;
		this.memory = memories.get(key) ?? { handedAt: -Infinity, told: new Set() };
		memories.set(key, this.memory);
	}

	/**
	 * Only one poll of a node runs at a time. A poll takes over from one that watches something else or
	 * takes longer than n8n allows, and always if the workflow was just switched on.
	 *
	 * @param budget how long n8n lets a poll run (ms)
	 * @returns whether this poll may run
	 */
	takeTurn(scope: string, budget: number, isActivation: boolean): boolean {
		const { turn } = this.memory;
		const isBusy = turn?.scope === scope && Date.now() - turn.began < budget;
		if (isBusy && !isActivation) return false;
		this.turn = { began: Date.now(), scope };
		this.memory.turn = this.turn;
		return true;
	}

	/** Whether another poll has taken over: then this one must not hand over anything. */
	get isOver(): boolean {
		return this.memory.turn !== this.turn;
	}

	endTurn(): void {
		if (!this.isOver) this.memory.turn = undefined;
	}

	/**
	 * What the last poll left. 'outdated' if n8n shows an older copy than it was just handed: n8n is
	 * still saving, or could not. After a minute the copy counts, and what followed it comes again.
	 */
	recall(isActivation: boolean): Saved | 'outdated' | undefined {
		const { saved, base, handedAt } = this.memory;
		const { stored, isLeftBehind } = this.stored();
		// A beginning that n8n did not store: a scheduled poll goes on from it, an activation begins again.
		if (stored === undefined) return base === undefined && !isActivation ? saved : undefined;
		if (saved === undefined) return stored;
		if (stored.id === base || stored.id === saved.id) return saved;
		// A rename has left the last batch behind under the old name.
		if (isLeftBehind && stored.next === saved.id) return saved;
		const isBehind = stored.batch < saved.batch && Date.now() - handedAt < MINUTE;
		return isBehind ? 'outdated' : stored;
	}

	/** @param before what this follows from; undefined for a beginning, which counts as a batch too */
	save(
		found: Pick<Saved, 'what' | 'state' | 'notices'>,
		before: Saved | undefined,
		hasItems: boolean,
	): void {
		const { memory, name } = this;
		const { stored } = this.stored();
		const isBatch = hasItems || before === undefined;
		const last = Math.max(stored?.batch ?? 0, memory.saved?.batch ?? 0);
		const batch = isBatch
			? { batch: last + 1, id: newId() }
			: { batch: before.batch, id: before.id };
		const saved: Saved = { ...batch, name, ...found };
		memory.base = hasItems ? saved.id : stored?.id;
		memory.saved = saved;
		if (hasItems) memory.handedAt = Date.now();
		// With durable cursors n8n writes to its database whenever this changes.
		if (JSON.stringify(saved) !== JSON.stringify(this.own.saved))
			this.own.saved = saved as unknown as IDataObject;
		const copy = before === undefined ? saved : { ...before, name, next: saved.id };
		if (isBatch) this.shared[this.copyKey] = copy as unknown as IDataObject;
	}

	/** Which of these notices have not failed a poll yet. Numbers in them may differ. */
	untold(notices: string[]): string[] {
		const gist = (notice: string) => notice.replaceAll(/\d+/g, '');
		const untold = notices.filter((notice) => !this.memory.told.has(gist(notice)));
		for (const notice of untold) this.memory.told.add(gist(notice));
		return untold;
	}

	/** The copy in n8n's data that counts: the one with more batches. */
	private stored(): { stored?: Saved; isLeftBehind: boolean } {
		const own = savedIn(this.own.saved);
		const copy = savedIn(this.shared[this.copyKey]);
		const isRenamed = copy !== undefined && copy.name !== this.name;
		if (own === undefined) return { stored: copy, isLeftBehind: isRenamed };
		// Under an earlier name of the node, an old state may have been left.
		const isOld = isRenamed && own.name === this.name && own.batch === copy.batch;
		if (copy !== undefined && (copy.batch > own.batch || isOld))
			return { stored: copy, isLeftBehind: isRenamed };
		return { stored: own, isLeftBehind: false };
	}
}

const newId = () => Math.random().toString(36).slice(2);

/** A stored value. Undefined if it is missing or damaged. */
function savedIn(raw: unknown): Saved | undefined {
	if (!isObject(raw)) return undefined;
	const { batch, id, name, what, notices } = raw;
	const isText = [id, name, what].every((text) => typeof text === 'string');
	if (!Number.isSafeInteger(batch) || !isText || !Array.isArray(notices)) return undefined;
	return raw as unknown as Saved;
}
