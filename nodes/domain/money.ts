import type { Names } from '../api/names';
import { firstOf, isObject, textIn, type JsonObject } from '../json';
import { decimalText, type Decimal } from './decimal';

/** How many digits a currency has behind the point: JPY none, BHD three. Two if it is not known. */
export function digitsOf(currency: string | null | undefined): number {
	if (!/^[A-Za-z]{3}$/.test(currency ?? '')) return 2;
	const style = { style: 'currency', currency: currency! } as const;
	return new Intl.NumberFormat('en', style).resolvedOptions().maximumFractionDigits ?? 2;
}

/** An amount as text, with all digits of its currency: 6.40. */
export function amountText(amount: Decimal, currency: string | null): string {
	const [whole, fraction = ''] = decimalText(amount).split('.');
	const shown = fraction.padEnd(digitsOf(currency), '0');
	return shown === '' ? whole! : `${whole}.${shown}`;
}

/**
 * Reads the currency of an order, a line or a transaction: its own, or that of its lines. Lines of several
 * currencies have them all, such as "EUR, USD". Null if no currency is shown.
 */
export function currencyIn({ currency }: Pick<Names, 'currency'>) {
	const shownBy = (record: JsonObject) => {
		const code = firstOf(record, currency);
		return typeof code === 'string' ? textIn(code)?.toUpperCase() : undefined;
	};
	return (record: JsonObject): string | null => {
		const lines = Object.values(record).filter(Array.isArray).flat().filter(isObject);
		const codes = new Set(lines.map(shownBy).filter((code) => code !== undefined));
		return shownBy(record) ?? ([...codes].sort().join(', ') || null);
	};
}
