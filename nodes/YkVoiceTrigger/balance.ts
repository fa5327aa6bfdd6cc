import { isObject } from '../YkVoice/core/objects';
import type { JsonObject } from '../YkVoice/core/pages';

/** Whether the alert has gone off and waits for the balance to rise again. */
export interface Alert {
	v: 1;
	scope: string;
	fired: boolean;
	/** When this was so, in ms on the API's clock. */
	at: number;
}

/** A stored value as an alert of this scope, or undefined where it cannot be used. */
export function guardAlert(raw: unknown, scope: string): Alert | undefined {
	if (!isObject(raw) || raw.v !== 1 || raw.scope !== scope) return undefined;
	const { fired, at } = raw;
	return typeof fired === 'boolean' && typeof at === 'number'
		? { v: 1, scope, fired, at }
		: undefined;
}

/**
 * Whether the balance stood at or above the threshold at some time after the alert, told from the
 * transactions since, newest first. n8n may drop what a poll without items stores, so the rise
 * itself may have been seen and forgotten. False where the amounts cannot be read.
 */
export function wasAbove(balance: number, threshold: number, transactions: JsonObject[]): boolean {
	let before = balance;
	for (const transaction of transactions) {
		const amount = Math.abs(Number(transaction.amount ?? NaN));
		const type = transaction.transaction_type ?? transaction.type;
		if (Number.isNaN(amount) || (type !== 'ADD' && type !== 'CONSUME')) return false;
		if (before >= threshold) return true;
		before += type === 'ADD' ? -amount : amount;
	}
	return false;
}
