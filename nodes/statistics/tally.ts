import { dividedBy, plus, times, toJson, ZERO, type Decimal } from '../domain/decimal';

/** A figure in a row. Null if nobody knows it: 0 would be a claim. */
export type Figure = number | null;

/** What one record adds to a tally. An amount is undefined if the record does not show it. */
export interface Counted {
	as: string[];
	amounts?: Record<string, Decimal | undefined>;
}

interface Sum {
	amount: Decimal;
	known: number;
	unknown: number;
}

const NOTHING: Readonly<Sum> = { amount: ZERO, known: 0, unknown: 0 };

/** What was counted and added up so far. Records that do not show an amount are counted apart. */
export class Tally {
	readonly #counts = new Map<string, number>();

	readonly #sums = new Map<string, Sum>();

	add({ as, amounts = {} }: Counted): void {
		for (const name of as) this.#counts.set(name, this.countOf(name) + 1);
		for (const name in amounts) this.#addAmount(name, amounts[name]);
	}

	countOf = (name: string): number => this.#counts.get(name) ?? 0;

	known = (name: string): number => this.#sumOf(name).known;

	unknown = (name: string): number => this.#sumOf(name).unknown;

	/** Undefined if there are records and none shows its amount. */
	sum(name: string): Decimal | undefined {
		const { amount, known, unknown } = this.#sumOf(name);
		return known === 0 && unknown > 0 ? undefined : amount;
	}

	average(name: string, digits: number, by = 1): Figure {
		const { amount, known } = this.#sumOf(name);
		return known === 0 ? null : toJson(dividedBy(times(amount, whole(by)), whole(known), digits));
	}

	/** The share of yes among the records that answer yes (1) or no (0), in percent. */
	share = (name: string): Figure => this.average(name, 2, 100);

	#addAmount(name: string, amount: Decimal | undefined): void {
		const sum = this.#sums.get(name) ?? { ...NOTHING };
		this.#sums.set(name, sum);
		if (amount === undefined) {
			sum.unknown += 1;
		} else {
			sum.known += 1;
			sum.amount = plus(sum.amount, amount);
		}
	}

	#sumOf = (name: string): Readonly<Sum> => this.#sums.get(name) ?? NOTHING;
}

/** A share in percent, with two digits. Null if the whole is 0. */
export const percent = (part: number, all: number): Figure =>
	all > 0 ? toJson(dividedBy(whole(part * 100), whole(all), 2)) : null;

export const figure = (sum: Decimal | undefined): Figure =>
	sum === undefined ? null : toJson(sum);

/** Yes and no as numbers, to be added up. Undefined stays. */
export const oneIf = (value: boolean | undefined): Decimal | undefined =>
	value === undefined ? undefined : whole(Number(value));

const whole = (count: number): Decimal => ({ units: BigInt(count), scale: 0 });
