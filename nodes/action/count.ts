import { trustedTotal } from '../api/lists';
import type { Api, Request } from '../api/session';
import type { JsonObject } from '../json';
import type { Search } from '../table/operation';
import { seek } from './search';

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
): Promise<JsonObject> {
	const total = sought ? undefined : await trustedTotal(api, request);
	if (total !== undefined) return { count: total, method: 'total' };
	const left = { undated: 0 };
	let found = 0;
	for await (const _record of seek(api, request, sought ?? {}, left)) found += 1;
	return { count: found, method: 'counted', ...(sought?.period && { without_date: left.undated }) };
}
