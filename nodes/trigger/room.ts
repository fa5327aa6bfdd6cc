// How much a poll may read, so that many polls at the same time leave n8n enough memory.

/** What a poll has read so far, in bytes. A session is one. */
interface Reading {
	readonly received: number;
}

/** What one poll may read. No account that keeps to the other bounds comes near it. */
const MOST = 128 * 2 ** 20;

/** What each may read in any case. */
const LEAST = MOST / 16;

/** What the polls of one account, and those of all, may read at the same time: many may poll one server. */
const MOST_TOGETHER = { account: 4 * MOST, all: 8 * MOST };

/** The polls that are under way, and what stands for their accounts. */
const polls = new Map<Reading, string>();

/** @returns what to call when the poll has ended */
export function enter(poll: Reading, account: string): () => void {
	polls.set(poll, account);
	return () => void polls.delete(poll);
}

/** How much a poll may read in all, in bytes. */
export function roomFor(poll: Reading): number {
	const held = { account: 0, all: 0 };
	for (const [other, account] of polls) {
		if (other === poll) continue;
		held.all += other.received;
		if (account === polls.get(poll)) held.account += other.received;
	}
	const { account, all } = MOST_TOGETHER;
	return Math.max(LEAST, Math.min(MOST, account - held.account, all - held.all));
}
