import type { DateTime } from 'luxon';

import { readPages } from '../api/lists';
import type { Request } from '../api/session';
import { ASSUMED } from '../domain/assumed';
import { firstOf, isObject, textIn, type JsonObject } from '../json';
import { since } from '../time';
import type { RunContext } from '../table/operation';
import { periodBefore, undated, type Period } from '../filters/period';
import { boundsOf, type Within } from '../filters/within';
import { Tabulation, type Layout, type Periods } from './tabulation';
import { quoted } from '../words';

/** The period that the user chose, and the one before it if it is needed. */
export function periodsOf(within: Within, isCompared: boolean, now: DateTime): Periods {
	const chosen = boundsOf(within, now) as Period;
	if (!isCompared) return { chosen };
	return { chosen, before: periodBefore(within.period ?? 'between', chosen, now) };
}

/** A list to count. */
export interface Source extends Pick<RunContext, 'api' | 'tell'> {
	request: Request;
	/** What to count for a record: its detail, its lines, or nothing. Without it, the record itself. */
	partsOf?: (record: JsonObject) => JsonObject[] | Promise<JsonObject[]>;
}

/**
 * Reads a list once, and counts the records of the periods. It goes page by page and keeps no record. Tells
 * the user what is not counted.
 *
 * @throws Error if no record has a date
 */
export async function tabulate(
	{ api, request, tell, partsOf = (record) => [record] }: Source,
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
		tell(
			`${tabulation.withoutDate} of the records have no readable date in ${quoted(layout.dateFields)}. They belong to no period and are not counted.`,
		);
	}
	if (tabulation.doubt !== undefined) tell(tabulation.doubt);
	return tabulation;
}

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
