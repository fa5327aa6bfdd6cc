import { DateTime } from 'luxon';

import type { Figure } from '../statistics/tally';
import { labelsIn } from './labels';
import type { Language } from './names';

export type Format = ReturnType<typeof formatIn>;

/** Writes figures and dates as a language does. A figure that is null or missing is "not known" in it. */
export function formatIn(language: Language) {
	const labels = labelsIn(language);
	const known = (figure: Figure | undefined, write: (value: number) => string) =>
		typeof figure === 'number' && Number.isFinite(figure) ? write(figure) : labels.unknown;
	const numbers = [0, 1].map(
		(digits) => new Intl.NumberFormat(language, { maximumFractionDigits: digits }),
	);
	const shares = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
	const dated = (date: DateTime, format: Intl.DateTimeFormatOptions) =>
		date.setLocale(language).toLocaleString(format);
	return {
		labels,
		language,
		/** `label: value`. French has a space before the colon. */
		pair: (label: string, value: string) =>
			`${label}${language === 'fr' ? '\u00a0' : ''}: ${value}`,
		number: (figure: Figure | undefined, digits: 0 | 1 = 1) =>
			known(figure, (value) => numbers[digits]!.format(value)),
		/** An amount with its currency. A currency that Intl does not know follows the number. */
		money: (figure: Figure | undefined, currency: string | null) =>
			known(figure, (value) => money(value, currency, language)),
		percent: (figure: Figure | undefined) => known(figure, (value) => shares.format(value / 100)),
		/** Seconds as minutes and seconds: 2:05. */
		length: (seconds: Figure | undefined) =>
			known(seconds, (value) => {
				const whole = Math.round(value);
				return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
			}),
		/** The period in words: a month, a day, or its first and last day. */
		period: (start: DateTime, end: DateTime) => {
			const last = end.minus(1);
			if (start.hasSame(last, 'day')) return dated(start, DateTime.DATE_FULL);
			const isMonth = +start === +start.startOf('month') && +end === +start.plus({ months: 1 });
			if (isMonth) return dated(start, { month: 'long', year: 'numeric' });
			return `${dated(start, DateTime.DATE_MED)} – ${dated(last, DateTime.DATE_MED)}`;
		},
		day: (date: DateTime) => dated(date, { weekday: 'short', day: 'numeric', month: 'short' }),
		hour: (hour: number) => `${String(hour).padStart(2, '0')}:00`,
	};
}

function money(value: number, currency: string | null, language: Language): string {
	if (currency !== null && /^[A-Za-z]{3}$/.test(currency)) {
		const style = { style: 'currency', currency: currency.toUpperCase() } as const;
		return new Intl.NumberFormat(language, style).format(value);
	}
	const number = new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(value);
	return currency === null ? number : `${number} ${currency}`;
}
