import { listTotal } from '../api/lists';
import type { Api, Request } from '../api/session';
import type { JsonObject } from '../json';
import type { Search } from '../table/operation';
import { seek } from './search';

/**
 * How many records of a list there are, and how that was found: by the total that the API tells, if it
 * can be trusted, else by reading and counting them. A total never counts what the node itself looks
 * for.
 *
 * @throws Error if no record has a date and a period is asked for
 */
export async function count(
	api: Api,
	request: Request,
	sought: Search | undefined,
): Promise<JsonObject> {
	const total = sought ? undefined : await listTotal(api, request);
	if (total !== undefined) return { count: total, method: 'total' };
	let found = 0;
	const begin = () => {
		found = 0;
		return () => (found += 1);
	};
	const undated = await seek(api, request, sought ?? {}, Infinity, begin);
	return { count: found, method: 'counted', ...(sought?.period && { without_date: undated }) };
}
