import { MINUTE } from '../time';

/** A poll that is running. */
interface Turn {
	/** Since when (ms). */
	began: number;
	/** Stands for the settings, the account and the node's name. */
	subject: string;
}

/** The running poll of each node. */
const turns = new Map<string, Turn>();

/** A poll that runs for longer hangs (ms). n8n gives it up by then. */
const HANGS = 5 * MINUTE;

/**
 * Lets one poll of a node run at a time. A poll takes over from one that watches something else or hangs,
 * and always if the workflow was just switched on.
 *
 * @param work the poll. `hasTurn` says whether no other poll has taken over meanwhile. One that was
 *   taken over must not return anything
 * @returns what the poll returned; undefined if another poll is running
 */
export async function onePollAtATime<T>(
	node: string,
	subject: string,
	isActivation: boolean,
	work: (hasTurn: () => boolean) => Promise<T>,
): Promise<T | undefined> {
	const other = turns.get(node);
	const isBusy = other?.subject === subject && Date.now() - other.began < HANGS;
	if (isBusy && !isActivation) return undefined;
	const turn = { began: Date.now(), subject };
	turns.set(node, turn);
	const hasTurn = () => turns.get(node) === turn;
	try {
		return await work(hasTurn);
	} finally {
		if (hasTurn()) turns.delete(node);
	}
}
