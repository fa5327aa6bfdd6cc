import { ASSUMED } from '../domain/assumed';
import { firstOf, isObject, textIn, type JsonObject } from '../json';

/**
 * Reads the currency of an order, a line or a transaction: its own, or that of its lines. Lines of several
 * currencies have them all, such as "EUR, USD". Null if no currency is shown.
 *
 * @param field the field that holds the currency, if the user names it
 */
export function currencyIn(field?: string): (record: JsonObject) => string | null {
	const names = field === undefined ? ASSUMED.currencyFields : [field];
	const shownBy = (record: JsonObject) => {
		const code = firstOf(record, names);
		return typeof code === 'string' ? textIn(code)?.toUpperCase() : undefined;
	};
	return (record) => {
		const lines = Object.values(record).filter(Array.isArray).flat().filter(isObject);
		const codes = new Set(lines.map(shownBy).filter((code) => code !== undefined));
		return shownBy(record) ?? ([...codes].sort().join(', ') || null);
	};
}
