import { ASSUMED } from '../domain/assumed';
import { firstOf, type JsonObject } from '../json';
import { optionsOf } from '../table/common';
import { form } from '../table/form';
import { nothing, operation } from '../table/operation';
import { decimalOf, minus, plus, toJson, ZERO, type Decimal } from './decimal';
import type { Figure } from './figures';
import { byTime, TIME_GROUPS } from './groupings';
import { assumedField, currencyField, statisticsForm, transactionDateField } from './options';
import { currencyOf } from './orderStatistics';
import { counted, periodsOf } from './reading';
import type { Subject } from './report';

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

/** What is known of the transactions that were counted so far. Amounts have the sign that the API gave them. */
interface WalletTally {
	transactions: number;
	added: Decimal;
	consumed: Decimal;
	additions: number;
	consumptions: number;
	withoutAmount: number;
}

/**
 * Counts transactions. The reference does not show whether spending has a minus sign. So the sum of all
 * transactions of a type shows the usual sign of that type. A correction has the other sign, and is
 * subtracted. Reference: "Wallet transaction".
 *
 * @param amountField the field of the amount, if the user names it
 */
export function walletSubject(amountField?: string): Subject<WalletTally> {
	const names = amountField === undefined ? ASSUMED.transactionAmountFields : [amountField];
	return {
		empty: () => ({
			transactions: 0,
			added: ZERO,
			consumed: ZERO,
			additions: 0,
			consumptions: 0,
			withoutAmount: 0,
		}),
		count(tally, transaction) {
			tally.transactions += 1;
			const type = typeOf(transaction);
			const amount = decimalOf(firstOf(transaction, names));
			if (amount === undefined) tally.withoutAmount += 1;
			if (type === 'ADD') {
				tally.additions += 1;
				tally.added = plus(tally.added, amount ?? ZERO);
			} else if (type === 'CONSUME') {
				tally.consumptions += 1;
				tally.consumed = plus(tally.consumed, amount ?? ZERO);
			}
		},
		figures: walletFigures,
	};
}

/** @param total the transactions of both periods: they show the usual sign of each type */
function walletFigures(tally: WalletTally, total: WalletTally): Record<string, Figure> {
	const { transactions, additions, consumptions, withoutAmount } = tally;
	const added = signedAs(total.added, tally.added);
	const consumed = signedAs(total.consumed, tally.consumed);
	return {
		transactions,
		added: toJson(added),
		consumed: toJson(consumed),
		net: toJson(minus(added, consumed)),
		additions,
		consumptions,
		other_type: transactions - additions - consumptions,
		without_amount: withoutAmount,
	};
}

/** A sum as a positive amount, if this type of transaction is usually written with a minus sign. */
const signedAs = (usual: Decimal, sum: Decimal): Decimal =>
	usual.units < 0n ? minus(ZERO, sum) : sum;

function typeOf({ transaction_type: kind, type = kind }: JsonObject): string {
	return String(type).toUpperCase();
}
