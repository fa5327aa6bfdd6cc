import { DateTime } from 'luxon';

import type { Direction } from '../domain/direction';
import { tidy, type JsonObject } from '../json';
import { shortened, withoutMarkup } from '../words';
import type { Figure } from '../statistics/tally';
import { ratioOf, type Format } from './format';
import type { Labels } from './labels';
import type { Bar, Columns, Section, Table, Tile } from './page';

export type Rows = JsonObject[];

export type Unit = 'day' | 'week' | 'month';

const MOST_AGENTS = 15;

/** Beyond this many equal bars, the note names no more. */
const MOST_NAMES = 3;

/** Beyond this many bars, only some have a mark. */
const MOST_MARKS = { day: 16, week: 7, month: 12 } as const;

const figure = (row: JsonObject, name: string) => row[name] as Figure | undefined;
const count = (row: JsonObject, name: string) => Number(row[name] ?? 0);

/** The rows of inbound and of outbound calls. Empty unless there are both. */
export function bothDirections(rows: Rows): Rows {
	const both = (['inbound', 'outbound'] as const).flatMap((name) =>
		rows.filter((row) => row.direction === name && count(row, 'calls') > 0),
	);
	return both.length === 2 ? both : [];
}

const directionOf = ({ direction }: JsonObject, labels: Labels) => labels[direction as Direction];

/** The large figures of all calls, with what they leave out, and those of each direction side by side. */
export function keyFigures(totals: JsonObject, directions: Rows, format: Format): Section {
	const { labels } = format;
	const tiles: Array<[name: string, label: string, write: Write]> = [
		['calls', labels.calls, format.number],
		['minutes', labels.minutes, format.number],
		['completion_rate', labels.completed, format.percent],
		['completed_average_seconds', labels.averageLength, format.length],
	];
	const known = tiles.filter(([name]) => figure(totals, name) !== null);
	const unknown = tiles.filter((tile) => !known.includes(tile));
	const both = bothDirections(directions);
	const table = {
		head: ['', ...both.map((row) => directionOf(row, labels))],
		rows: known.map(([name, label, write]) => [
			label,
			...both.map((row) => withBefore(row, name, write, format)),
		]),
	};
	const unclear = directions.filter(({ direction }) => direction === null);
	return {
		title: labels.keyFigures,
		tiles: known.map(([name, label, write]) => ({
			label,
			value: write(figure(totals, name)!),
			...changeOf(totals, name, write, format),
		})),
		...(both.length > 0 && { table }),
		notes: [
			...(both.length > 0 ? unclear : []).flatMap((row) =>
				left(row, 'calls', labels.noDirection, format),
			),
			...unknown.map(([, label]) => format.pair(label, labels.notShown)),
			...left(totals, 'without_duration', labels.withoutLength, format),
			...left(totals, 'in_progress', labels.underWay, format),
		],
	};
}

type Write = (value: Figure) => string;

/** The change of a figure as people say it. More calls, and more completed ones, are good news. */
function changeOf(
	totals: JsonObject,
	name: string,
	write: Write,
	format: Format,
): Pick<Tile, 'change' | 'isGood'> {
	const [now, before] = [figure(totals, name), figure(totals, `${name}_before`)];
	if (before === undefined || before === null) return {};
	const by = Number(now) - Number(before);
	const isShare = name === 'completion_rate';
	// Less than a reader sees is no change.
	if (write(now!) === write(before) || (isShare && Math.abs(by) < 0.05)) {
		return { change: format.labels.asBefore };
	}
	const was = `${format.labels.before} ${write(before)}`;
	const ratio = ratioOf(now, before);
	if (!isShare && ratio === undefined) return { change: was };
	// Small changes are chance, and neither good nor bad news.
	const isNotable = isShare ? Math.abs(by) >= 1 : Math.abs(ratio!) >= 0.02;
	return {
		change: `${isShare ? format.points(by) : format.change(ratio!, 'exceptZero')} (${was})`,
		...((isShare || name === 'calls') && isNotable && { isGood: by > 0 }),
	};
}

/** A line that says how many records a figure leaves out; none if it leaves out none. */
export const left = (row: JsonObject, name: string, label: string, format: Format): string[] =>
	count(row, name) > 0 ? [format.pair(label, format.number(count(row, name)))] : [];

export function noCalls(totals: JsonObject, before: string | undefined, format: Format): Section {
	const earlier = before === undefined ? [] : left(totals, 'calls_before', before, format);
	return { title: format.labels.calls, notes: [format.labels.noCalls, ...earlier] };
}

/** @param rows with those of a longer period before, which have no day of their own */
export function callsInTime(
	{ rows: all, unit, legend }: { rows: Rows; unit: Unit; legend: Columns['legend'] },
	format: Format,
): Section {
	const { labels } = format;
	const { callsByDay: day, callsByWeek: week, callsByMonth: month } = labels;
	const title = { day, week, month }[unit];
	const rows = legend.before === undefined ? all.filter((row) => row[unit] !== null) : all;
	const step = Math.ceil(rows.length / MOST_MARKS[unit]);
	const section = columnsOf({ title, rows, legend }, format, (row, at) => {
		const [first, last] = daysOf(row, unit);
		const mark = at % step === 0 ? markOf(first, unit, format) : '';
		const label = dateOf(first, last, unit, format);
		return { mark, label, ...(unit === 'day' && { isWeekend: first.weekday > 5 }) };
	});
	const { columns } = section;
	// One bar would fill the page.
	if (rows.length === 1) return { title, notes: [columns.entries[0]!.label] };
	if (columns.entries.some(({ isWeekend }) => isWeekend))
		columns.legend = { ...legend, weekend: labels.weekend };
	return section;
}

/** One bar for the calls of each row, and a note that names the highest, also if several are equal. */
function columnsOf(
	{ title, rows, legend }: { title: string; rows: Rows; legend: Columns['legend'] },
	format: Format,
	nameOf: (row: JsonObject, at: number) => Omit<Columns['entries'][number], 'now' | 'before'>,
): Section & { columns: Columns } {
	const { labels, number, pair } = format;
	const named = rows.map(nameOf);
	const entries = rows.map((row, at) => {
		const [now, before] = [count(row, 'calls'), count(row, 'calls_before')];
		const calls = pair(named[at]!.label, number(now));
		if (legend.before === undefined) return { ...named[at]!, label: calls, now };
		const label = `${calls} (${labels.before} ${number(before)})`;
		return { ...named[at]!, label, now, before };
	});
	const most = Math.max(...entries.map(({ now }) => now));
	const highest = named.filter((_, at) => entries[at]!.now === most).map(({ label }) => label);
	const names = [...highest.slice(0, MOST_NAMES), ...(highest.length > MOST_NAMES ? ['…'] : [])];
	return {
		title,
		columns: { legend, entries },
		// Without the calls before: "(was 31)" would be read as the highest bar of the period before.
		notes: [pair(labels.most, pair(names.join(' / '), number(most)))],
	};
}

/** The first and the last day of a row that lie in its period: the chosen one, or the one before. */
function daysOf(row: JsonObject, unit: Unit): [first: DateTime, last: DateTime] {
	const [start, end] = [row.period_start, row.period_end].map((date) =>
		DateTime.fromISO(String(date), { setZone: true }),
	) as [DateTime, DateTime];
	const first = DateTime.fromISO(String(row[unit] ?? row[`${unit}_before`]), { zone: start.zone });
	const last = first.plus({ [unit]: 1 }).minus({ days: 1 });
	const isBefore = typeof row[unit] !== 'string';
	// As days, because the clocks may change in between.
	const sorted = (...dates: DateTime[]) => dates.map((date) => date.toISODate()!).sort();
	const [, from] = sorted(first, isBefore ? first : start);
	const [until] = sorted(last, (isBefore ? start : end).minus(1));
	return [DateTime.fromISO(from!), DateTime.fromISO(until!)];
}

function markOf(day: DateTime, unit: Unit, { language }: Format): string {
	if (unit === 'day') return String(day.day);
	const local = day.setLocale(language);
	if (unit === 'month') return local.toFormat('LLL');
	return local.toLocaleString({ day: 'numeric', month: 'short' });
}

function dateOf(first: DateTime, last: DateTime, unit: Unit, format: Format): string {
	if (unit === 'month')
		return first.setLocale(format.language).toLocaleString({ month: 'long', year: 'numeric' });
	const [from, until] = [format.day(first), format.day(last)];
	return from === until ? from : `${from} – ${until}`;
}

/** Columns of calls that have no share, as in the completion rate: nobody knows how they end. */
const NOT_ENDED: readonly string[] = ['in_progress', 'without_status'];

/** @param totals the figures of all calls, or those of a direction */
export function callsByStatus(totals: JsonObject, format: Format): Section {
	const { labels } = format;
	const title =
		totals.direction === undefined
			? labels.callsByStatus
			: format.pair(labels.callsByStatus, directionOf(totals, labels).toLowerCase());
	const shown = Object.entries(labels.callStatus).filter(([column]) => count(totals, column) > 0);
	if (shown.every(([column]) => column === 'without_status')) {
		return { title, notes: [labels.notShown] };
	}
	const uncounted = NOT_ENDED.reduce((sum, column) => sum + count(totals, column), 0);
	const ended = count(totals, 'calls') - uncounted;
	const entries = shown.map(([column, label]): Entry => {
		const total = NOT_ENDED.includes(column) ? undefined : ended;
		return [label, count(totals, column), total];
	});
	return { title, bars: barsOf(entries, format), notes: [] };
}

/** One bar for each agent, the busiest first. Without rows, no call shows its agent. */
export function callsByAgent(rows: Rows, format: Format): Section {
	const { labels } = format;
	if (rows.length === 0) return { title: labels.callsByAgent, notes: [labels.notShown] };
	const all = rows
		.filter((row) => count(row, 'calls') > 0)
		.map((row): [string, number] => [
			textOf(row.agent_name) ?? textOf(row.agent_id) ?? labels.unknownAgent,
			count(row, 'calls'),
		]);
	const [top, rest] = [all.slice(0, MOST_AGENTS), all.slice(MOST_AGENTS)];
	const others = rest.reduce((sum, [, calls]) => sum + calls, 0);
	const total = all.reduce((sum, [, calls]) => sum + calls, 0);
	const entries = top.map(([label, calls]): Entry => [label, calls, total]);
	const notes =
		rest.length > 0
			? [format.pair(`${labels.otherAgents} (${rest.length})`, shareOf(others, total, format))]
			: [];
	return { title: labels.callsByAgent, bars: barsOf(entries, format), notes };
}

type Entry = readonly [label: string, records: number, total?: number];

function barsOf(entries: readonly Entry[], format: Format): Bar[] {
	const most = Math.max(1, ...entries.map(([, records]) => records));
	return entries.map(([label, records, total]) => ({
		label,
		value: total === undefined ? format.number(records) : shareOf(records, total, format),
		share: records / most,
	}));
}

const shareOf = (calls: number, total: number, format: Format) =>
	`${format.number(calls)} (${format.percent((calls / Math.max(1, total)) * 100)})`;

export const busiestHours = (rows: Rows, legend: Columns['legend'], format: Format): Section =>
	columnsOf({ title: format.labels.busiestHours, rows, legend }, format, ({ hour }) => ({
		mark: Number(hour) % 3 === 0 ? String(hour) : '',
		label: format.hour(Number(hour)),
	}));

export function orders(rows: Rows, format: Format): Section {
	const { labels } = format;
	const sum = (name: string) => rows.reduce((all, row) => all + count(row, name), 0);
	const statuses = Object.entries(labels.orderStatus)
		.filter(([name]) => sum(name) > 0)
		.map(([name, label]): Entry => [label, sum(name), sum('orders')]);
	return withRows(
		{
			title: labels.orders,
			bars: barsOf(statuses, format),
			table: tableOf(rows, labels, [
				[labels.orders, (row) => format.number(figure(row, 'orders'))],
				[labels.revenue, (row) => withBefore(row, 'revenue', moneyOf(row, format), format)],
				[labels.averageOrder, (row) => averageOrder(row, format)],
			]),
			notes: [
				format.pair(labels.sold, format.number(sum('revenue_orders'))),
				...lacksOf(rows, format),
			],
		},
		rows.filter((row) => count(row, 'orders') + count(row, 'orders_before') > 0),
		labels.noOrders,
	);
}

/** The average of no orders is not unknown: there is none. */
const averageOrder = (row: JsonObject, { money }: Format) =>
	figure(row, 'revenue_orders') === 0 ? '–' : money(figure(row, 'average'), currencyOf(row));

export function wallet(rows: Rows, format: Format): Section {
	const { labels } = format;
	return withRows(
		{
			title: labels.wallet,
			table: tableOf(rows, labels, [
				[labels.added, (row) => withBefore(row, 'added', moneyOf(row, format), format)],
				[labels.consumed, (row) => withBefore(row, 'consumed', moneyOf(row, format), format)],
			]),
			notes: lacksOf(rows, format),
		},
		rows.filter((row) => count(row, 'transactions') + count(row, 'transactions_before') > 0),
		labels.noTransactions,
	);
}

type Column = readonly [head: string, cell: (row: JsonObject) => string];

/** A table with these columns, and the currency in front if there is one. */
function tableOf(rows: Rows, labels: Labels, columns: readonly Column[]): Table {
	const currency: Column = [labels.currency, (row) => currencyOf(row) ?? labels.noCurrency];
	const shown = rows.some((row) => currencyOf(row) !== null) ? [currency, ...columns] : columns;
	return {
		head: shown.map(([head]) => head),
		rows: rows.map((row) => shown.map(([, cell]) => cell(row))),
	};
}

const currencyOf = ({ currency }: JsonObject) => textOf(currency) ?? null;

const lacksOf = (rows: Rows, format: Format): string[] =>
	rows.flatMap((row) => left(row, 'without_amount', format.labels.withoutAmount, format));

const moneyOf = (row: JsonObject, { money }: Format): Write => {
	return (value) => money(value, currencyOf(row));
};

function withBefore(row: JsonObject, name: string, write: Write, { labels }: Format): string {
	const [now, before] = [figure(row, name) ?? null, figure(row, `${name}_before`)];
	return before === undefined || before === null
		? write(now)
		: `${write(now)} (${labels.before} ${write(before)})`;
}

/** The section, or only a note if there is nothing to show. */
const withRows = (section: Section, rows: readonly unknown[], none: string): Section =>
	rows.length > 0 ? section : { title: section.title, notes: [none] };

/** A text of the account, on one line. In Slack it must be no link and call nobody. */
const textOf = (value: unknown): string | undefined =>
	typeof value === 'string' && value !== '' ? withoutMarkup(shortened(tidy(value))) : undefined;
