import { filtersOf } from '../../table/common';
import { form } from '../../table/form';
import { transactionList, transactionType } from '../../watching/followedTransactions';
import { ListWatcher } from '../../watching/listWatcher';
import { triggerEvent } from '../event';
import { eventOptions, lookBack, pollLimit, startsAgain } from './eventFields';

/** Follows the transactions by date. */
export const newTransaction = triggerEvent({
	name: 'New Wallet Transaction',
	description: 'When money is added to the balance or spent',
	request: 'GET /wallet/transactions',
	fields: () =>
		form({
			filters: filtersOf({
				transaction_type: transactionType(
					startsAgain('Only transactions that add to the balance, or only those that spend it.'),
				),
			}),
			options: eventOptions({ lookBack, pollLimit }),
		}),
	// The API filters, because the reference does not show the field's name in the record.
	identity: ({ filters }) => filters.transaction_type,
	watch: ({ filters }, watching) =>
		new ListWatcher(watching, transactionList(filters.transaction_type)),
});
