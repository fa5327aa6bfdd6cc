import { ASSUMED } from '../domain/assumed';
import { TRANSACTION_TYPE } from '../domain/status';
import { choice } from '../table/kinds';
import type { FollowedList } from './listWatcher';

/** The filter of followed transactions. The API applies it. */
export const transactionType = (description: string) =>
	choice(TRANSACTION_TYPE, {
		displayName: 'Transaction Type',
		default: 'ADD',
		description,
	});

/**
 * The transactions as a list to follow. Reference: GET /wallet/transactions. It shows no order and no sort.
 * @param dateField the field of the date, if the user names it
 */
export const transactionList = (
	type: keyof typeof TRANSACTION_TYPE | undefined,
	dateField?: string,
): FollowedList => ({
	dateFields: dateField === undefined ? ASSUMED.transactionDateFields : [dateField],
	path: '/wallet/transactions',
	query: { transaction_type: type },
	judge: (transaction) => ({ item: transaction }),
});
