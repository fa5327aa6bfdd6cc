import { isObject, type JsonObject } from '../json';
import { instant } from './reading/cursor';

/** Whether the alert has gone off and waits for the balance to rise again. */
export interface Alert {
	v: 1;
	scope: string;
	fired: boolean;
	/** When this was so, in ms on the API's clock; 0 where that is not known. */
	at: number;
}

/** A stored value as an alert of this scope, or undefined where it cannot be used. */
export function guardAlert(raw: unknown, scope: string): Alert | undefined {
	if (!isObject(raw) || raw.v !== 1 || raw.scope !== scope) return undefined;
	const { fired, at } = raw;
	return typeof fired === 'boolean' && typeof at === 'number' && Math.abs(at) <= 8.64e15
		? { v: 1, scope, fired, at }
		: undefined;
}

/**
 * Whether the balance has been at or above the threshold at `since` (ms) or later, told from the
 * transactions of that time. n8n may drop what a poll without items stores, so the rise itself may
 * have been seen and forgotten. False where the transactions cannot be read.
 */
export function wasAbove(
	balance: number,
	threshold: number,
	transactions: JsonObject[],
	since: number,
): boolean {
	const steps = transactions
		.map(({ created_at: date, amount, transaction_type: kind, type = kind }) => ({
			at: typeof date === 'string' ? instant(date) : NaN,
			amount: Math.abs(Number(amount ?? NaN)) * (SIGNS[String(type)] ?? NaN),
		}))
		.filter(({ at }) => !(at < since));
	if (steps.some(({ at, amount }) => Number.isNaN(at + amount))) return false;
	let before = balance;
	return steps
		.sort((one, other) => other.at - one.at)
		.some(({ amount }) => (before -= amount) >= threshold);
}

/** Reference: "Other records named in the interface", wallet transaction. */
const SIGNS: Readonly<Record<string, number>> = { ADD: 1, CONSUME: -1 };
