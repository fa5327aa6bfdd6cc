import { isSaidToEnd, PAGE_SIZE, type FetchPage } from './pages';

/** The page size at the end of a list. It is more than the one record that should be there. */
const AT_END = 3;

/**
 * How many records a list has by its own total; undefined if the total cannot be trusted. A list that
 * fits into one page takes one request. For a longer list, a second request checks whether it ends where
 * the total says. An estimate, or the total of an unfiltered list, does not pass.
 * Reference: "Response envelope" (meta).
 */
export async function trustedTotal(fetch: FetchPage): Promise<number | undefined> {
	const first = await fetch(0, PAGE_SIZE);
	if (isSaidToEnd(first, 0, PAGE_SIZE)) return first.records.length;
	const { total = 0, records, groups } = first;
	if (total < records.length || groups !== undefined) return undefined;
	const offset = total - 1;
	const last = await fetch(offset, AT_END);
	const count = last.records.length;
	// A server that ignores the offset sends the first page again.
	const isFirstAgain =
		offset >= records.length && JSON.stringify(last.records[0]) === JSON.stringify(records[0]);
	if (isFirstAgain) return undefined;
	return count > 0 && count < AT_END && last.total === offset + count ? last.total : undefined;
}
