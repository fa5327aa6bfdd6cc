import { USAGE_HINTS } from '../../domain/usage';
import { ASSUMED } from '../../domain/assumed';
import { filtersOf, optionsOf } from '../../table/common';
import { form } from '../../table/form';
import { text } from '../../table/kinds';
import { DONE, operation, type Resource } from '../../table/operation';
import { pathText } from '../../api/path';
import { boundsOf, splitPeriod, timeFilters } from '../../filters/within';
import { transactionDateField } from '../../statistics/options';
import { transactionList, transactionType } from '../../watching/followedLists';
import { getNewForm, readNew, likeEveryGetNew } from '../../watching/getNew';
import { walletStatistics } from '../../statistics/walletStatistics';

const { healthPath } = ASSUMED;

/** Reference: GET /usage. */
export const usage: Resource = {
	name: 'Usage',
	description: 'Minutes of the current billing period',
	operations: {
		get: {
			name: 'Get',
			action: 'Get usage',
			description: 'Retrieve the minutes included, used and remaining in the billing period',
			hint: 'An organization without an active plan answers 404: let the workflow continue if that may happen.',
			request: 'GET /usage',
			hints: () => USAGE_HINTS,
		},
	},
};

/** Reference: GET /wallet and GET /wallet/transactions. */
export const wallet: Resource = {
	name: 'Wallet',
	description: 'The balance and its transactions',
	operations: {
		get: {
			name: 'Get',
			action: 'Get wallet',
			description: 'Retrieve the balance, its currency and the status of automatic top-up',
			request: 'GET /wallet',
		},
		getNewTransactions: operation({
			name: 'Get New Transactions',
			action: 'Get new wallet transactions',
			description:
				'Retrieve the transactions that have come since the last execution, each one once',
			request: 'GET /wallet/transactions',
			fields: () =>
				getNewForm(
					filtersOf({
						transaction_type: transactionType(
							'Only transactions that add to the balance, or only those that spend it. If you change this, what exists is skipped again.',
						),
					}),
					{ dateField: transactionDateField },
				),
			...likeEveryGetNew,
			run: async (input, context) => {
				const type = input.filters.transaction_type;
				const list = transactionList(type, input.options.dateField);
				return await readNew('transaction', list, { ...input, asked: type }, context);
			},
		}),
		getStatistics: walletStatistics,
		getTransactions: operation({
			name: 'Get Many Transactions',
			action: 'Get many wallet transactions',
			description: 'Retrieve a list of wallet transactions',
			request: 'GET /wallet/transactions',
			many: true,
			fields: () =>
				form({
					filters: filtersOf({
						...timeFilters('transactions'),
						transaction_type: transactionType(
							'Only transactions that add money, or only those that use it',
						),
					}),
					options: optionsOf({ dateField: transactionDateField }),
				}).check(({ filters, options: { dateField } }, refuse) => ({
					...splitPeriod(filters, refuse),
					dateField,
				})),
			payload: ({ query }) => query,
			search: ({ within, dateField }, now) =>
				within && {
					period: boundsOf(within, now),
					dateFields: dateField === undefined ? ASSUMED.transactionDateFields : [dateField],
				},
		}),
	},
};

/** Reference: "health check", whose path is not shown. */
export const health: Resource = {
	name: 'Health',
	description: 'Whether the API is up',
	operations: {
		check: operation({
			name: 'Check',
			action: 'Check API health',
			description: 'Check whether the API is up',
			request: `GET ${healthPath}`,
			fields: () =>
				form({
					options: optionsOf({
						path: text(
							{
								displayName: 'Path',
								default: healthPath,
								description: 'Advanced: path of the health check, if your API has it elsewhere',
							},
							pathText,
						),
					}),
				}).check(({ options }) => options),
			run: async ({ path }, { api, request }) => {
				const assumed = request();
				const { data } = await api.send({
					...assumed,
					path: path ?? assumed.path,
					mayBeEmpty: true,
				});
				// The answer itself says that the API is up; what it holds is not shown.
				return data === null || typeof data === 'object' ? (data ?? DONE) : { value: data };
			},
			hints: () => ({
				404: "The API has its health check at another path. Set it under 'Options', 'Path'.",
			}),
		}),
	},
};
