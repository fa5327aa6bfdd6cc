import { enterAs, type Names } from '../api/names';
import { firstOf, firstText } from '../json';
import { optionsOf } from '../table/common';
import { form } from '../table/form';
import { timeout } from '../table/handling';
import { operation } from '../table/operation';
import { firstDayOption } from '../filters/within';
import { decimalOf, minus, ZERO, type Decimal } from './decimal';
import { byTime, TIME_GROUPS } from './groupings';
import { differencesOption, statisticsForm } from './options';
import { currencyIn, periodsOf, tabulate, type Subject, type Tabulation } from './tabulate';
import { figure, type Tally } from './tally';

/** Counts the records of GET /wallet/transactions. */
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
	run: async ({ groupBy, compare, options, within }, context) => {
		const { differences = false, firstDay } = options;
		const { names } = context.api;
		const periods = periodsOf({ ...within, firstDay }, compare || differences, context.now);
		const tabulation = await tabulate(
			{ ...context, request: context.request() },
			{
				subject: walletSubject(names),
				groupings: [byTime(groupBy, periods, context.now)],
				periods,
				compare,
				differences,
				dateFields: names.transactionDate,
				currencyOf: currencyIn(names),
				currencies: names.currency,
			},
		);
		for (const notice of lacksOf(tabulation)) context.tell(notice);
		return tabulation.rows();
	},
});

function* lacksOf(tabulation: Tabulation): Generator<string> {
	const all = tabulation.sumOf((total) => total.countOf('transactions'));
	const unknown = tabulation.sumOf((total) => total.countOf('without_amount'));
	const other = tabulation.sumOf((total) => total.countOf('other_type'));
	const turned = tabulation.sumOf((total) =>
		Math.min(total.countOf('minus'), total.countOf('plus')),
	);
	if (unknown > 0) {
		yield `${unknown} of the ${all} transactions have no readable amount. They are not added up. "without_amount" counts them. If the amount has another name, ${enterAs('transactionAmount')}.`;
	}
	if (other > 0) {
		yield `${other} of the ${all} transactions are neither ADD nor CONSUME. They are not added up. "other_type" counts them.`;
	}
	if (turned > 0) {
		yield `${turned} of the ${all} transactions are a CONSUME whose sign differs from that of most others. They count as corrections and are subtracted. If both signs are equally frequent, nobody knows which are corrections, and "consumed" is null.`;
	}
}

/**
 * Counts transactions. What was added is the sum of the ADDs: a negative one takes back another. The
 * reference does not show whether a CONSUME has a minus sign. So the sign that most of them have in this
 * currency is that of spending, and the others are corrections. Sums do not decide it: one large
 * correction would turn all others around. Reference: "Wallet transaction".
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
			if (amount && amount.units !== 0n) as.push(amount.units < 0n ? 'minus' : 'plus');
			return { as, amounts: { consumed: amount } };
		},
		figures(tally, total) {
			const transactions = tally.countOf('transactions');
			const isTyped = transactions === 0 || tally.countOf('without_type') < transactions;
			const added = isTyped ? tally.sum('added') : undefined;
			const consumed = isTyped ? consumedIn(tally, total) : undefined;
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

function consumedIn(tally: Tally, total: Tally): Decimal | undefined {
	const sum = tally.sum('consumed');
	const [negative, positive] = [total.countOf('minus'), total.countOf('plus')];
	if (sum === undefined || sum.units === 0n) return sum;
	if (negative === positive) return undefined;
	return negative > positive ? minus(ZERO, sum) : sum;
}
