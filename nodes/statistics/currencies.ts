import { shortKey } from '../digest';
import { ASSUMED } from '../domain/assumed';
import { firstOf, isObject, type JsonObject } from '../json';
import { quoted } from '../words';

/** The currencies of the records of one report. Amounts of two currencies are never added up. */
export class Currencies {
	private isShown = false;

	/** Field → the currency that it shows, for records whose currency is not in the usual fields. */
	private readonly others = new Map<string, string>();

	/** The field that shows several currencies without being one of the usual fields. */
	private hiddenIn: string | undefined;

	private readonly field: string | undefined;

	/** @param field the field that holds the currency, if the user names it */
	constructor(field?: string) {
		this.field = field;
	}

	/** The currency of an order, a line or a transaction. Null if it shows none. */
	of(record: JsonObject): string | null {
		const { field } = this;
		const names = field === undefined ? ASSUMED.currencyFields : [field];
		const currency = currencyIn(record, names) ?? this.ofLines(record, names);
		if (currency === '' && field === undefined) this.lookElsewhere(record);
		this.isShown ||= currency !== '';
		return currency === '' ? null : shortKey(currency);
	}

	/** Why the amounts of records without a currency may be of several. Undefined if nothing says so. */
	get doubt(): string | undefined {
		if (this.hiddenIn !== undefined) {
			return `The records show several currencies in ${quoted([this.hiddenIn])}. Amounts of different currencies are never added up. Add the option 'Currency Field' and enter this name.`;
		}
		return this.isShown
			? 'Some records show a currency and others do not. The amounts of those without one are not added up.'
			: undefined;
	}

	/** The currency in which all lines agree. */
	private ofLines(record: JsonObject, names: readonly string[]): string {
		for (const [name, lines] of Object.entries(record)) {
			if (!Array.isArray(lines)) continue;
			const shown = lines.map((line) => isObject(line) && currencyIn(line, names)).filter(Boolean);
			const [one = '', ...others] = new Set(shown as string[]);
			if (others.length > 0) this.hiddenIn = name;
			else if (one !== '') return one;
		}
		return '';
	}

	private lookElsewhere(record: JsonObject): void {
		for (const [name, value] of fieldsOf(record)) {
			if (typeof value !== 'string') continue;
			// Ron and Bob are no currencies.
			const code = /curr/i.test(name) ? value.trim().toUpperCase() : value.trim();
			if (!CODES.has(code)) continue;
			const known = this.others.get(name) ?? code;
			if (known !== code) this.hiddenIn = name;
			else if (this.others.size < 100) this.others.set(name, code);
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
