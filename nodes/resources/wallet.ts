import { ASSUMED } from '../domain/assumed';
import { filtersOf, transactionType } from '../table/common';
import { form } from '../table/form';
import { operation, sends, type Resource } from '../table/operation';
import { boundsOf, splitPeriod, timeFilters } from '../filters/within';
import { walletStatistics } from '../statistics/walletStatistics';

/** Reference: GET /wallet and GET /wallet/transactions. */
export const wallet: Resource = {
	name: 'Wallet',
	description: 'The balance and its transactions',
	operations: {
		get: {
			name: 'Get',
			action: 'Get wallet',
			description: 'Retrieve the balance, its currency and the status of automatic top-up',
			...sends('GET /wallet'),
		},
		getStatistics: walletStatistics,
		getTransactions: operation({
			name: 'Get Many Transactions',
			action: 'Get many wallet transactions',
			description: 'Retrieve a list of wallet transactions',
			request: 'GET /wallet/transactions',
			does: 'list',
			fields: () =>
				form({
					filters: filtersOf({
						...timeFilters('transactions'),
						transaction_type: transactionType(
							'Only transactions that add money, or only those that use it',
						),
					}),
				}).check(({ filters }, refuse) => splitPeriod(filters, refuse)),
			run: async ({ query, within }, api) =>
				await api.list('/wallet/transactions', query, {
					period: within && boundsOf(within, api.now),
					dateFields: ASSUMED.transactionDate,
				}),
		}),
	},
};
