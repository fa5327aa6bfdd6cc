import { isObject, textIn, type JsonObject } from '../json';
import { quoted } from '../words';
import type { Envelope } from './answer';
import { contactIdOf, isMembers } from './members';
import {
	isSaidToEnd,
	joinPages,
	PAGE_SIZE,
	type FetchPage,
	type JoinOptions,
	type Page,
} from './pages';
import type { Api, Request } from './session';

export interface ListOptions extends JoinOptions {
	/** Finds the records in the data of an answer, if they are not the data itself. */
	records?: RecordsIn;
}

/** Finds the records in the data of an answer. */
export type RecordsIn = (data: unknown) => unknown;

/**
 * The records of a list endpoint, each once, page by page, until the reader stops. See `joinPages`.
 * Reference: "Endpoints" (limit, offset, meta).
 */
export const readPages = (api: Api, request: Request, options?: ListOptions) =>
	joinPages(fetchingFrom(api, request, options?.records), {
		...(isMembers(request.path) && { keyOf: memberKey }),
		...(isEvents(request.path) && { keyOf: eventKey }),
		...options,
	});

/** A membership may have no ID of its own. */
const memberKey = (member: JsonObject) => textIn(member.id) ?? contactIdOf(member);

/** The list of calendar events. Reference: GET /events. */
const isEvents = (path: string) => /^\/?events\/?$/.test(path);

/** An event may stand under several dates. */
function eventKey({ id, date }: JsonObject): string | undefined {
	const text = textIn(id);
	return text && `${text} ${textIn(date) ?? ''}`;
}

export async function readAll(
	api: Api,
	request: Request,
	options?: ListOptions,
): Promise<JsonObject[]> {
	const all: JsonObject[][] = [];
	for await (const { records } of readPages(api, request, options)) all.push(records);
	return all.flat();
}

/**
 * How many records a list has by its own total; undefined if the total cannot be trusted. If the first page
 * does not say that it is the last one, a second request checks that the list ends where the total says. An
 * estimate, or the total of an unfiltered list, does not pass.
 */
export async function trustedTotal(api: Api, request: Request): Promise<number | undefined> {
	const fetch = fetchingFrom(api, request);
	const first = await fetch(0, PAGE_SIZE);
	const { total = 0, records } = first;
	if (isSaidToEnd({ ...first, offset: 0 }, PAGE_SIZE) || records.length === 0)
		return records.length;
	if (total < records.length) return undefined;
	const last = await fetch(total - 1, 2);
	return last.records.length === 1 && last.total === total ? total : undefined;
}

function fetchingFrom(api: Api, request: Request, records?: RecordsIn): FetchPage {
	return async (offset, limit, stop) => {
		const query = { ...request.query, limit, offset };
		const answer = await api.send({ ...request, query, stop });
		const page = pageIn(answer, api, records);
		// The total of a filtered list may count all records.
		const filters = Object.entries(request.query ?? {}).filter(([name]) => name !== 'sort');
		const isFiltered = filters.some(([, value]) => value !== undefined);
		if (offset === 0 && page.records.length === 0 && page.total && !isFiltered) {
			throw api.malformed(`it holds no record, and says that there are ${page.total}`);
		}
		return page;
	};
}

/**
 * One page of a list from its answer.
 * @throws NodeApiError if the data is not a list
 */
export function pageIn(
	{ data, meta }: Envelope,
	api: Api,
	recordsIn: RecordsIn = (whole) => whole,
): Page {
	const total = countIn(meta?.total_items);
	// Reference: "data: object, array or null", so null may stand for an empty list.
	const held = data === null && !total ? [] : data;
	const records = recordsIn(held);
	if (!Array.isArray(records) || !records.every(isObject)) {
		throw api.malformed(`its data is not a list of records but ${shapeOf(held)}`);
	}
	// The total of a list in groups may count the groups.
	const isGrouped = Object.keys(held as object).length !== records.length;
	return { records, total: isGrouped ? undefined : total, limit: countIn(meta?.limit) };
}

function shapeOf(data: unknown): string {
	if (isObject(data)) return `an object with ${quoted(Object.keys(data)) || 'no fields'}`;
	return Array.isArray(data) ? 'a list of other values' : data === null ? 'null' : typeof data;
}

const countIn = (value: unknown) => (/^\d+$/.test(textIn(value) ?? '') ? Number(value) : undefined);
