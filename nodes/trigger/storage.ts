import type { IDataObject, INode, IPollFunctions } from 'n8n-workflow';

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

/** A poll that runs, since when (ms), and what it watches. */
interface Turn {
	began: number;
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
}

const memories = new Map<string, Memory>();

/** After which a poll hangs (ms). n8n does not let it run for longer. */
const HANGS = 5 * MINUTE;

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

	private readonly node: INode;

	private readonly memory: Memory;

	private turn: Turn | undefined;

	constructor(context: IPollFunctions) {
		this.node = context.getNode();
		this.own = context.getWorkflowStaticData('node');
		this.shared = context.getWorkflowStaticData('global');
		const key = `${context.getWorkflow().id}:${this.node.id}`;
		this.memory = memories.get(key) ?? { handedAt: -Infinity };
		memories.set(key, this.memory);
	}

	/**
	 * Only one poll of a node runs at a time. A poll takes over from one that watches something else or
	 * hangs, and always if the workflow was just switched on.
	 *
	 * @returns whether this poll may run
	 */
	takeTurn(scope: string, isActivation: boolean): boolean {
		const { turn } = this.memory;
		const isBusy = turn?.scope === scope && Date.now() - turn.began < HANGS;
		if (isBusy && !isActivation) return false;
		this.turn = { began: Date.now(), scope };
		this.memory.turn = this.turn;
		return true;
	}

	/** Whether another poll has taken over. Then this one must not hand over anything. */
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
		const { memory, own, shared, node } = this;
		const { name } = node;
		const { stored, isLeftBehind } = this.stored();
		const isBatch = hasItems || before === undefined;
		// Under an earlier name of the node there is one batch more.
		const last = Math.max((stored?.batch ?? 0) + Number(isLeftBehind), memory.saved?.batch ?? 0);
		const { batch, id } = isBatch ? { batch: last + 1, id: newId() } : before;
		const saved: Saved = { batch, id, name, ...found };
		const copy = before === undefined ? saved : { ...before, batch: batch - 1, name, next: id };
		Object.assign(memory, { saved, base: hasItems ? saved.id : stored?.id });
		if (hasItems) memory.handedAt = Date.now();
		// With durable cursors n8n writes to its database whenever this changes.
		if (JSON.stringify(saved) !== JSON.stringify(own.saved)) own.saved = saved as never;
		if (isBatch) shared[copyKey(node)] = copy as never;
	}

	/** The copy in n8n's data that counts: the one with more batches. */
	private stored(): { stored?: Saved; isLeftBehind: boolean } {
		const { name } = this.node;
		const own = savedIn(this.own.saved);
		const copy = savedIn(this.shared[copyKey(this.node)]);
		const isRenamed = copy !== undefined && copy.name !== name;
		// Under an earlier name of the node, an old state may have been left.
		const isOld = isRenamed && own?.name === name && own.batch === copy.batch;
		if (own === undefined || isOld || (copy?.batch ?? 0) > own.batch)
			return { stored: copy, isLeftBehind: isRenamed };
		return { stored: own, isLeftBehind: false };
	}
}

const copyKey = ({ id }: INode) => `ykVoiceTrigger:${id}`;

const newId = () => Math.random().toString(36).slice(2);

/** A stored value. Undefined if it is missing or damaged. */
function savedIn(raw: unknown): Saved | undefined {
	if (!isObject(raw) || !Number.isSafeInteger(raw.batch) || !Array.isArray(raw.notices)) return;
	const isText = [raw.id, raw.name, raw.what].every((text) => typeof text === 'string');
	return isText ? (raw as unknown as Saved) : undefined;
}
