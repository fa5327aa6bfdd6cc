import type { DateTime } from 'luxon';

import { readPages } from '../api/lists';
import { enterAs, USUAL_NAMES } from '../api/names';
import type { Request } from '../api/session';
import { decimalOf, minus, toJson } from '../domain/decimal';
import { isWithin, periodBefore, undated, type Period } from '../filters/period';
import { boundsOf, type Within } from '../filters/within';
import { firstOf, type JsonObject } from '../json';
import type { RowApi } from '../table/rowApi';
import { since, toMillis } from '../time';
import { quoted } from '../words';
import { Tally, type Counted, type Figure } from './tally';

export interface Subject {
	read(record: JsonObject): Counted;
	figures(tally: Tally, currency: string | null): Record<string, Figure>;
	/** Columns that are the same in each row. */
	constants?: JsonObject | undefined;
	/** The figures that are sums of money. They are null if their currency is not known. */
	amounts?: readonly string[];
}

export type Side = 'chosen' | 'before';

/** Each group of records is a row. */
export interface Grouping {
	/** The group of a record. Null is a group too. Undefined if the record does not show its group. */
	keyOf(record: JsonObject, at: number, side: Side): string | null | undefined;
	/** Groups that have a row even if they are empty. */
	expected: readonly string[];
	columns(key: string | null): JsonObject;
	/** The error if no record shows its group. It says what to do. */
	noneKnown?: string;
}

export const UNGROUPED: Grouping = { keyOf: () => '', expected: [''], columns: () => ({}) };

export interface Layout {
	subject: Subject;
	/** Each makes rows of its own. */
	groupings: readonly Grouping[];
	periods: Periods;
	/** Whether each figure has that of the period before, and the change since then, beside it. */
	compare?: boolean;
	differences?: boolean;
	dateFields: readonly string[];
	/** Divides each group by currency, if the subject has amounts of money. */
	currencyOf?: (record: JsonObject) => string | null;
	currencies?: readonly string[];
}

export interface Periods {
	chosen: Period;
	before?: Period;
}

type Both = Record<Side, Tally>;

/** The tallies of one currency. */
interface Series {
	total: Tally;
	groups: ReadonlyArray<Map<string | null, Both>>;
}

/** Counts records into groups. It keeps only the tallies, so that its size does not grow with the records. */
export class Tabulation {
	readonly #series = new Map<string | null, Series>();

	readonly #shown = new Set<Grouping>();

	#isEmpty = true;

	read = 0;

	/** These records are in no row. */
	withoutDate = 0;

	/** In ms since 1970. */
	earliest = Infinity;

	readonly #layout: Layout;

	constructor(layout: Layout) {
		this.#layout = layout;
	}

	/** The date of a record. Undefined if it has none, or lies in neither period. */
	dateOf(record: JsonObject): { side: Side; at: number } | undefined {
		this.read += 1;
		const at = toMillis(firstOf(record, this.#layout.dateFields));
		if (at === undefined) {
			this.withoutDate += 1;
			return undefined;
		}
		this.earliest = Math.min(this.earliest, at);
		const { chosen, before } = this.#layout.periods;
		if (isWithin(chosen, at)) return { side: 'chosen', at };
		return before !== undefined && isWithin(before, at) ? { side: 'before', at } : undefined;
	}

	add(record: JsonObject, { side, at }: { side: Side; at: number }): void {
		this.#isEmpty = false;
		const { subject, groupings, currencyOf } = this.#layout;
		const { total, groups } = this.#seriesOf(currencyOf?.(record) ?? null);
		const counted = subject.read(record);
		total.add(counted);
		groupings.forEach((grouping, index) => {
			const key = grouping.keyOf(record, at, side);
			if (key !== undefined) this.#shown.add(grouping);
			const own = groups[index]!;
			const both = own.get(key ?? null) ?? newBoth();
			own.set(key ?? null, both);
			both[side].add(counted);
		});
	}

	/** Whether records show their group. A report without records needs none. */
	shows = (grouping: Grouping): boolean => this.#isEmpty || this.#shown.has(grouping);

	/** One row for each group of each currency. @throws Error if no record shows its group */
	rows(grouping: Grouping = this.#layout.groupings[0]!): JsonObject[] {
		const { noneKnown, expected } = grouping;
		if (noneKnown !== undefined && !this.shows(grouping)) throw new Error(noneKnown);
		if (this.#series.size === 0) this.#seriesOf(null);
		const index = this.#layout.groupings.indexOf(grouping);
		const all = [...this.#series].map(([currency, { groups }]) => ({
			currency,
			groups: groups[index]!,
		}));
		const keys = new Set([...expected, ...all.flatMap(({ groups }) => [...groups.keys()])]);
		return [...keys].flatMap((key) =>
			all.map(({ currency, groups }) => ({
				...grouping.columns(key),
				...this.#row(currency, groups.get(key) ?? newBoth()),
			})),
		);
	}

	/** A number of records of both periods, in all currencies. */
	sumOf(count: (total: Tally) => number): number {
		return [...this.#series.values()].reduce((sum, { total }) => sum + count(total), 0);
	}

	/** Why the amounts of records without a currency may be of several. Undefined if nothing says so. */
	get doubt(): string | undefined {
		const { currencies } = this.#layout;
		if (!this.#series.has(null)) return undefined;
		if (this.#series.size > 1) {
			return 'Some records show a currency and others do not. The amounts of those without one are not added up.';
		}
		return currencies === undefined || currencies === USUAL_NAMES.currency
			? undefined
			: `The records show no currency in ${quoted(currencies)}, so nothing is added up. If it has another name, ${enterAs('currency')}.`;
	}

	#seriesOf(currency: string | null): Series {
		const series = this.#series.get(currency) ?? {
			total: new Tally(),
			groups: this.#layout.groupings.map(() => new Map<string | null, Both>()),
		};
		this.#series.set(currency, series);
		return series;
	}

	#row(currency: string | null, { chosen, before }: Both): JsonObject {
		const { subject, currencyOf, periods, compare, differences } = this.#layout;
		const unsure = currency === null && this.doubt !== undefined ? (subject.amounts ?? []) : [];
		const unknown = Object.fromEntries(unsure.map((name) => [name, null]));
		const figures = { ...subject.figures(chosen, currency), ...unknown };
		const earlier = { ...subject.figures(before, currency), ...unknown };
		return {
			...(currencyOf && { currency }),
			...figures,
			...subject.constants,
			...(compare && renamed(figures, 'before', (name) => earlier[name]!)),
			...(differences &&
				renamed(figures, 'difference', (name) => difference(figures[name]!, earlier[name]!))),
			...bounds('period', periods.chosen),
			...(periods.before && bounds('before', periods.before)),
		};
	}
}

const newBoth = (): Both => ({ chosen: new Tally(), before: new Tally() });

const renamed = (
	figures: Record<string, Figure>,
	ending: string,
	figureOf: (name: string) => Figure,
): JsonObject =>
	Object.fromEntries(Object.keys(figures).map((name) => [`${name}_${ending}`, figureOf(name)]));

function difference(value: Figure, before: Figure): Figure {
	// Most figures are counts, and a report has thousands of them.
	const numbers = [value, before, Number(value) - Number(before)];
	if (numbers.every(Number.isSafeInteger)) return numbers[2]!;
	const [one, other] = [decimalOf(value), decimalOf(before)];
	return one && other ? toJson(minus(one, other)) : null;
}

const bounds = (name: string, { start, end }: Period): JsonObject => ({
	[`${name}_start`]: start.toISO(),
	[`${name}_end`]: end.toISO(),
});

export function periodsOf(within: Within, isCompared: boolean, now: DateTime): Periods {
	const chosen = boundsOf(within, now) as Period;
	if (!isCompared) return { chosen };
	return { chosen, before: periodBefore(within.period ?? 'between', chosen, now) };
}

export interface Source {
	api: RowApi;
	request: Request;
	/** What to count for a record: its detail, its lines, or nothing. Without it, the record itself. */
	partsOf?: (record: JsonObject) => JsonObject[] | Promise<JsonObject[]>;
}

/** Reads a list once, page by page, and keeps no record. Tells the user what is not counted. */
export async function tabulate(
	{ api, request, partsOf = (record) => [record] }: Source,
	layout: Layout,
): Promise<Tabulation> {
	const { chosen, before = chosen } = layout.periods;
	const { query, ...rest } = request;
	const created_after = since(before.start.toMillis());
	const tabulation = new Tabulation(layout);
	const pages = readPages(api, { ...rest, query: { ...query, created_after } });
	for await (const { records } of pages) {
		// The parts are read in parallel, and added in the order of the records.
		const dates = records.map((record) => tabulation.dateOf(record));
		const parts = await Promise.all(
			records.map(async (record, index) => (dates[index] ? await partsOf(record) : [])),
		);
		parts.forEach((each, index) => {
			for (const part of each) tabulation.add(part, dates[index]!);
		});
	}
	if (tabulation.read > 0 && tabulation.withoutDate === tabulation.read)
		throw undated(layout.dateFields);
	if (tabulation.withoutDate > 0) {
		api.tell(
			`${tabulation.withoutDate} of the records have no readable date in ${quoted(layout.dateFields)}. They belong to no period and are not counted.`,
		);
	}
	if (tabulation.doubt !== undefined) api.tell(tabulation.doubt);
	return tabulation;
}
