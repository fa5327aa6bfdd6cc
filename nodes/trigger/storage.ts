import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { isObject } from '../json';
import { DAY, MINUTE } from '../time';

export interface Found {
	/** Stands for the event and those of its parameters that make it start again. */
	setup: string;
	state: unknown;
	/** They wait for the next item. */
	notices: string[];
}

export interface Saved extends Found {
	/** When a poll last returned items, or began from now (ms). It tells which of two states is newer. */
	at: number;
}

/** What this process knows of one node. n8n keeps none of it. */
interface ProcessMemory {
	/** What it last stored, or tried to, and `at` of the state that n8n had stored then. */
	saved?: Saved;
	follows?: number;
	/** The poll that has its turn, and when it began (ms). */
	turn?: { began: number };
	registration?: number;
	/** Notices that a failed poll has shown. Each is shown once until n8n is started again. */
	shown: Set<string>;
}

const memories = new Map<string, ProcessMemory>();

/**
 * The registrations that have polled, numbered. Without n8n's scheduler, all polls of a registration share one
 * context, and the first one is part of publishing the workflow or of n8n's start.
 */
const registrations = new WeakMap<IPollFunctions, number>();

let registered = 0;

/** Whether the context is that of a new registration. It counts as known from now on. */
export function registers(context: IPollFunctions): boolean {
	if (registrations.has(context)) return false;
	registrations.set(context, (registered += 1));
	return true;
}

const BEGINNING = 'ykVoiceTrigger:';

/** How long the beginning of a node that was renamed or deleted is kept (ms). */
const KEPT_FOR = 7 * DAY;

/** A poll that runs for longer hangs (ms), and n8n has given it up. */
const HANGS = 5 * MINUTE;

/**
 * What is kept of one node between two polls, by the node's name, as n8n does it. Two nodes may have one ID.
 *
 * - n8n's data of the node: saved together with the items, so it is right. With durable cursors n8n 2.41
 *   drops what an activation stores there.
 * - n8n's data of the workflow: what an activation began with.
 * - This process: also what polls without items found out, which n8n may drop. It counts only if it
 *   follows from what n8n has stored.
 */
export class Storage {
	readonly #nodeData: IDataObject;

	readonly #workflowData: IDataObject;

	readonly #beginning: string;

	readonly #memory: ProcessMemory;

	/** Infinity for n8n's scheduler, which polls with the published workflow. */
	readonly #registration: number;

	constructor(context: IPollFunctions) {
		const { name } = context.getNode();
		this.#nodeData = context.getWorkflowStaticData('node');
		this.#workflowData = context.getWorkflowStaticData('global');
		this.#beginning = BEGINNING + name;
		const key = `${context.getWorkflow().id}:${name}`;
		this.#memory = memories.get(key) ?? { shown: new Set() };
		memories.set(key, this.#memory);
		this.#registration = registrations.get(context) ?? Infinity;
	}

	/**
	 * Runs a poll, unless another one has its turn: n8n may start the next one before the last one has ended. The
	 * first poll after an activation takes over, because what n8n holds last counts. So does any poll from one
	 * that hangs. A registration that was replaced may poll too (https://github.com/n8n-io/n8n/issues/35251): it has
	 * other settings, and gets no turn. One whose first poll failed replaces none.
	 *
	 * @param work `hasTurn` says whether no other poll has taken over meanwhile. One that was taken over must
	 *   not return anything
	 * @returns what the poll returned; null if another poll has its turn
	 */
	async takeTurn<T>(
		isFirst: boolean,
		work: (hasTurn: () => boolean) => Promise<T>,
	): Promise<T | null> {
		const memory = this.#memory;
		const last = memory.turn;
		const registration = this.#registration;
		if (registration < (memory.registration ?? 0)) return null;
		if (!isFirst && last !== undefined && Date.now() - last.began < HANGS) return null;
		const turn = (memory.turn = { began: Date.now() });
		const hasTurn = () => memory.turn === turn;
		try {
			const result = await work(hasTurn);
			if (hasTurn() && registration < Infinity) memory.registration = registration;
			return result;
		} finally {
			if (hasTurn()) delete memory.turn;
		}
	}

	/** Whether this notice was not shown before. It counts as shown from now on. */
	isFirstShown(notice: string): boolean {
		const { shown } = this.#memory;
		return !shown.has(notice) && Boolean(shown.add(notice));
	}

	/**
	 * The state that the last poll saved, maybe with another setup. 'outdated' if n8n's data is older than the last
	 * items: n8n is still saving it, or could not save it. After a minute n8n's data counts, and those items come
	 * again.
	 */
	recall(setup: string, isActivation: boolean): Saved | 'outdated' | undefined {
		const { saved, follows } = this.#memory;
		const stored = this.#stored;
		if (saved?.setup !== setup) return stored;
		// n8n did not store the beginning. A later poll continues from it, an activation begins again.
		if (stored === undefined) return follows === undefined && !isActivation ? saved : undefined;
		if (stored.at === follows || stored.at === saved.at) return saved;
		const isBeingSaved = stored.at < saved.at && Math.abs(Date.now() - saved.at) < MINUTE;
		return isBeingSaved ? 'outdated' : stored;
	}

	updateWithoutItems({ at }: Saved, found: Found): void {
		this.#write({ at, ...found }, this.#stored?.at);
	}

	addBatch(found: Found): void {
		this.#dropBeginnings();
		const at = this.#nextAt;
		this.#write({ at, ...found }, at);
	}

	begin(found: Found): void {
		this.#dropBeginnings();
		const saved = { at: this.#nextAt, ...found };
		this.#write(saved, this.#stored?.at);
		this.#workflowData[this.#beginning] = saved as never;
	}

	get #stored(): Saved | undefined {
		const saved = savedIn(this.#nodeData.saved);
		const begun = savedIn(this.#workflowData[this.#beginning]);
		return (begun?.at ?? 0) > (saved?.at ?? 0) ? begun : saved;
	}

	/** The node's own beginning goes when n8n has stored the node's data, and any other one after some time. */
	#dropBeginnings(): void {
		for (const [name, begun] of Object.entries(this.#workflowData)) {
			const isOwn = name === this.#beginning;
			const until = isOwn ? savedIn(this.#nodeData.saved)?.at : Date.now() - KEPT_FOR;
			if (name.startsWith(BEGINNING) && (savedIn(begun)?.at ?? 0) <= (until ?? -1))
				delete this.#workflowData[name];
		}
	}

	get #nextAt(): number {
		return Math.max(
			Date.now(),
			...[this.#stored, this.#memory.saved].map((saved) => (saved?.at ?? 0) + 1),
		);
	}

	#write(saved: Saved, follows: number | undefined): void {
		Object.assign(this.#memory, { saved, follows });
		// With durable cursors n8n writes to its database whenever this changes.
		if (JSON.stringify(saved) !== JSON.stringify(this.#nodeData.saved))
			this.#nodeData.saved = saved as never;
	}
}

function savedIn(raw: unknown): Saved | undefined {
	const isSaved = isObject(raw) && typeof raw.at === 'number' && Array.isArray(raw.notices);
	return isSaved ? (raw as unknown as Saved) : undefined;
}
