import type { DateTime } from 'luxon';

import { listEach } from '../api/lists';
import { since } from '../api/moment';
import type { JsonObject } from '../json';
import type { RunContext } from '../table/operation';
import { periodBefore, type Period } from '../table/period';
import { boundsOf, type Within } from '../table/within';
import { Report, type Layout, type Periods } from './report';

/** The period that is asked for, and the one before it where both are to be compared. */
export function periodsOf(within: Within, compare: boolean, now: DateTime): Periods {
	const present = boundsOf(within, now) as Period;
	if (!compare) return { present };
	return { present, before: periodBefore(within.period ?? 'between', present, now) };
}

/**
 * Reads the row's list once and counts what belongs to the periods, page by page: no record is kept.
 *
 * @param partsOf what is counted of a record: itself, what other endpoints know of it, several, none
 */
export async function counted<Tally>(
	{ api, request, tell }: Pick<RunContext, 'api' | 'request' | 'tell'>,
	layout: Layout<Tally>,
	partsOf: (record: JsonObject) => JsonObject[] | Promise<JsonObject[]>,
): Promise<Report<Tally>> {
	const { present, before = present } = layout.periods;
	const { query, ...rest } = request();
	const created_after = since(before.start.toMillis());
	let report = new Report(layout);
	const begin = () => {
		report = new Report(layout);
		return async (records: JsonObject[]) => {
			const placed = records.map((record) => ({ record, place: report.placeOf(record) }));
			const parts = await Promise.all(
				placed.map(async ({ record, place }) => (place ? await partsOf(record) : [])),
			);
			parts.forEach((each, index) => {
				const { place } = placed[index]!;
				for (const part of each) report.add(part, place!);
			});
			return false;
		};
	};
	await listEach(api, { ...rest, query: { ...query, created_after } }, begin);
	if (report.withoutDate > 0) {
		tell(
			`${report.withoutDate} of the records have no readable date in ${named(layout.dateFields)}. They belong to no period. "without_date" counts them.`,
		);
	}
	return report;
}

/** Names as they stand in a sentence. */
export const named = (names: readonly string[]): string =>
	names.map((name) => `"${name}"`).join(', ');
