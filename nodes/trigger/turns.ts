import { MINUTE } from '../time';

// Lets one poll of a node run at a time: n8n may start the next one before the last one has ended.

/** When the poll that has its turn began (ms), by node. */
const turns = new Map<string, { began: number }>();

/** A poll that runs for longer hangs (ms), and n8n has given it up. */
const HANGS = 5 * MINUTE;

/**
 * Runs a poll, unless another one has its turn. The first poll after an activation takes over, because what
 * n8n holds last counts. So does any poll from one that hangs.
 *
 * @param node stands for the node. Two nodes may have one ID, so it is the name, as n8n's data of a node has it
 * @param work the poll. `hasTurn` says whether no other poll has taken over meanwhile. One that was
 *   taken over must not return anything
 * @returns what the poll returned; undefined if another poll has its turn
 */
export async function takeTurn<T>(
	node: string,
	isFirst: boolean,
	work: (hasTurn: () => boolean) => Promise<T>,
): Promise<T | undefined> {
	const last = turns.get(node);
	if (!isFirst && last !== undefined && Date.now() - last.began < HANGS) return undefined;
	const turn = { began: Date.now() };
	turns.set(node, turn);
	const hasTurn = () => turns.get(node) === turn;
	try {
		return await work(hasTurn);
	} finally {
		if (hasTurn()) turns.delete(node);
	}
}
