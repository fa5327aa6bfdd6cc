import { CALL_STATUS, isState } from '../domain/status';
import { form, type InputOf } from '../table/form';
import { group, mayBeBlank, several, text, wholeNumber } from '../table/kinds';
import { currencyCode, number, optional } from '../table/schema';
import { decimalOf, dividedBy, minus, times, type Decimal } from '../domain/decimal';
import { digitsOf } from '../domain/money';
import { figure, type Figure, type Tally } from './tally';

const billingForm = form({
	currency: mayBeBlank(
		text(
			{
				displayName: 'Currency',
				placeholder: 'e.g. EUR',
				description: 'Code of the currency of your price',
			},
			currencyCode,
		),
	),
	minimumSeconds: wholeNumber({
		displayName: 'Minimum Seconds',
		min: 0,
		max: 86_400,
		default: 0,
		description: 'A shorter call counts as this long. Defaults to 0.',
	}),
	// Text, because a browser reads 0,15 in a number field as 15. n8n (2.41) may run when only its 0 is typed.
	pricePerMinute: text(
		{
			displayName: 'Price per Minute',
			placeholder: 'e.g. 0.15',
			description: 'Price of a minute. Leave it empty to count only the minutes.',
		},
		optional(
			number(0, 1_000_000).refine((price) => price > 0, {
				message: 'must be more than 0. Leave it empty to count only the minutes',
			}),
		),
	),
	roundUpTo: wholeNumber({
		displayName: 'Round Up to Seconds',
		min: 1,
		max: 86_400,
		default: 60,
		description: 'Each call is rounded up to a multiple of this. Defaults to 60.',
	}),
	statuses: several(
		CALL_STATUS,
		{
			displayName: 'Statuses That Count',
			default: ['Completed'],
			description: 'Only calls that ended this way are billed. Defaults to Completed.',
		},
		'must name at least one status',
	),
});

export type Billing = InputOf<typeof billingForm>;

export const billingOption = group(
	{
		displayName: 'Billing',
		placeholder: 'Set billing',
		description:
			'Adds billed_calls, billed_minutes, total_price and price_per_minute. billing_unknown counts calls that cannot be billed.',
	},
	{ name: 'values', displayName: 'Billing', fields: billingForm },
);

const MINUTE: Decimal = { units: 60n, scale: 0 };

/** The seconds of a call that are billed, if its status counts. Undefined if its status or length is not known. */
export function billedAmount(
	{ roundUpTo, minimumSeconds, statuses }: Billing,
	status: string | undefined,
	seconds: Decimal | undefined,
): { billed?: Decimal | undefined } {
	if (status !== undefined && !isState(statuses, status)) return {};
	if (status === undefined || seconds === undefined) return { billed: undefined };
	const least = { units: BigInt(minimumSeconds), scale: 0 };
	const counted = minus(seconds, least).units < 0n ? least : seconds;
	return { billed: { units: roundedUp(counted, BigInt(roundUpTo)), scale: 0 } };
}

function roundedUp({ units, scale }: Decimal, step: bigint): bigint {
	const size = step * 10n ** BigInt(scale);
	return ((units + size - 1n) / size) * step;
}

/** The figures of a bill; null if no call that may be billed shows its length and its status. */
export function billedFigures(
	tally: Tally,
	{ pricePerMinute, currency }: Billing,
): Record<string, Figure> {
	const seconds = tally.sum('billed');
	const price = pricePerMinute === undefined ? undefined : decimalOf(pricePerMinute);
	return {
		billed_calls: seconds ? tally.known('billed') : null,
		billed_minutes: figure(seconds && dividedBy(seconds, MINUTE, 2)),
		total_price: figure(
			seconds && price && dividedBy(times(seconds, price), MINUTE, digitsOf(currency)),
		),
		billing_unknown: tally.unknown('billed'),
	};
}

export const billedConstants = ({ pricePerMinute, currency }: Billing) => ({
	price_per_minute: pricePerMinute ?? null,
	currency: currency ?? null,
});
