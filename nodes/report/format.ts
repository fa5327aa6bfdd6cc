import { DateTime, Interval } from 'luxon';

import type { Figure } from '../statistics/tally';
import { labelsIn, type Language } from './labels';

export type Format = ReturnType<typeof formatIn>;

/** Writes figures and dates as a language does. A figure that is null or missing is "not known" in it. */
export function formatIn(language: Language) {
	const labels = labelsIn(language);
	const space = language === 'fr' ? '\u00a0' : '';
	const known = (figure: Figure | undefined, write: (value: number) => string) =>
		figure === undefined || figure === null ? labels.unknown : write(Number(figure));
	const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
	const percentOf = (ratio: number, digits: 0 | 1, signDisplay: 'auto' | 'exceptZero' = 'auto') =>
		new Intl.NumberFormat(language, {
			style: 'percent',
			minimumFractionDigits: digits,
			maximumFractionDigits: digits,
			signDisplay,
		}).format(ratio);
	const points = new Intl.NumberFormat(language, {
		minimumFractionDigits: 1,
		maximumFractionDigits: 1,
		signDisplay: 'exceptZero',
	});
	const dated = (date: DateTime, format: Intl.DateTimeFormatOptions) =>
		date.setLocale(language).toLocaleString(format);
	return {
		labels,
		language,
		/** `label: value`. French has a space before the colon. */
		pair: (label: string, value: string) => `${label}${space}: ${value}`,
		joined: (parts: string[]) => parts.join(`${space}; `),
		number: (figure: Figure | undefined) => known(figure, (value) => whole.format(value)),
		/** An amount with its currency. A currency that Intl does not know follows the number. */
		money: (figure: Figure | undefined, currency: string | null) =>
			known(figure, (value) => money(value, currency, language)),
		percent: (figure: Figure | undefined) => known(figure, (value) => percentOf(value / 100, 1)),
		points: (difference: number) => `${points.format(difference)} ${labels.points}`,
		/** A change as a share of what was before. Small ones have a digit behind the point: +0.4%, +12%. */
		change: (ratio: number, signDisplay?: 'exceptZero') =>
			percentOf(ratio, Math.abs(ratio) < 0.01 || ratio < -0.99 ? 1 : 0, signDisplay),
		/** Seconds as minutes and seconds: 2:05 min. */
		length: (seconds: Figure | undefined) =>
			known(seconds, (value) => {
				const whole = Math.round(value);
				return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')} min`;
			}),
		/** The period in words: a month, a day, or its first and last day. */
		period: (start: DateTime, end: DateTime) => {
			const last = end.minus(1);
			if (start.hasSame(last, 'day')) return dated(start, DateTime.DATE_FULL);
			if (isMonth(start, end)) return dated(start, { month: 'long', year: 'numeric' });
			return Interval.fromDateTimes(start, last).toLocaleString(DateTime.DATE_MED, {
				locale: language,
			});
		},
		/** Until when a period goes that ends within a day: ", until Friday 27 November, 09:00". */
		until: (start: DateTime, end: DateTime) => {
			if (+end === +end.startOf('day')) return '';
			const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
			if (start.hasSame(end, 'day')) return `, ${filled(labels.untilTime, dated(end, time))}`;
			const day = { weekday: 'long', day: 'numeric', month: 'long' } as const;
			return `, ${filled(labels.until, dated(end, { ...day, ...time }))}`;
		},
		month: (start: DateTime, end: DateTime) =>
			isMonth(start, end) ? dated(start, { month: 'long' }) : undefined,
		weekday: (date: DateTime) => dated(date, { weekday: 'long' }),
		longDay: (date: DateTime) => dated(date, DateTime.DATE_HUGE),
		day: (date: DateTime) => dated(date, { weekday: 'short', day: 'numeric', month: 'short' }),
		hour: (hour: number) =>
			[hour, hour + 1].map((each) => `${String(each).padStart(2, '0')}:00`).join('–'),
	};
}

const isMonth = (start: DateTime, end: DateTime) =>
	+start === +start.startOf('month') && +end === +start.plus({ months: 1 });

/** Puts a value into a text of the labels, in place of {}. */
export const filled = (text: string, value: string) => text.replace('{}', () => value);

/**
 * The change as a share of what was before. Undefined if nothing was before, if a reader would see no change,
 * or if it is tenfold or more, which nobody says in percent.
 */
export function ratioOf(now: Figure | undefined, before: Figure | undefined): number | undefined {
	const ratio = (Number(now) - Number(before)) / Number(before);
	const isClear = Math.abs(ratio) >= 0.0005 && Math.abs(ratio) < 10;
	return now === null || before === null || !isClear ? undefined : ratio;
}

function money(value: number, currency: string | null, language: Language): string {
	if (currency !== null && /^[A-Za-z]{3}$/.test(currency)) {
		const style = { style: 'currency', currency: currency.toUpperCase() } as const;
		return new Intl.NumberFormat(language, style).format(value);
	}
	const number = new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(value);
	return currency === null ? number : `${number} ${currency}`;
}
