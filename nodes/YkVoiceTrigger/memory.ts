import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../YkVoice/core/objects';

/** What is stored: a state, and how often the trigger had begun anew or been renamed by then. */
interface Saved {
	life: number;
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

	/** @param isAnew whether the state is a new beginning, and not what followed from the stored one */
	store(state: unknown, isAnew: boolean): void {
		const { places, life } = this.read();
		const goesOn = !isAnew && places[0]?.life === life;
		const saved: Saved = { life: goesOn ? life : life + 1, state };
		this.own.saved = saved as unknown as IDataObject;
		this.global[this.key] = saved as unknown as IDataObject;
	}

	private read() {
		const places = [savedIn(this.own.saved), savedIn(this.global[this.key])] as const;
		return { places, life: Math.max(0, ...places.map((saved) => saved?.life ?? 0)) };
	}
}

function savedIn(raw: unknown): Saved | undefined {
	if (!isObject(raw) || !Number.isSafeInteger(raw.life)) return undefined;
	return { life: raw.life as number, state: raw.state };
}
