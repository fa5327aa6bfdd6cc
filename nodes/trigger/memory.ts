import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../json';
import { whatIn } from './watcher';

const DAY = 24 * 3_600_000;

/** Of the keys of all mirrors. */
const PREFIX = 'ykVoiceTrigger:';

/** What is stored. */
interface Saved {
	/** How often the trigger had begun anew or been renamed by then. */
	life: number;
	/** How many polls had handed over items by then. */
	handed: number;
	/** How often something had been stored by then. */
	count: number;
	state: unknown;
	/** What the node was called. */
	name?: string;
	/** Whether n8n keeps the node's own data apart from the workflow's: its durable cursors do. */
	isApart?: boolean;
	/** What the user has yet to be told. */
	notices?: string[];
	/** Of the mirror, where n8n may have saved it without the items that came with it: what it held before. */
	unsaved?: Saved;
	/** What was watched before, until when (ms on n8n's clock): to go on where it is watched again. */
	earlier?: { state: unknown; until: number };
}

/** What this process last handed to n8n to be stored. */
interface Recollection {
	saved: Saved;
	/** Whether it was ever seen to be stored. */
	wasSeen: boolean;
	/** What others kept in the workflow's data when items were handed over with it. */
	others: string;
}

/** By workflow and node. */
export type Recollections = Map<string, Recollection>;

/**
 * Where the state is kept. n8n keeps the node's own data under its name: a rename leaves it behind,
 * and the old name would bring the old state back. With durable cursors it drops what an activation
 * stores there. So the workflow's data holds a mirror under the node's id.
 *
 * Both are written at once, but only the own is sure to be saved together with the items: it counts,
 * unless the mirror is of a later life.
 *
 * n8n's scheduler drops what a poll without items stores, and where it has no durable cursors, a Code
 * node or another trigger of the workflow can put an old copy back. So the process remembers as well;
 * what it remembers counts where it follows from what is stored.
 */
export class Memory {
	private readonly own: IDataObject;

	private readonly global: IDataObject;

	private readonly key: string;

	private readonly recollections: Recollections;

	private readonly nodeKey: string;

	private readonly name: string;

	/**
	 * @param own and `global` are n8n's static data of the node and of the workflow
	 * @param nodeKey stands for the node in `recollections`
	 */
	constructor(
		own: IDataObject,
		global: IDataObject,
		node: { id: string; name: string },
		recollections: Recollections = new Map(),
		nodeKey = node.id,
	) {
		this.own = own;
		this.global = global;
		this.name = node.name;
		this.key = `${PREFIX}${node.id}`;
		this.recollections = recollections;
		this.nodeKey = nodeKey;
	}

	/**
	 * To be called as a poll begins. Where n8n registers a node anew, it drops what a poll of before that
	 * hands over meanwhile: unless it was ever seen to be stored, that is forgotten, and comes again. If
	 * others have written since, it was stored, and they put an old copy back.
	 *
	 * @param isFirst whether the node was just registered
	 * @param isHandedOver whether another process polled before
	 * @returns whether anything of a poll of before is remembered
	 */
	begin(isFirst: boolean, isHandedOver: boolean): boolean {
		const [saved] = this.stored();
		const later = this.recollections.get(this.nodeKey);
		if (later !== undefined) {
			later.wasSeen ||= (saved?.handed ?? 0) >= later.saved.handed;
			const isDropped = isFirst && !later.wasSeen && later.others === this.others();
			if (!isHandedOver && !isDropped) return true;
			this.recollections.delete(this.nodeKey);
		}
		if (saved !== undefined)
			this.recollections.set(this.nodeKey, { saved, wasSeen: true, others: this.others() });
		return false;
	}

	/** What is stored at this moment, where `guard` can use it; `now` on n8n's clock (ms). */
	recall<S>(guard: (raw: unknown) => S | undefined, now = Date.now()): S | undefined {
		const { places } = this.read();
		const states = places.map(({ state }) => state);
		const earlier = places
			.filter((saved) => now < (saved.earlier?.until ?? -Infinity))
			.map((saved) => saved.earlier?.state);
		return [...states, ...earlier].map(guard).find((state) => state !== undefined);
	}

	/** Whether anything is stored, be it usable or not. */
	isEmpty(): boolean {
		return [this.own.saved, this.global[this.key]].every((raw) => raw === undefined);
	}

	/** What the user has yet to be told. */
	notices(): string[] {
		return this.read().places[0]?.notices ?? [];
	}

	/**
	 * How many polls had handed over items when the state that `recall` finds was stored: an old copy
	 * tells fewer. The mirror says nothing of that: n8n may read it later than the own.
	 */
	handed(): number {
		return this.read().places[0]?.handed ?? 0;
	}

	/**
	 * @param isAnew whether the state is a new beginning, and not what followed from the stored one
	 * @param withItems whether n8n is handed items with it
	 * @param notices what the user has yet to be told; they were, where n8n is handed items with them
	 */
	store(state: unknown, isAnew: boolean, withItems: boolean, notices: string[] = []): void {
		const { places, life, handed, count, isApart, isOwn } = this.read();
		const [before] = places;
		const hasOther = before !== undefined && whatIn(before.state) !== whatIn(state);
		const earlier = hasOther ? { state: before.state, until: Date.now() + DAY } : before?.earlier;
		const saved: Saved = {
			life: !isAnew && isOwn ? life : life + 1,
			handed: handed + (withItems ? 1 : 0),
			count: count + 1,
			state,
			name: this.name,
			...(isApart && { isApart }),
			...(notices.length > 0 && { notices }),
			...(earlier !== undefined && Date.now() < earlier.until && { earlier }),
		};
		// With durable cursors n8n saves the own together with the items, and the mirror before them.
		const unsaved = withItems && this.own.saved === undefined ? this.mirror() : undefined;
		this.own.saved = saved as unknown as IDataObject;
		this.global[this.key] = { ...saved, ...(unsaved && { unsaved }) } as unknown as IDataObject;
		const later = withItems ? undefined : this.recollections.get(this.nodeKey);
		const { wasSeen = !withItems, others = this.others() } = later ?? {};
		this.recollections.set(this.nodeKey, { saved, wasSeen, others });
	}

	/** What nodes of other kinds keep in the workflow's data. */
	private others(): string {
		const entries = Object.entries(this.global).filter(([key]) => !key.startsWith(PREFIX));
		return JSON.stringify(entries);
	}

	/** The mirror, or what it held before items that were never saved: the own would have been saved with them. */
	private mirror(): Saved | undefined {
		const saved = savedIn(this.global[this.key]);
		if (saved === undefined) return undefined;
		const { unsaved, ...mirror } = saved;
		const isUnsaved = this.own.saved === undefined && mirror.name === this.name;
		return isUnsaved ? (unsaved ?? mirror) : mirror;
	}

	/** What is stored of the latest life: the own, then the mirror. */
	private stored(): Saved[] {
		const both = [savedIn(this.own.saved), this.mirror()].filter((saved) => saved !== undefined);
		const life = Math.max(...both.map((saved) => saved.life));
		return both.filter((saved) => saved.life === life);
	}

	/** What counts, the first before the others; and the greatest numbers in any place. */
	private read() {
		const own = savedIn(this.own.saved);
		const mirror = this.mirror();
		const later = this.recollections.get(this.nodeKey)?.saved;
		const life = Math.max(own?.life ?? 0, mirror?.life ?? 0);
		const stored = this.stored();
		const isApart =
			[own, mirror, later].some((saved) => saved?.isApart) || this.differ(own, mirror);
		const follows = followsFrom(stored[0], later, isApart);
		const places = follows ? [later!, ...stored] : stored;
		const all = [own, mirror, ...places].filter((saved) => saved !== undefined);
		const most = (of: (saved: Saved) => number) => Math.max(0, ...all.map(of));
		return {
			places,
			isApart,
			/** Whether the node's own data, and not that of another name, is what counts. */
			isOwn: own?.life === life,
			life: most((saved) => saved.life),
			handed: most((saved) => saved.handed),
			count: most((saved) => saved.count),
		};
	}

	/** Whether only one of both was saved: of one JSON both are, but for what an earlier name left behind. */
	private differ(own: Saved | undefined, mirror: Saved | undefined): boolean {
		if (mirror === undefined || own?.count === mirror.count) return false;
		const isLeftBehind = (own?.count ?? -1) < mirror.count && mirror.name !== this.name;
		return !isLeftBehind;
	}
}

/**
 * Whether what the process remembers came of what is stored: the polls since had no items to save it
 * with, or an old copy was put back. With durable cursors it may also have been refused by n8n
 * together with its items, which then must come again.
 */
function followsFrom(
	stored: Saved | undefined,
	later: Saved | undefined,
	isApart: boolean,
): boolean {
	if (later === undefined) return false;
	if (stored === undefined) return true;
	if (later.life < stored.life) return false;
	return later.handed === stored.handed || (later.handed > stored.handed && !isApart);
}

function savedIn(raw: unknown): Saved | undefined {
	if (!isObject(raw)) return undefined;
	const { life, handed, count = 0, state, name, isApart, notices, earlier, unsaved } = raw;
	if (![life, handed, count].every(Number.isSafeInteger)) return undefined;
	const isNotices = Array.isArray(notices) && notices.every((one) => typeof one === 'string');
	const isEarlier = isObject(earlier) && typeof earlier.until === 'number';
	return {
		life: life as number,
		handed: handed as number,
		count: count as number,
		state,
		...(typeof name === 'string' && { name }),
		...(isApart === true && { isApart }),
		...(isNotices && { notices }),
		...(isObject(unsaved) && { unsaved: savedIn(unsaved) }),
		...(isEarlier && { earlier: earlier as unknown as Saved['earlier'] }),
	};
}
