/** What a poll has read so far, in bytes. A session is one. */
interface Reading {
	readonly received: number;
}

/** What one poll may read. No account that keeps to the other bounds comes near it. */
const MOST = 128 * 2 ** 20;

/** What the polls of one account may read at the same time, because many triggers may poll one server. */
const MOST_OF_ACCOUNT = 4 * MOST;

/** The polls that are under way, and what stands for their accounts. */
const polls = new Map<Reading, string>();

/** @returns what to call when the poll has ended */
export function enter(poll: Reading, account: string): () => void {
	polls.set(poll, account);
	return () => void polls.delete(poll);
}

/** How much a poll may read in all, in bytes. */
export function roomFor(poll: Reading): number {
	const others = [...polls].filter(
		([other, account]) => other !== poll && account === polls.get(poll),
	);
	const held = others.reduce((sum, [{ received }]) => sum + received, 0);
	return Math.min(MOST, Math.max(0, MOST_OF_ACCOUNT - held));
}
