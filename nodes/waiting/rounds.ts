import { SECOND } from '../time';

/** Looks come after 2, 5, 9.5, … seconds, and later every 15 seconds. */
const FIRST_GAP = 2 * SECOND;
const LAST_GAP = 15 * SECOND;

/** Waits until something is over, or until a time in ms since 1970. Then there is one last look. */
type Wait = (isOver: () => boolean, until: number) => Promise<void>;

/**
 * Lets several waiters look together: a round is one look for all of them. What a look or the pause
 * throws, each of them throws. The pause fails if the execution is stopped.
 */
export function rounds(look: () => Promise<void>, pause: (ms: number) => Promise<void>): Wait {
	const waiters = new Set<{ until: number }>();
	let gap = FIRST_GAP;
	let endedAt = 0;
	let next: Promise<number> | undefined;

	/** @returns when the look began */
	const round = async () => {
		try {
			const dueAt = Math.min(endedAt + gap, ...[...waiters].map(({ until }) => until));
			const left = Math.max(dueAt, endedAt + FIRST_GAP) - Date.now();
			if (left > 0) await pause(left);
			const beganAt = Date.now();
			await look();
			endedAt = Date.now();
			gap = Math.min(LAST_GAP, gap * 1.5);
			return beganAt;
		} finally {
			next = undefined;
		}
	};

	return async (isOver, until) => {
		if (waiters.size === 0) [gap, endedAt] = [FIRST_GAP, Date.now()];
		const waiter = { until };
		waiters.add(waiter);
		try {
			let lookedAt = Date.now();
			while (!isOver() && lookedAt < until) lookedAt = await (next ??= round());
		} finally {
			waiters.delete(waiter);
		}
	};
}
