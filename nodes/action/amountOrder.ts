import type { Request } from '../api/session';
import { numberIn, type JsonObject } from '../json';

/** How to read a list that is wanted in the order of an amount. */
interface AmountOrder {
	request: Request;
	sort(records: JsonObject[]): JsonObject[];
}

/**
 * An amount may change while its list is read. The record then moves in the list, and may be on no page.
 * So the list is read by creation, which never changes, and sorted afterwards. Records without the amount
 * come last.
 *
 * @param amount the field, if the list can be sorted by one
 * @returns undefined if the list is wanted in another order
 */
export function amountOrderOf(
	amount: string | undefined,
	{ query, ...request }: Request,
): AmountOrder | undefined {
	const isDescending = query?.sort === `-${amount}`;
	if (amount === undefined || (query?.sort !== amount && !isDescending)) return undefined;
	const rank = (record: JsonObject) => {
		const value = numberIn(record[amount]);
		return value === undefined ? Infinity : isDescending ? -value : value;
	};
	const compare = (one: number, other: number) => (one === other ? 0 : one < other ? -1 : 1);
	return {
		request: { ...request, query: { ...query, sort: '-created_at' } },
		sort: (records) => records.toSorted((one, other) => compare(rank(one), rank(other))),
	};
}
