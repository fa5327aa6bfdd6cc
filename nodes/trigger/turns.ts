import type { IPollFunctions } from 'n8n-workflow';

import { MINUTE } from '../time';

// Lets one poll of a node run at a time: n8n may start the next one before the last one has ended.

/** A poll, and for which node and settings it runs. */
export interface Poll {
	/** Stands for the node. Two nodes may have one ID, so it is the name, as n8n's data of a node has it. */
	node: string;
	/** The parameters and credentials of the node, as text. */
	settings: string;
	/** The number of the registration that polls. */
	registration: number;
	/** Whether it is the first poll of its registration. */
	isFirst: boolean;
}

interface Turn extends Poll {
	isRunning: boolean;
	/** When it began, or has ended (ms). */
	at: number;
}

/** The last poll of each node that is running, or has succeeded. */
const turns = new Map<string, Turn>();

/**
 * A poll that runs for longer hangs (ms), and n8n has given it up. As long after a poll, one of an earlier
 * registration is late.
 */
const HANGS = 5 * MINUTE;

/** The number of each registration. Without n8n's scheduler, all polls of an activation share a context. */
const registrations = new WeakMap<IPollFunctions, number>();

let count = 0;

/** The registration that a poll belongs to, and whether it has polled before. A newer one has a higher number. */
export function registrationOf(context: IPollFunctions): { registration: number; isNew: boolean } {
	const known = registrations.get(context);
	const registration = known ?? (count += 1);
	registrations.set(context, registration);
	return { registration, isNew: known === undefined };
}

/**
 * Runs a poll, unless another one has its turn. A poll takes over from one of an earlier registration or
 * with earlier settings, because what n8n holds last counts, and from one that hangs.
 *
 * @param work the poll. `hasTurn` says whether no other poll has taken over meanwhile. One that was
 *   taken over must not return anything
 * @returns what the poll returned; undefined if another poll has its turn
 */
export async function takeTurn<T>(
	poll: Poll,
	work: (hasTurn: () => boolean) => Promise<T>,
): Promise<T | undefined> {
	const { node, settings, registration, isFirst } = poll;
	const last = turns.get(node);
	if (last !== undefined && Date.now() - last.at < HANGS) {
		const isSame = last.settings === settings && !isFirst;
		if (registration < last.registration || (last.isRunning && isSame)) return undefined;
	}
	const turn: Turn = { ...poll, isRunning: true, at: Date.now() };
	turns.set(node, turn);
	const hasTurn = () => turns.get(node) === turn;
	try {
		const result = await work(hasTurn);
		Object.assign(turn, { isRunning: false, at: Date.now() });
		return result;
	} finally {
		if (turn.isRunning && hasTurn()) turns.delete(node);
	}
}
