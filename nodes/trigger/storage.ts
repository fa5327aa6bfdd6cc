import type { IDataObject, INode, IPollFunctions } from 'n8n-workflow';

import { isObject } from '../json';
import { MINUTE } from '../time';

/** The stored state of one node. A batch is a poll that returned items, or that began from now. */
export interface Saved {
	/** Number of the last batch. */
	batch: number;
	/** Id of the last batch. Another process may have counted to the same number. */
	id: string;
	/** The node's name when this was stored. */
	name: string;
	/** Stands for the event and those of its parameters that make it start again. */
	what: string;
	state: unknown;
	/** Notices that wait for the next item. */
	notices: string[];
	/** Only in the copy: the id of the batch that came after it. */
	next?: string;
}

/** A poll that is running. */
interface PollTurn {
	/** Since when (ms). */
	began: number;
	/** Stands for the settings, the account and the node's name. */
	subject: string;
}

/** What this process remembers of one node. It is lost when n8n stops. */
interface ProcessMemory {
	/** What it last stored, or tried to. */
	saved?: Saved;
	/** Id of the batch in n8n's data that `saved` follows. */
	follows?: string;
	/** When a poll last returned items (ms). */
	handedAt: number;
	turn?: PollTurn;
	/** Whether n8n kept the node's data when it was renamed: only durable cursors do. */
	isDurable?: boolean;
}

const memories = new Map<string, ProcessMemory>();

/** A poll that runs for longer hangs (ms). n8n gives it up by then. */
const HANGS = 5 * MINUTE;

/**
 * Where the state of one node is kept.
 *
 * - n8n's data of the node: saved together with the items, so it is right. But n8n keeps it under the
 *   node's name, so renaming the node loses it. With durable cursors n8n drops what an activation stores.
 * - n8n's data of the workflow: a copy under the node's id, from before the last batch. With durable
 *   cursors n8n may save it without the items, so it must not be ahead of them.
 * - This process: also what polls without items found out, which n8n may drop. It counts only if it
 *   follows from what n8n has stored.
 */
export class Storage {
	private readonly nodeData: IDataObject;

	private readonly workflowData: IDataObject;

	private readonly node: INode;

	private readonly memory: ProcessMemory;

	private turn: PollTurn | undefined;

	constructor(context: IPollFunctions) {
		this.node = context.getNode();
		this.nodeData = context.getWorkflowStaticData('node');
		this.workflowData = context.getWorkflowStaticData('global');
		const key = `${context.getWorkflow().id}:${this.node.id}`;
		this.memory = memories.get(key) ?? { handedAt: -Infinity };
		memories.set(key, this.memory);
		const name = savedIn(this.nodeData.saved)?.name ?? this.node.name;
		if (name !== this.node.name) this.memory.isDurable = true;
	}

	/**
	 * Only one poll of a node runs at a time. A poll takes over from one that watches something else or
	 * hangs, and always if the workflow was just switched on.
	 *
	 * @returns whether this poll may run
	 */
	takeTurn(subject: string, isActivation: boolean): boolean {
		const { turn } = this.memory;
		const isBusy = turn?.subject === subject && Date.now() - turn.began < HANGS;
		if (isBusy && !isActivation) return false;
		this.turn = { began: Date.now(), subject };
		this.memory.turn = this.turn;
		return true;
	}

	/** Whether another poll has taken over. Then this one must not return anything. */
	get isOver(): boolean {
		return this.memory.turn !== this.turn;
	}

	endTurn(): void {
		if (!this.isOver) this.memory.turn = undefined;
	}

	/**
	 * The state that the last poll saved. 'outdated' if n8n's data is older than the last batch: n8n is
	 * still saving it, or could not save it. After a minute n8n's data counts, and the items of that
	 * batch come again.
	 */
	recall(isActivation: boolean): Saved | 'outdated' | undefined {
		const { saved, follows, handedAt } = this.memory;
		const { stored, isLeftBehind } = this.stored();
		// n8n did not store the beginning. A later poll continues from it, an activation begins again.
		if (stored === undefined) return follows === undefined && !isActivation ? saved : undefined;
		if (saved === undefined) return stored;
		if (stored.id === follows || stored.id === saved.id) return saved;
		// After a rename only the copy is left. It names the batch of this process as the one after it.
		if (isLeftBehind && stored.next === saved.id) return saved;
		const isBehind = stored.batch < saved.batch && Date.now() - handedAt < MINUTE;
		return isBehind ? 'outdated' : stored;
	}

	/** @param before the state that the poll started from. Undefined for a beginning: it is a batch too */
	save(
		found: Pick<Saved, 'what' | 'state' | 'notices'>,
		before: Saved | undefined,
		hasItems: boolean,
	): void {
		const { memory, nodeData, workflowData, node } = this;
		const { name } = node;
		const { stored, isLeftBehind } = this.stored();
		const isBatch = hasItems || before === undefined;
		// The copy is one batch behind: count the batch that n8n stored under the earlier name.
		const last = Math.max((stored?.batch ?? 0) + Number(isLeftBehind), memory.saved?.batch ?? 0);
		const { batch, id } = isBatch ? { batch: last + 1, id: newId() } : before;
		const saved: Saved = { batch, id, name, ...found };
		const copy = before === undefined ? saved : { ...before, batch: batch - 1, name, next: id };
		Object.assign(memory, { saved, follows: hasItems ? saved.id : stored?.id });
		if (hasItems) memory.handedAt = Date.now();
		// With durable cursors n8n writes to its database whenever this changes.
		if (JSON.stringify(saved) !== JSON.stringify(nodeData.saved)) nodeData.saved = saved as never;
		if (isBatch) workflowData[copyKey(node)] = copy as never;
	}

	/** Chooses between n8n's data of the node and the copy: the one with more batches counts. */
	private stored(): { stored?: Saved; isLeftBehind: boolean } {
		const { name } = this.node;
		const own = savedIn(this.nodeData.saved);
		const copy = savedIn(this.workflowData[copyKey(this.node)]);
		const isRenamed = copy !== undefined && copy.name !== name && !this.memory.isDurable;
		// The node got back an earlier name, under which an old state was left.
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
