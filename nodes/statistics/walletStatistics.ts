import { enterAs, type Names } from '../api/names';
import { ASSUMED } from '../domain/assumed';
import { decimalOf, minus, sizeOf } from '../domain/decimal';
import { currencyIn } from '../domain/money';
import { firstOf, firstText } from '../json';
import { optionsOf } from '../table/common';
import { form } from '../table/form';
import { timeout } from '../table/handling';
import { operation } from '../table/operation';
import { firstDayOption } from '../filters/within';
import { byTime, TIME_GROUPS } from './groupings';
import { differencesOption, statisticsForm } from './options';
import { periodsOf, tabulate, type Subject } from './tabulate';
import { figure } from './tally';

export const walletStatistics = operation({
	name: 'Get Statistics',
	action: 'Get wallet statistics',
	description: 'Add up the money that was added and used in a period',
	hint: 'One item with totals, or one per day, week or month; amounts are exact to the cent.',
	request: 'GET /wallet/transactions',
	fields: () =>
		statisticsForm('transactions', TIME_GROUPS).and(
			form({
				options: optionsOf({ differences: differencesOption, firstDay: firstDayOption, timeout }),
			}),
		),
	run: async ({ groupBy, compare, options, within }, api) => {
		const { differences = false, firstDay } = options;
		const { names } = api;
		const periods = periodsOf({ ...within, firstDay }, compare || differences, api.now);
		const tabulation = await tabulate(
			{ api, request: { method: 'GET', path: '/wallet/transactions' } },
			{
				subject: walletSubject(names),
				groupings: [byTime(groupBy, periods, api.now)],
				periods,
				compare,
				differences,
				dateFields: ASSUMED.transactionDate,
				currencyOf: currencyIn(names),
				currencies: names.currency,
			},
		);
		const count = (name: string) => tabulation.sumOf((total) => total.countOf(name));
		const [all, unknown] = [count('transactions'), count('without_amount')];
		const other = count('other_type');
		if (unknown > 0) {
			api.tell(
				`${unknown} of the ${all} transactions have no readable amount. They are not added up. "without_amount" counts them. If the amount has another name, ${enterAs('transactionAmount')}.`,
			);
		}
		if (other > 0) {
			api.tell(
				`${other} of the ${all} transactions are neither ADD nor CONSUME. They are not added up. "other_type" counts them.`,
			);
		}
		return tabulation.rows();
	},
});

/**
 * Counts transactions. The reference does not show whether a CONSUME has a minus sign, so its type alone
 * says that money was used. Reference: "Wallet transaction".
 */
export function walletSubject({ transactionAmount }: Names): Subject {
	return {
		amounts: ['added', 'consumed', 'net'],
		read(transaction) {
			const amount = decimalOf(firstOf(transaction, transactionAmount));
			// The filter of the API has the one name, and its record the other.
			const type = firstText(transaction, ['transaction_type', 'type'])?.toUpperCase();
			const as = ['transactions'];
			if (amount === undefined) as.push('without_amount');
			if (type === undefined) as.push('without_type');
			if (type === 'ADD') return { as, amounts: { added: amount } };
			if (type !== 'CONSUME') return { as: [...as, 'other_type'] };
			return { as, amounts: { consumed: amount && sizeOf(amount) } };
		},
		figures(tally) {
			const transactions = tally.countOf('transactions');
			const isTyped = transactions === 0 || tally.countOf('without_type') < transactions;
			const added = isTyped ? tally.sum('added') : undefined;
			const consumed = isTyped ? tally.sum('consumed') : undefined;
			const count = (name: string) => (isTyped ? tally.known(name) + tally.unknown(name) : null);
			return {
				transactions,
				added: figure(added),
				consumed: figure(consumed),
				net: figure(added && consumed && minus(added, consumed)),
				additions: count('added'),
				consumptions: count('consumed'),
				other_type: tally.countOf('other_type'),
				without_amount: tally.countOf('without_amount'),
			};
		},
	};
}
