import { z } from 'zod';

import { TRANSACTION_TYPE } from '../../domain/status';
import { choices } from '../../table/fields';
import { oneOf } from '../../table/schema';
import { ListWatcher } from '../kinds/list';
import { triggerEvent } from './event';
import { lookBack, pollLimit } from './fields';

/** Reference: GET /wallet/transactions, for which it shows neither an order nor a sort. */
export const newTransaction = triggerEvent({
	name: 'New Wallet Transaction',
	description: 'When the balance is added to or consumed',
	filters: [
		{
			displayName: 'Transaction Type',
			name: 'transaction_type',
			type: 'options',
			options: choices(TRANSACTION_TYPE),
			default: 'ADD',
			description:
				'Only transactions that add to the balance, or that consume it. A change starts anew: what happened before it does not fire.',
		},
	],
	options: [lookBack, pollLimit],
	input: () =>
		z.object({
			filters: z.object({ transaction_type: oneOf(TRANSACTION_TYPE).optional() }).default({}),
		}),
	// The API filters, because the field's name in the record is not shown.
	identity: ({ filters }) => filters.transaction_type,
	watch: ({ filters: { transaction_type } }, watching) =>
		new ListWatcher(
			{
				path: '/wallet/transactions',
				query: { transaction_type },
				judge: (transaction) => ({ item: transaction }),
			},
			watching,
		),
});
