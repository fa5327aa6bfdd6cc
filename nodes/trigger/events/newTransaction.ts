import { TRANSACTION_TYPE } from '../../domain/status';
import { filtersOf } from '../../table/common';
import { form } from '../../table/form';
import { choice } from '../../table/kinds';
import { triggerEvent } from '../event';
import { ListWatcher } from '../../watching/listWatcher';
import { eventOptions, lookBack, pollLimit, startsAgain } from './eventFields';

/** Reference: GET /wallet/transactions. It shows neither an order nor a sort. */
export const newTransaction = triggerEvent({
	name: 'New Wallet Transaction',
	description: 'When money is added to the balance or spent',
	request: 'GET /wallet/transactions',
	fields: () =>
		form({
			filters: filtersOf({
				transaction_type: choice(TRANSACTION_TYPE, {
					displayName: 'Transaction Type',
					default: 'ADD',
					description: startsAgain(
						'Only transactions that add to the balance, or only those that spend it.',
					),
				}),
			}),
			options: eventOptions({ lookBack, pollLimit }),
		}),
	// The API filters, because the reference does not show the field's name in the record.
	identity: ({ filters }) => filters.transaction_type,
	watch: ({ filters: { transaction_type } }, watching) =>
		new ListWatcher(watching, {
			path: '/wallet/transactions',
			query: { transaction_type },
			judge: (transaction) => ({ item: transaction }),
		}),
});
