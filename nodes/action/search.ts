import { listEach } from '../api/lists';
import { toMillis, since } from '../time';
import type { Api, Request } from '../api/session';
import { firstOf, type JsonObject } from '../json';
import type { Search } from '../table/operation';
import { isWithin } from '../table/period';
import { quoted } from '../words';

/** How many pages to request ahead if the reading may end before the list does. */
const ahead = () => 10;

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
	tell: (message: string) => void,
): Promise<JsonObject[]> {
	let found: JsonObject[] = [];
	const startTaking = () => {
		found = [];
		return (record: JsonObject) => found.push(record);
	};
	const undated = await seek(api, request, sought, wanted, startTaking);
	if (undated > 0) {
		tell(
			`${undated} of the records have no readable date. They are left out, because nobody knows whether they belong to the period.`,
		);
	}
	return found.slice(0, wanted);
}

/**
 * Looks through a list for what the API cannot find: records of a period with an end, or records that it
 * has no filter for. The API is asked for a little more than the period, and both bounds are applied
 * here. The reading stops when enough is found. It also stops after the end of the period, if the list was
 * asked for with the oldest record first and does come in this order.
 *
 * @param startTaking returns what takes each record that is found and says how many it has. It is called
 *   again if the list has to be read again.
 * @returns how many records have no date that can be read, and so belong to no period
 * @throws Error if no record has a date
 */
export async function seek(
	api: Api,
	request: Request,
	sought: Search,
	wanted: number,
	startTaking: () => (record: JsonObject) => number,
): Promise<number> {
	let reading!: Reading;
	const startReading = () => {
		reading = new Reading(sought, wanted, startTaking());
		return (records: JsonObject[]) => reading.take(records);
	};
	const { period, dateFields = CREATED, isOldestFirst = false } = sought;
	const start = period?.start?.toMillis();
	const query = { ...request.query, ...(start !== undefined && { created_after: since(start) }) };
	const mayEndEarly = wanted < Infinity || (isOldestFirst && period?.end !== undefined);
	await listEach(api, { ...request, query }, startReading, mayEndEarly ? ahead : undefined);
	if (reading.hasNoDates) {
		throw new Error(
			`The records of this list have no date in ${quoted(dateFields)}, so they cannot be limited to a period`,
		);
	}
	return reading.undated;
}

const CREATED = ['created_at'];

/** One reading of a list from its start. */
class Reading {
	/** How many records have no date that can be read. */
	undated = 0;

	private read = 0;

	private found = 0;

	/** A record after the end of the period was read. */
	private isPastEnd = false;

	private readonly dates = new DateOrder();

	private readonly sought: Search;

	private readonly wanted: number;

	private readonly takeRecord: (record: JsonObject) => number;

	constructor(sought: Search, wanted: number, takeRecord: (record: JsonObject) => number) {
		this.sought = sought;
		this.wanted = wanted;
		this.takeRecord = takeRecord;
	}

	/** @returns whether nothing more has to be read */
	take(records: JsonObject[]): boolean {
		const { isWanted = () => true, isOldestFirst = false } = this.sought;
		this.read += records.length;
		for (const record of records) {
			if (this.isInPeriod(record) && isWanted(record)) this.found = this.takeRecord(record);
		}
		const isPeriodRead = isOldestFirst && this.isPastEnd && this.dates.isRising;
		return this.found >= this.wanted || isPeriodRead;
	}

	get hasNoDates(): boolean {
		return this.read > 0 && this.undated === this.read;
	}

	private isInPeriod(record: JsonObject): boolean {
		const { period, dateFields = CREATED } = this.sought;
		if (period === undefined) return true;
		const at = toMillis(firstOf(record, dateFields));
		if (at === undefined) {
			this.undated += 1;
			return false;
		}
		this.dates.add(at);
		this.isPastEnd ||= period.end !== undefined && at >= period.end.toMillis();
		return isWithin(period, at);
	}
}

/** Whether dates rise from record to record. A list that ignores the sorting does not show that. */
class DateOrder {
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
