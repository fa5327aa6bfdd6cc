import { ASSUMED } from '../../domain/assumed';
import { optionsOf } from '../../table/common';
import { form } from '../../table/form';
import { nothing, operation } from '../../table/operation';
import { byTime, TIME_GROUPS } from '../../statistics/groupings';
import {
	currencyField,
	assumedField,
	statisticsForm,
	transactionDateField,
} from '../../statistics/options';
import { currencyOf } from '../../statistics/orders';
import { counted, periodsOf } from '../../statistics/reading';
import { walletSubject } from '../../statistics/wallet';

/** Counts the records of GET /wallet/transactions. */
export const walletStatistics = operation({
	name: 'Get Statistics',
	action: 'Get wallet statistics',
	description: 'Add up the money that was added and used in a period',
	hint: 'One item with totals, or one per day, week or month; amounts are exact to the cent.',
	request: 'GET /wallet/transactions',
	isAny: true,
	fields: () =>
		statisticsForm('transactions', TIME_GROUPS).and(
			form({
				options: optionsOf({
					amountField: assumedField(
						'Amount Field',
						'the amount of a transaction',
						ASSUMED.transactionAmountFields,
					),
					currencyField,
					dateField: transactionDateField,
				}),
			}),
		),
	payload: nothing,
	run: async ({ groupBy, compare, options, within }, call) => {
		const periods = periodsOf(within, compare, call.now);
		const { amountField, dateField } = options;
		const report = await counted(
			call,
			{
				subject: walletSubject(amountField),
				grouping: byTime(groupBy, periods, call.now),
				periods,
				dateFields: dateField === undefined ? ASSUMED.transactionDateFields : [dateField],
				series: { column: 'currency', of: currencyOf(options.currencyField) },
			},
			(transaction) => [transaction],
		);
		const { transactions, without_amount: unknown, other_type: other } = report.figures;
		if (Number(unknown) > 0) {
			call.tell(
				`${unknown} of the ${transactions} transactions have no readable amount. They are not added up. "without_amount" counts them. If the amount has another name, add the option 'Amount Field'.`,
			);
		}
		if (Number(other) > 0) {
			call.tell(
				`${other} of the ${transactions} transactions are neither ADD nor CONSUME. They are not added up. "other_type" counts them.`,
			);
		}
		return report.rows();
	},
});
