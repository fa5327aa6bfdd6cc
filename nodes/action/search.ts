import { listEach } from '../api/lists';
import { momentOf, since } from '../api/moment';
import type { Api, Request } from '../api/session';
import { firstOf, type JsonObject } from '../json';
import type { Search } from '../table/operation';
import { isWithin } from '../table/period';

/** Pages asked for ahead of a reading that may end before the list does. */
const ahead = () => 10;

/**
 * The records of a list that the node has to look for by itself, as `seek` finds them.
 *
 * @param wanted how many records
 * @param tell what the user should know although it is a success
 * @throws Error where no record carries a date
 */
export async function search(
	api: Api,
	request: Request,
	sought: Search,
	wanted: number,
	tell: (message: string) => void,
): Promise<JsonObject[]> {
	let found: JsonObject[] = [];
	const begin = () => {
		found = [];
		return (record: JsonObject) => found.push(record);
	};
	const undated = await seek(api, request, sought, wanted, begin);
	if (undated > 0) {
		tell(
			`${undated} of the records carry no date that can be read. They are left out, because nobody can tell whether they belong to the period.`,
		);
	}
	return found.slice(0, wanted);
}

/**
 * Looks through a list for what the API cannot find: records of a period whose end it does not know,
 * or by what it has no filter for. The API is asked for a little more than the period, and both its
 * bounds are applied here. Reading stops where enough is found, or where a list that was asked for
 * oldest first, and shows itself to be so, is past the end of the period.
 *
 * @param begin makes what takes each record that is found and says how many it has; called again if
 * the list has to be read again
 * @returns how many records have no date that can be read, and so belong to no period
 * @throws Error if no record has one
 */
export async function seek(
	api: Api,
	request: Request,
	{ period, dateFields = ['created_at'], isWanted = () => true, isOldestFirst = false }: Search,
	wanted: number,
	begin: () => (record: JsonObject) => number,
): Promise<number> {
	let undated = 0;
	let read = 0;
	const beginReading = () => {
		[undated, read] = [0, 0];
		const take = begin();
		const order = new Order();
		let count = 0;
		return (records: JsonObject[]) => {
			let isOver = false;
			for (const record of records) {
				read += 1;
				if (period !== undefined) {
					const at = momentOf(firstOf(record, dateFields));
					if (at === undefined) {
						undated += 1;
						continue;
					}
					order.add(at);
					isOver ||= period.end !== undefined && at >= period.end.toMillis();
					if (!isWithin(period, at)) continue;
				}
				if (isWanted(record)) count = take(record);
			}
			return count >= wanted || (isOldestFirst && isOver && order.isRising);
		};
	};
	const start = period?.start?.toMillis();
	const query = { ...request.query, ...(start !== undefined && { created_after: since(start) }) };
	const mayEndEarly = wanted < Infinity || (isOldestFirst && period?.end !== undefined);
	await listEach(api, { ...request, query }, beginReading, mayEndEarly ? ahead : undefined);
	if (read > 0 && undated === read) {
		throw new Error(
			`The records of this list carry no date in ${dateFields.map((name) => `"${name}"`).join(', ')}, so that they cannot be limited to a period`,
		);
	}
	return undated;
}

/** Whether dates come in rising order: a list that ignores what it is asked for does not show that. */
class Order {
	private last: number | undefined;

	private hasRisen = false;

	private hasFallen = false;

	add(at: number): void {
		if (this.last !== undefined) {
			this.hasRisen ||= at > this.last;
			this.hasFallen ||= at < this.last;
		}
		this.last = at;
	}

	get isRising(): boolean {
		return this.hasRisen && !this.hasFallen;
	}
}
