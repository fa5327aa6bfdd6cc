import { FullRecord } from '../../domain/simplify';
import { ASSUMED } from '../../domain/assumed';
import { billingPeriodOf, USAGE_HINTS } from '../../domain/usage';
import { numberIn, type JsonObject } from '../../json';
import { filtersOf, transactionType } from '../../table/common';
import { form } from '../../table/form';
import { choice, number } from '../../table/kinds';
import { listWatcher } from '../../watching/listWatcher';
import { thresholdWatcher } from '../../watching/thresholdWatcher';
import { triggerEvent } from '../event';
import { eventOptions, lookBack, pollLimit, startsAgain } from './eventFields';

/** Follows the transactions by date. Reference: GET /wallet/transactions. It shows no order and no sort. */
export const newTransaction = triggerEvent({
	name: 'New Wallet Transaction',
	description: 'When money is added to the balance or spent',
	hint: 'One item per transaction. For an alert about credit use lowBalance.',
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
	stateKey: ({ filters }) => filters.transaction_type,
	watch: ({ filters }, watching) =>
		listWatcher(watching, {
			dateFields: ASSUMED.transactionDate,
			path: '/wallet/transactions',
			query: { transaction_type: filters.transaction_type },
			judge: (transaction) => ({ item: new FullRecord(transaction) }),
		}),
});

export const lowBalance = triggerEvent({
	name: 'Low Balance',
	description:
		'When the balance falls below an amount. Starts again only after it rose above that amount.',
	hint: 'Starts once when the balance falls below the threshold, not with every poll: no node is needed to prevent repeated alerts.',
	request: 'GET /wallet',
	fields: () =>
		form({
			threshold: number({
				displayName: 'Balance Below',
				default: 10,
				description: startsAgain('The amount, in the currency of the wallet.'),
			}),
			options: eventOptions({}),
		}),
	stateKey: ({ threshold }) => threshold,
	watch: ({ threshold }, watching) =>
		thresholdWatcher(watching, {
			path: '/wallet',
			threshold,
			item: { threshold },
			absent: 'the wallet has no balance',
			valueOf: ({ balance }) => numberIn(balance),
		}),
});

const UNITS = { minutes: 'Minutes', percent: 'Percent of Included Minutes' } as const;

export const lowMinutes = triggerEvent({
	name: 'Low Minutes',
	description:
		'When the remaining minutes of the plan fall below a number or a share. Starts again after they rose above that, or in a new billing period.',
	hint: 'Starts once per billing period when minutes fall below minutesBelow: no node is needed to prevent repeated alerts.',
	request: 'GET /usage',
	hints: USAGE_HINTS,
	fields: () =>
		form({
			minutesBelow: number({
				displayName: 'Minutes Below',
				min: 0,
				default: 60,
				description: startsAgain('Start when fewer minutes than this are left.'),
			}),
			minutesUnit: choice(UNITS, {
				displayName: 'Unit',
				description: startsAgain(
					"Unit of 'Minutes Below': a number of minutes, or a share of those in the plan.",
				),
			}),
			options: eventOptions({}),
		}),
	stateKey: ({ minutesBelow, minutesUnit }) => [minutesBelow, minutesUnit],
	watch: ({ minutesBelow, minutesUnit }, watching) =>
		thresholdWatcher(watching, {
			path: '/usage',
			threshold: minutesBelow,
			item: { threshold: minutesBelow, threshold_unit: minutesUnit },
			absent:
				minutesUnit === 'minutes'
					? 'the usage has no minutes_remaining'
					: 'the usage has no minutes_remaining, or no minutes_included to take a share of',
			valueOf: minutesUnit === 'minutes' ? remaining : shareRemaining,
			periodOf: billingPeriodOf,
		}),
});

const remaining = ({ minutes_remaining: minutes }: JsonObject) => numberIn(minutes);

function shareRemaining(usage: JsonObject): number | undefined {
	const [minutes, included] = [remaining(usage), numberIn(usage.minutes_included)];
	if (included === 0)
		throw new Error(
			"The plan includes no minutes, so there is no share to compare with. Set 'Unit' to Minutes.",
		);
	return minutes === undefined || !included ? undefined : (minutes / included) * 100;
}
