import { MINUTE } from '../time';

/** A poll that is running. */
export interface Turn {
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
 * Only one poll of a node runs at a time. A poll takes over from one that watches something else or
 * hangs, and always if the workflow was just switched on.
 *
 * @returns undefined if another poll is running
 */
export function takeTurn(node: string, subject: string, isActivation: boolean): Turn | undefined {
	const other = turns.get(node);
	const isBusy = other?.subject === subject && Date.now() - other.began < HANGS;
	if (isBusy && !isActivation) return undefined;
	const turn = { began: Date.now(), subject };
	turns.set(node, turn);
	return turn;
}

/** Whether no other poll has taken over. One that was taken over must not return anything. */
export const holdsTurn = (node: string, turn: Turn): boolean => turns.get(node) === turn;

export function endTurn(node: string, turn: Turn): void {
	if (holdsTurn(node, turn)) turns.delete(node);
}
