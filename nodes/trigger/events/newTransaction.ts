import { TRANSACTION_TYPE } from '../../domain/status';
import { choices } from '../../table/fields';
import { oneOf } from '../../table/schema';
import { triggerEvent } from '../event';
import { ListWatcher } from '../../watching/listWatcher';
import { inputOf, lookBack, pollLimit, startsAgain } from './eventFields';

/** Reference: GET /wallet/transactions. It shows neither an order nor a sort. */
export const newTransaction = triggerEvent({
	name: 'New Wallet Transaction',
	description: 'When money is added to the balance or spent',
	request: 'GET /wallet/transactions',
	filters: [
		{
			displayName: 'Transaction Type',
			name: 'transaction_type',
			type: 'options',
			options: choices(TRANSACTION_TYPE),
			default: 'ADD',
			description: startsAgain(
				'Only transactions that add to the balance, or only those that spend it.',
			),
		},
	],
	options: [lookBack, pollLimit],
	input: () => inputOf({ transaction_type: oneOf(TRANSACTION_TYPE).optional() }, {}),
	// The API filters, because the reference does not show the field's name in the record.
	identity: ({ filters }) => filters.transaction_type,
	watch: ({ filters: { transaction_type } }, watching) =>
		new ListWatcher(watching, {
			path: '/wallet/transactions',
			query: { transaction_type },
			judge: (transaction) => ({ item: transaction }),
		}),
});
