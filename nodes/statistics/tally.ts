import { dividedBy, plus, times, toJson, ZERO, type Decimal } from './decimal';

/** A figure in a row. Null if nobody knows it: 0 would be a claim. */
export type Figure = number | string | null;

/** What was counted and added up so far. Records that do not show an amount are counted apart. */
export class Tally {
	private readonly counts = new Map<string, number>();

	private readonly sums = new Map<string, Decimal>();

	count(name: string): void {
		this.counts.set(name, this.countOf(name) + 1);
	}

	countOf(name: string): number {
		return this.counts.get(name) ?? 0;
	}

	/** Adds an amount to a sum. Undefined stands for a record that does not show it. */
	add(name: string, amount: Decimal | undefined): void {
		this.count(`${amount === undefined ? 'without' : 'with'} ${name}`);
		if (amount !== undefined) this.sums.set(name, plus(this.sums.get(name) ?? ZERO, amount));
	}

	/** How many records showed an amount of this sum. */
	known(name: string): number {
		return this.countOf(`with ${name}`);
	}

	/** How many records did not. */
	unknown(name: string): number {
		return this.countOf(`without ${name}`);
	}

	/** A sum; undefined if there are records and none shows its amount. */
	sum(name: string): Decimal | undefined {
		const isUnknown = this.known(name) === 0 && this.unknown(name) > 0;
		return isUnknown ? undefined : (this.sums.get(name) ?? ZERO);
	}

	/** A sum divided by how many amounts were added up. Null if there were none. */
	average(name: string, digits: number, by = 1): Figure {
		const [sum, known] = [this.sums.get(name), this.known(name)];
		return sum === undefined
			? null
			: toJson(dividedBy(times(sum, whole(by)), whole(known), digits));
	}

	/** The share of yes among the records that answer yes (1) or no (0), in percent. */
	share = (name: string): Figure => this.average(name, 2, 100);
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
