import type { JsonObject } from '../../json';
import { readKeyedPages } from './keyed';
import { PAGE_SIZE, defaultKey, type FetchPage, type StreamOptions, type Take } from './page';
import { readPlainPages } from './plain';

export { defaultKey, isSaidToEnd, PAGE_SIZE } from './page';
export type { FetchPage, Page, StreamOptions, Take } from './page';

/** The first `wanted` records of a list in its order, as `streamPages` reads them. */
export async function readPages(
	fetch: FetchPage,
	wanted = Infinity,
	keyOf: (record: JsonObject) => string | undefined = defaultKey,
): Promise<JsonObject[]> {
	let found: JsonObject[] = [];
	const startTaking = (): Take => {
		found = [];
		return (records) => {
			for (const record of records) found.push(record);
			return found.length >= wanted;
		};
	};
	await streamPages(fetch, startTaking, { wanted, keyOf, seeks: true });
	return found.slice(0, wanted);
}

/**
 * Hands over a list in its order, each record once. Only the keys of the records are remembered.
 *
 * The first page tells the total. The other pages are requested in parallel; the caller limits how
 * many. Neighbouring pages share one record, so nothing is missing between them, even if records come
 * or go in the meantime. If two pages share no record, the list has moved, and the gap is read again.
 * So every record is found that exists all the time and keeps its place in the order.
 *
 * The list ends if the server says so (`isSaidToEnd`), or if the page that starts with the last record
 * holds no other. A wrong total cuts nothing, and neither does a server with small pages. If the order
 * is not firm, a record may be in no page: with `seeks`, the list is read again for what its total
 * promises.
 *
 * Records without a key, or with the same one, cannot be told apart. Their list is read by offsets
 * alone, and again if its total changed meanwhile.
 * Reference: "Endpoints" (limit, offset, meta) and "Limits".
 *
 * @param startTaking returns what takes the records. It is called again if the list has to be read
 *   again; what was taken before then does not count.
 * @throws Error if the list changes faster than it can be read
 */
export async function streamPages(
	fetch: FetchPage,
	startTaking: () => Take,
	options: StreamOptions = {},
): Promise<void> {
	const asked = Math.min(PAGE_SIZE, options.wanted ?? Infinity);
	const fetchPage = async (offset: number) => await fetch(offset, asked);
	const firstPage = await fetchPage(0);
	const isJoined = await readKeyedPages(fetchPage, firstPage, asked, startTaking(), options);
	if (isJoined) return;
	await readPlainPages(fetchPage, firstPage, asked, startTaking, options.keyOf ?? defaultKey);
}
