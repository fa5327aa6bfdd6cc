import { toMillis } from '../time';
import { firstOf, type JsonObject } from '../json';
import { isWithin, type Period } from '../table/period';
import type { Currencies } from './currencies';
import { decimalOf, minus, toJson } from './decimal';
import { Tally, type Figure } from './tally';

/** What a statistic counts: calls, orders, lines or transactions. */
export interface Subject {
	/** Adds a record to a tally. */
	count(tally: Tally, record: JsonObject): void;
	/**
	 * The figures of one tally: column → figure.
	 * @param total the tally of all records of this currency, of both periods
	 */
	figures(tally: Tally, total: Tally): Record<string, Figure>;
	/** The figures that are sums of money. They are null if their currency is not known. */
	amounts?: readonly string[];
}

/** `chosen`: the period that the user chose. `before`: the period before it. */
export type Side = 'chosen' | 'before';

/** How records are divided into groups. Each group is a row. */
export interface Grouping {
	/** The group of a record. Null is a group too. Undefined if the record does not show its group. */
	keyOf(record: JsonObject, at: number, side: Side): string | null | undefined;
	/** Groups that have a row even if they are empty, in the order of the rows. */
	expected: readonly string[];
	/** The columns that describe the group. */
	columns(key: string | null): JsonObject;
	/** The error if no record shows its group. It says what to do. */
	noneKnown?: string;
}

export const UNGROUPED: Grouping = {
	keyOf: () => '',
	expected: [''],
	columns: () => ({}),
};

/** What a report counts, and how it forms rows. */
export interface Layout {
	subject: Subject;
	grouping: Grouping;
	periods: Periods;
	/** The fields that may hold a record's date. */
	dateFields: readonly string[];
	/** Divides each group by currency, if the subject has amounts of money. */
	currencies?: Pick<Currencies, 'of' | 'doubt'>;
}

export interface Periods {
	chosen: Period;
	before?: Period;
}

/** When a record was created, and in which period. */
interface RecordDate {
	side: Side;
	/** In ms since 1970. */
	at: number;
}

type Both = Record<Side, Tally>;

/** The tallies of one currency: in total, and of each group. */
interface Series {
	total: Tally;
	groups: Map<string | null, Both>;
}

/**
 * Counts records into groups. It keeps only the tallies, so that its size depends on the number of groups
 * and not on the number of records.
 */
export class Report {
	private readonly series = new Map<string | null, Series>();

	private isGroupShown = false;

	/** How many records have no date that can be read. They are in no row. */
	withoutDate = 0;

	private readonly layout: Layout;

	constructor(layout: Layout) {
		this.layout = layout;
	}

	/** The date of a record. Undefined if it has none, or lies in neither period. */
	dateOf(record: JsonObject): RecordDate | undefined {
		const at = toMillis(firstOf(record, this.layout.dateFields));
		if (at === undefined) {
			this.withoutDate += 1;
			return undefined;
		}
		const { chosen, before } = this.layout.periods;
		if (isWithin(chosen, at)) return { side: 'chosen', at };
		return before !== undefined && isWithin(before, at) ? { side: 'before', at } : undefined;
	}

	/** Counts a record of one of the periods. */
	add(record: JsonObject, { side, at }: RecordDate): void {
		const { subject, grouping, currencies } = this.layout;
		const { total, groups } = this.seriesOf(currencies?.of(record) ?? null);
		const key = grouping.keyOf(record, at, side);
		this.isGroupShown ||= key !== undefined;
		const both = groups.get(key ?? null) ?? newBoth();
		groups.set(key ?? null, both);
		subject.count(both[side], record);
		subject.count(total, record);
	}

	/**
	 * One row for each group of each currency.
	 * @throws Error if no record shows its group
	 */
	rows(): JsonObject[] {
		const { noneKnown, expected } = this.layout.grouping;
		const isEmpty = this.series.size === 0;
		if (noneKnown !== undefined && !isEmpty && !this.isGroupShown) throw new Error(noneKnown);
		if (isEmpty) this.seriesOf(null);
		const all = [...this.series];
		const keys = new Set([...expected, ...all.flatMap(([, { groups }]) => [...groups.keys()])]);
		return [...keys].flatMap((key) =>
			all.map(([currency, series]) => this.row(key, currency, series)),
		);
	}

	/** A number of records of both periods, in all currencies. */
	sumOf(count: (total: Tally) => number): number {
		return [...this.series.values()].reduce((sum, { total }) => sum + count(total), 0);
	}

	/** What to tell the user about amounts that are not added up. */
	get doubt(): string | undefined {
		return this.series.has(null) ? this.layout.currencies?.doubt : undefined;
	}

	private seriesOf(currency: string | null): Series {
		const series = this.series.get(currency) ?? { total: new Tally(), groups: new Map() };
		this.series.set(currency, series);
		return series;
	}

	private row(key: string | null, currency: string | null, { total, groups }: Series): JsonObject {
		const { subject, grouping, currencies, periods } = this.layout;
		const { chosen, before } = groups.get(key) ?? newBoth();
		const unsure = currency === null && this.doubt !== undefined ? (subject.amounts ?? []) : [];
		const unknown = Object.fromEntries(unsure.map((name) => [name, null]));
		const figures = { ...subject.figures(chosen, total), ...unknown };
		const earlier = { ...subject.figures(before, total), ...unknown };
		return {
			...grouping.columns(key),
			...(currencies && { currency }),
			...figures,
			...(periods.before && compared(figures, earlier)),
			without_date: this.withoutDate,
			...bounds('period', periods.chosen),
			...(periods.before && bounds('before', periods.before)),
		};
	}
}

const newBoth = (): Both => ({ chosen: new Tally(), before: new Tally() });

function compared(figures: Record<string, Figure>, before: Record<string, Figure>): JsonObject {
	const entries = Object.entries(figures);
	return {
		...Object.fromEntries(entries.map(([name]) => [`${name}_before`, before[name]])),
		...Object.fromEntries(
			entries.map(([name, value]) => [`${name}_difference`, difference(value, before[name])]),
		),
	};
}

function difference(value: Figure, before: Figure | undefined): Figure {
	const [one, other] = [decimalOf(value), decimalOf(before)];
	return one && other ? toJson(minus(one, other)) : null;
}

const bounds = (name: string, { start, end }: Period): JsonObject => ({
	[`${name}_start`]: start.toISO(),
	[`${name}_end`]: end.toISO(),
});
