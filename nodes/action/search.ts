import { readPages, trustedTotal } from '../api/lists';
import { since, toMillis } from '../time';
import type { Api, Request } from '../api/session';
import { firstOf, type JsonObject } from '../json';
import type { Sought } from '../table/rowApi';
import { isWithin, undated } from '../filters/period';

type Tell = (message: string) => void;

/**
 * The records of a list: all that are wanted, or those that the node has to look for itself.
 * @throws Error if a period is asked for and no record has a date
 */
export async function list(
	api: Api,
	request: Request,
	sought: Sought,
	tell: Tell,
): Promise<JsonObject[]> {
	const { found, undatedCount } = await seek(api, request, sought, tell);
	if (undatedCount > 0) {
		tell(
			`${undatedCount} of the records have no readable date. They are left out, because nobody knows whether they belong to the period.`,
		);
	}
	return found;
}

/**
 * How many records a list has. `method` says how that was found: `total` is the API's own number, if it
 * can be trusted and the node has nothing to filter. Otherwise the records were read and `counted`.
 * @throws Error if a period is asked for and no record has a date
 */
export async function count(
	api: Api,
	request: Request,
	sought: Sought,
	tell: Tell,
): Promise<JsonObject> {
	const total = isSought(sought) ? undefined : await trustedTotal(api, request);
	if (total !== undefined) return { count: total, method: 'total' };
	const { found, undatedCount } = await seek(api, request, sought, tell);
	const withoutDate = sought.period && { without_date: undatedCount };
	return { count: found.length, method: 'counted', ...withoutDate };
}

const isSought = ({ period, filter, choose }: Sought) =>
	period !== undefined || filter !== undefined || choose !== undefined;

/**
 * Looks through a list for what the API cannot find, until enough is found. The API is asked for a little more
 * than the period, and both bounds are applied here. `undatedCount` records belong to no period.
 */
async function seek(
	api: Api,
	request: Request,
	sought: Sought,
	tell: Tell,
): Promise<{ found: JsonObject[]; undatedCount: number }> {
	const { period, dateFields = ['created_at'], filter, choose, wanted = Infinity } = sought;
	const start = period?.start?.toMillis();
	const query = { ...request.query, ...(start !== undefined && { created_after: since(start) }) };
	// The reading may end before the list does.
	const few = isSought(sought) ? wanted < Infinity && { ahead: 10 } : { wanted };
	const pages = readPages(api, { ...request, query }, { records: sought.records, ...few });
	const found: JsonObject[] = [];
	let [read, undatedCount] = [0, 0];
	for await (const { records } of pages) {
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
		const chosen = choose === undefined ? fitting : await choose(fitting);
		for (const record of chosen.slice(0, wanted - found.length)) found.push(record);
		if (found.length === wanted) break;
	}
	if (read > 0 && undatedCount === read) throw undated(dateFields);
	filter?.finish(tell);
	return { found, undatedCount };
}
