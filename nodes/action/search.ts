import { readPages, trustedTotal } from '../api/lists';
import { since, toMillis } from '../time';
import type { Api, Request } from '../api/session';
import { firstOf, type JsonObject } from '../json';
import type { Search } from '../table/operation';
import { isWithin, undated } from '../filters/period';

/** How many pages to request ahead if the reading may end before the list does. */
const FEW_AHEAD = 10;

type Tell = (message: string) => void;

/**
 * The records of a list that the node itself has to look for, as `seek` finds them.
 *
 * @param wanted how many records
 * @param tell tells the user something although the search succeeded
 * @throws Error if no record has a date
 */
export async function search(
	api: Api,
	request: Request,
	sought: Search,
	wanted: number,
	tell: Tell,
): Promise<JsonObject[]> {
	const { found, undatedCount } = await seek(api, request, sought, tell, wanted);
	if (undatedCount > 0) {
		tell(
			`${undatedCount} of the records have no readable date. They are left out, because nobody knows whether they belong to the period.`,
		);
	}
	return found;
}

/**
 * How many records a list has. `method` says how that was found: `total` is the API's own number, if it
 * can be trusted. Otherwise the records were read and `counted`. This is always so if the node has to
 * filter them itself.
 *
 * @throws Error if a period is asked for and no record has a date
 */
export async function count(
	api: Api,
	request: Request,
	sought: Search | undefined,
	tell: Tell,
): Promise<JsonObject> {
	const total = sought ? undefined : await trustedTotal(api, request);
	if (total !== undefined) return { count: total, method: 'total' };
	const { found, undatedCount } = await seek(api, request, sought ?? {}, tell);
	const withoutDate = sought?.period && { without_date: undatedCount };
	return { count: found.length, method: 'counted', ...withoutDate };
}

/**
 * Looks through a list for what the API cannot find: records of a period with an end, or records that it
 * has no filter for. The API is asked for a little more than the period, and both bounds are applied
 * here. The reading stops when enough is found.
 *
 * @param wanted how many records
 * @returns `undatedCount`: how many records have no date that can be read, and so belong to no period
 * @throws Error if no record has a date
 */
async function seek(
	api: Api,
	request: Request,
	{ period, dateFields = ['created_at'], filter, choose }: Search,
	tell: Tell,
	wanted = Infinity,
): Promise<{ found: JsonObject[]; undatedCount: number }> {
	const start = period?.start?.toMillis();
	const query = { ...request.query, ...(start !== undefined && { created_after: since(start) }) };
	const ahead = wanted < Infinity ? FEW_AHEAD : undefined;
	const found: JsonObject[] = [];
	let [read, undatedCount] = [0, 0];
	for await (const { records } of readPages(api, { ...request, query }, { ahead })) {
		const fitting: JsonObject[] = [];
		for (const record of records) {
			const at = period && toMillis(firstOf(record, dateFields));
			if (period && at === undefined) undatedCount += 1;
			const isInPeriod = period === undefined || (at !== undefined && isWithin(period, at));
			if (isInPeriod && ((await filter?.isWanted(record, api)) ?? true)) fitting.push(record);
			// What comes behind them is not looked at, because it may not show what is asked for.
			if (choose === undefined && found.length + fitting.length === wanted) break;
		}
		read += records.length;
		const chosen = choose === undefined ? fitting : await choose(fitting, api);
		for (const record of chosen.slice(0, wanted - found.length)) found.push(record);
		if (found.length === wanted) break;
	}
	if (read > 0 && undatedCount === read) throw undated(dateFields);
	filter?.finish(tell);
	return { found, undatedCount };
}
