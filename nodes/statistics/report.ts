import { toMillis } from '../time';
import { firstOf, type JsonObject } from '../json';
import { isWithin, type Period } from '../table/period';
import { decimalOf, minus, toJson } from './decimal';
import type { Figure } from './figures';

/** What a statistic counts: calls, orders, lines or transactions. A tally is the result for one group. */
export interface Subject<Tally> {
	empty(): Tally;
	/** Adds a record to a tally. */
	count(tally: Tally, record: JsonObject): void;
	/**
	 * The figures of one tally: column → figure.
	 * @param total the tally of all records of both periods
	 */
	figures(tally: Tally, total: Tally): Record<string, Figure>;
}

/** `chosen`: the period that the user chose. `before`: the period before it. */
export type Side = 'chosen' | 'before';

/** How records are divided into groups. Each group is a row. */
export interface Grouping {
	/** The group of a record. Null if the record does not show it. */
	keyOf(record: JsonObject, at: number, side: Side): string | null;
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

/** Divides each group once more. By currency, so that amounts of two currencies are never added up. */
interface Series {
	column: string;
	of(record: JsonObject): string | null;
}

/** What a report counts, and how it forms rows. */
export interface Layout<Tally> {
	subject: Subject<Tally>;
	grouping: Grouping;
	periods: Periods;
	/** The fields that may hold a record's date. */
	dateFields: readonly string[];
	series?: Series;
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

type Both<Tally> = Record<Side, Tally>;

/**
 * Counts records into groups. It keeps only the tallies, so that its size depends on the number of groups
 * and not on the number of records.
 */
export class Report<Tally> {
	private readonly layout: Layout<Tally>;

	/** Series → group → tallies. */
	private readonly tallies = new Map<string | null, Map<string | null, Both<Tally>>>();

	private readonly total: Tally;

	private counted = 0;

	/** How many records have no date that can be read. They are in no row. */
	withoutDate = 0;

	constructor(layout: Layout<Tally>) {
		this.layout = layout;
		this.total = layout.subject.empty();
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
		const series = this.layout.series?.of(record) ?? null;
		const groups = this.tallies.get(series) ?? new Map<string | null, Both<Tally>>();
		this.tallies.set(series, groups);
		const key = this.layout.grouping.keyOf(record, at, side);
		const both = groups.get(key) ?? this.both();
		groups.set(key, both);
		this.layout.subject.count(both[side], record);
		this.layout.subject.count(this.total, record);
		this.counted += 1;
	}

	/**
	 * One row for each group of each series.
	 * @throws Error if no record shows its group
	 */
	rows(): JsonObject[] {
		const { noneKnown, expected } = this.layout.grouping;
		const all = [...this.tallies.values()];
		const keys = new Set([...expected, ...all.flatMap((groups) => [...groups.keys()])]);
		const isKnown = all.some((groups) => [...groups.keys()].some((key) => key !== null));
		if (noneKnown !== undefined && this.counted > 0 && !isKnown) throw new Error(noneKnown);
		if (all.length === 0) this.tallies.set(null, new Map());
		return [...keys].flatMap((key) =>
			[...this.tallies].map(([series, groups]) => this.row(key, series, groups.get(key))),
		);
	}

	/** The figures of all records of both periods together. */
	get figures(): Record<string, Figure> {
		return this.layout.subject.figures(this.total, this.total);
	}

	private both = (): Both<Tally> => ({
		chosen: this.layout.subject.empty(),
		before: this.layout.subject.empty(),
	});

	private row(key: string | null, series: string | null, both = this.both()): JsonObject {
		const { chosen, before } = this.layout.periods;
		const figures = this.layout.subject.figures(both.chosen, this.total);
		return {
			...this.layout.grouping.columns(key),
			...(this.layout.series && { [this.layout.series.column]: series }),
			...figures,
			...(before && compared(figures, this.layout.subject.figures(both.before, this.total))),
			without_date: this.withoutDate,
			...bounds('period', chosen),
			...(before && bounds('before', before)),
		};
	}
}

function compared(figures: Record<string, Figure>, before: Record<string, Figure>): JsonObject {
	const entries = Object.entries(figures);
	return {
		...Object.fromEntries(entries.map(([name]) => [`${name}_before`, before[name]])),
		...Object.fromEntries(
			entries.map(([name, figure]) => [`${name}_difference`, difference(figure, before[name])]),
		),
	};
}

function difference(figure: Figure, before: Figure | undefined): Figure {
	const [one, other] = [decimalOf(figure), decimalOf(before)];
	return one && other ? toJson(minus(one, other)) : null;
}

const bounds = (name: string, { start, end }: Period): JsonObject => ({
	[`${name}_start`]: start.toISO(),
	[`${name}_end`]: end.toISO(),
});
