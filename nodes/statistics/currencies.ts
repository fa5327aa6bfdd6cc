import { shortKey } from '../digest';
import { ASSUMED } from '../domain/assumed';
import { firstOf, isObject, type JsonObject } from '../json';
import { quoted } from '../words';

/** The currencies of the records of one report. Amounts of two currencies are never added up. */
export class Currencies {
	#isShown = false;

	/** An order has lines in several currencies. */
	#isMixed = false;

	/** Field → the currency that it shows, for records whose currency is not in the usual fields. */
	readonly #others = new Map<string, string>();

	/** The field that shows several currencies without being one of the usual fields. */
	#hiddenIn: string | undefined;

	readonly #field: string | undefined;

	/** @param field the field that holds the currency, if the user names it */
	constructor(field?: string) {
		this.#field = field;
	}

	/** The currency of an order, a line or a transaction. Null if it shows none. */
	of(record: JsonObject): string | null {
		const field = this.#field;
		const names = field === undefined ? ASSUMED.currencyFields : [field];
		const currency = currencyIn(record, names) ?? this.#ofLines(record, names);
		if (currency === '' && field === undefined) this.#lookElsewhere(record);
		this.#isShown ||= currency !== '';
		return currency === '' ? null : shortKey(currency);
	}

	/** Why the amounts of records without a currency may be of several. Undefined if nothing says so. */
	get doubt(): string | undefined {
		if (this.#hiddenIn !== undefined) {
			return `The records show several currencies in ${quoted([this.#hiddenIn])}. Amounts of different currencies are never added up. In 'Get Statistics', add the option 'Currency Field' and enter this name.`;
		}
		if (this.#isMixed)
			return 'Some orders have lines in several currencies. Their amounts are not added up.';
		if (this.#isShown)
			return 'Some records show a currency and others do not. The amounts of those without one are not added up.';
		return this.#field === undefined
			? undefined
			: `The records show no currency in ${quoted([this.#field])}, so nothing is added up. Correct or remove 'Currency Field'.`;
	}

	/** The currency in which all lines agree. */
	#ofLines(record: JsonObject, names: readonly string[]): string {
		for (const lines of Object.values(record)) {
			if (!Array.isArray(lines)) continue;
			const shown = lines.map((line) => isObject(line) && currencyIn(line, names)).filter(Boolean);
			const [one = '', ...others] = new Set(shown as string[]);
			if (others.length > 0) this.#isMixed = true;
			else if (one !== '') return one;
		}
		return '';
	}

	#lookElsewhere(record: JsonObject): void {
		for (const [name, value] of fieldsOf(record)) {
			if (typeof value !== 'string') continue;
			// Ron and Bob are no currencies.
			const code = /curr/i.test(name) ? value.trim().toUpperCase() : value.trim();
			if (!CODES.has(code)) continue;
			const known = this.#others.get(name) ?? code;
			if (known !== code) this.#hiddenIn = name;
			else if (this.#others.size < 100) this.#others.set(name, code);
		}
	}
}

/** Undefined if there is none. */
function currencyIn(record: JsonObject, names: readonly string[]): string | undefined {
	const held = firstOf(record, names);
	return typeof held === 'string' ? held.trim().toUpperCase() || undefined : undefined;
}

/** The currencies of ISO 4217. */
const CODES = new Set(Intl.supportedValuesOf('currency'));

/** The fields of a record, and of the objects in it by a name such as `payment.currency`. */
const fieldsOf = (record: JsonObject): Array<[string, unknown]> =>
	Object.entries(record).flatMap(([name, value]): Array<[string, unknown]> =>
		isObject(value)
			? Object.entries(value).map(([inner, held]) => [`${name}.${inner}`, held])
			: [[name, value]],
	);
