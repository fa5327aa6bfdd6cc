import type { IDataObject, INode, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { isObject } from '../json';
import { MINUTE } from '../time';
import { LONGEST_STATE } from '../watching/watcher';

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
}

/** What a poll has to store. */
export type Found = Pick<Saved, 'what' | 'state' | 'notices'>;

/** The copy holds the state from before the last batch, and the id of that batch, or a beginning as it is. */
interface Copy extends Saved {
	next?: string;
}

/** What this process remembers of one node. It is lost when n8n stops. */
interface ProcessMemory {
	/** What it last stored, or tried to. */
	saved?: Saved;
	/** Id of the batch in n8n's data from which `saved` follows, or which it is. */
	follows?: string;
	/** When a poll last returned items (ms). */
	handedAt: number;
	/** Whether n8n kept the node's data when it was renamed: only durable cursors do. */
	isDurable?: boolean;
}

const memories = new Map<string, ProcessMemory>();

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
	readonly #nodeData: IDataObject;

	readonly #workflowData: IDataObject;

	readonly #node: INode;

	readonly #memory: ProcessMemory;

	/** @throws NodeOperationError if n8n's data of the node is damaged, so that nothing can be stored */
	constructor(context: IPollFunctions) {
		this.#node = context.getNode();
		const [own, shared] = [
			context.getWorkflowStaticData('node'),
			context.getWorkflowStaticData('global'),
		];
		if (!isObject(own)) throw new NodeOperationError(this.#node, NO_PLACE, { description: RENAME });
		this.#nodeData = own as IDataObject;
		// Without its place the copy is not stored. It only helps if the node is renamed.
		this.#workflowData = isObject(shared) ? (shared as IDataObject) : {};
		const key = `${context.getWorkflow().id}:${this.#node.id}`;
		this.#memory = memories.get(key) ?? { handedAt: -Infinity };
		memories.set(key, this.#memory);
		const name = savedIn(this.#nodeData.saved)?.name ?? this.#node.name;
		if (name !== this.#node.name) this.#memory.isDurable = true;
	}

	/**
	 * The state that the last poll saved. 'outdated' if n8n's data is older than the last batch: n8n is
	 * still saving it, or could not save it. After a minute n8n's data counts, and the items of that
	 * batch come again.
	 */
	recall(isActivation: boolean): Saved | 'outdated' | undefined {
		const { saved, follows, handedAt } = this.#memory;
		const { stored, isBehind } = this.#stored();
		// n8n did not store the beginning. A later poll continues from it, an activation begins again.
		if (stored === undefined) return follows === undefined && !isActivation ? saved : undefined;
		if (saved === undefined) return stored;
		if (stored.id === follows || stored.id === saved.id) return saved;
		// After a rename only the copy is left. It names the batch of this process as the one after it.
		if (isBehind && stored.next === saved.id) return saved;
		const isOlder = stored.batch < saved.batch && Date.now() - handedAt < MINUTE;
		return isOlder ? 'outdated' : stored;
	}

	/** A poll without items: the state follows the last batch. */
	update(before: Saved, found: Found): void {
		const { batch, id } = before;
		this.#write({ batch, id, name: this.#node.name, ...found }, this.#stored().stored?.id);
	}

	/** A poll with items. The copy keeps the state from before them. */
	addBatch(before: Saved, found: Found): void {
		const saved = this.#nextBatch(found);
		this.#write(saved, saved.id);
		this.#memory.handedAt = Date.now();
		const { name } = this.#node;
		this.#copy({ ...before, batch: saved.batch - 1, name, next: saved.id });
	}

	/** A beginning is a batch too, without items, so there is nothing that could come again. */
	begin(found: Found): void {
		const saved = this.#nextBatch(found);
		this.#write(saved, this.#stored().stored?.id);
		this.#copy(saved);
	}

	#nextBatch(found: Found): Saved {
		const { stored, isBehind } = this.#stored();
		const last = Math.max((stored?.batch ?? 0) + Number(isBehind), this.#memory.saved?.batch ?? 0);
		const id = Math.random().toString(36).slice(2);
		return { batch: last + 1, id, name: this.#node.name, ...found };
	}

	#write(saved: Saved, follows: string | undefined): void {
		const text = JSON.stringify(saved);
		if (text.length > LONGEST_STATE) throw new Error(TOO_LONG);
		Object.assign(this.#memory, { saved, follows });
		// With durable cursors n8n writes to its database whenever this changes.
		if (text !== JSON.stringify(this.#nodeData.saved)) this.#nodeData.saved = saved as never;
	}

	#copy(copy: Copy): void {
		this.#workflowData[copyKey(this.#node)] = copy as never;
	}

	/**
	 * Chooses between n8n's data of the node and the copy: the one with more batches counts.
	 * @returns `isBehind` if it is the copy, because n8n stored the last batch under an earlier name
	 */
	#stored(): { stored?: Copy; isBehind: boolean } {
		const { name } = this.#node;
		const own = savedIn(this.#nodeData.saved);
		const copy = savedIn(this.#workflowData[copyKey(this.#node)]);
		const isRenamed = copy !== undefined && copy.name !== name && !this.#memory.isDurable;
		// The node got back an earlier name, under which an old state was left.
		const isOld = isRenamed && own?.name === name && own.batch === copy.batch;
		if (own === undefined || isOld || (copy?.batch ?? 0) > own.batch)
			return { stored: copy, isBehind: isRenamed };
		return { stored: own, isBehind: false };
	}
}

const NO_PLACE =
	'The trigger cannot store what it has read, because the static data of this workflow is damaged.';

const RENAME = 'Rename the trigger and publish the workflow. It then starts from now.';

const TOO_LONG =
	'The records of this account are too large to store. Narrow the list with a filter, or use a schedule with Get Many instead.';

const copyKey = ({ id }: INode) => `ykVoiceTrigger:${id}`;

/** A stored value. Undefined if it is missing or damaged. */
function savedIn(raw: unknown): Copy | undefined {
	if (!isObject(raw) || !Number.isSafeInteger(raw.batch) || !Array.isArray(raw.notices)) return;
	const texts: unknown[] = [raw.id, raw.name, raw.what, ...(raw.notices as unknown[])];
	return texts.every((text) => typeof text === 'string') ? (raw as unknown as Copy) : undefined;
}
