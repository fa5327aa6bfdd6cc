import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../json';

/** What is stored. */
interface Saved {
	/** How often the trigger had begun anew or been renamed by then. */
	life: number;
	/** How many polls had handed over items by then. */
	handed: number;
	state: unknown;
}

/**
 * The two places where the state is stored. n8n keeps the node's own data under its name: a rename
 * leaves it behind, and the old name would bring the old state back. With durable cursors it drops
 * what an activation stores there. So the workflow's data holds a mirror under the node's id.
 *
 * Both are written at once, but only the own is sure to be saved together with the items: it counts,
 * unless the mirror is of a later life.
 */
export class Memory {
	private readonly own: IDataObject;

	private readonly global: IDataObject;

	private readonly key: string;

	/** `own` and `global` are n8n's static data of the node and of the workflow. */
	constructor(own: IDataObject, global: IDataObject, nodeId: string) {
		this.own = own;
		this.global = global;
		this.key = `ykVoiceTrigger:${nodeId}`;
	}

	/** What is stored at this moment, where `guard` can use it. */
	recall<S>(guard: (raw: unknown) => S | undefined): S | undefined {
		const { places, life } = this.read();
		return places
			.filter((saved) => saved?.life === life)
			.map((saved) => guard(saved?.state))
			.find((state) => state !== undefined);
	}

	/**
	 * How many polls had handed over items when the state that `recall` finds was stored: an old copy
	 * tells fewer. The mirror says nothing of that: n8n may read it later than the own.
	 */
	handed(): number {
		const { places, life } = this.read();
		return places.find((saved) => saved?.life === life)?.handed ?? 0;
	}

	/**
	 * @param isAnew whether the state is a new beginning, and not what followed from the stored one
	 * @param withItems whether n8n is handed items with it
	 */
	store(state: unknown, isAnew: boolean, withItems: boolean): void {
		const { places, life, handed } = this.read();
		const goesOn = !isAnew && places[0]?.life === life;
		const saved: Saved = {
			life: goesOn ? life : life + 1,
			handed: handed + (withItems ? 1 : 0),
			state,
		};
		this.own.saved = saved as unknown as IDataObject;
		this.global[this.key] = saved as unknown as IDataObject;
	}

	private read() {
		const places = [savedIn(this.own.saved), savedIn(this.global[this.key])] as const;
		const most = (count: (saved: Saved) => number) =>
			Math.max(0, ...places.map((saved) => (saved ? count(saved) : 0)));
		return { places, life: most(({ life }) => life), handed: most(({ handed }) => handed) };
	}
}

function savedIn(raw: unknown): Saved | undefined {
	if (!isObject(raw)) return undefined;
	const { life, handed, state } = raw;
	if (!Number.isSafeInteger(life) || !Number.isSafeInteger(handed)) return undefined;
	return { life: life as number, handed: handed as number, state };
}
