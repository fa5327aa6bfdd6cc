import { numberIn } from '../json';
import { momentOf } from '../api/moment';
import type { JsonObject } from '../json';

/** What a transaction did to the balance, and when (ms). */
interface Step {
	at: number;
	amount: number;
}

/**
 * Whether the balance has been at or above the threshold at `since` (ms) or later, told from the
 * transactions of that time, which must be all that the balance includes. False where they cannot be
 * read.
 */
export function wasAbove(
	balance: number,
	threshold: number,
	transactions: JsonObject[],
	since: number,
): boolean {
	const steps = transactions.map(stepOf).filter(({ at }) => !(at < since));
	if (steps.some(({ at, amount }) => Number.isNaN(at + amount))) return false;
	let before = balance;
	return steps
		.sort((one, other) => other.at - one.at)
		.some(({ amount }) => (before -= amount) >= threshold);
}

function stepOf({
	created_at,
	amount,
	transaction_type,
	type = transaction_type,
}: JsonObject): Step {
	const size = Math.abs(numberIn(amount) ?? NaN);
	return { at: momentOf(created_at) ?? NaN, amount: size * (SIGNS[String(type)] ?? NaN) };
}

/** Reference: "Other records named in the interface", wallet transaction. */
const SIGNS: Readonly<Record<string, number>> = { ADD: 1, CONSUME: -1 };
