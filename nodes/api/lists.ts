import { isObject, type JsonObject } from '../json';
import type { Envelope } from './answer';
import { readPages, streamPages } from './pages';
import type { FetchPage, Page, StreamOptions, Take } from './pages';
import type { Api, Request } from './session';
import { trustedTotal } from './total';

/** A list endpoint from its start. Reference: "Endpoints" (limit, offset, meta). */
export async function listAll(
	api: Api,
	request: Request,
	wanted: number,
	records?: (data: unknown) => unknown,
): Promise<JsonObject[]> {
	return await readPages(pagesOf(api, request, records), wanted);
}

/**
 * A list endpoint from its start, handed over page by page, each record once; see `streamPages`.
 *
 * @param startTaking returns what takes the records; called again if the list has to be read again
 * @param ahead how many pages to request ahead, if probably not all are needed
 */
export async function listEach(
	api: Api,
	request: Request,
	startTaking: () => Take,
	ahead?: StreamOptions['ahead'],
): Promise<void> {
	await streamPages(pagesOf(api, request), startTaking, { ahead, seeks: true });
}

/** How many records a list endpoint has by its total; undefined if that cannot be trusted. */
export const listTotal = async (api: Api, request: Request): Promise<number | undefined> =>
	await trustedTotal(pagesOf(api, request));

const pagesOf =
	(api: Api, request: Request, records?: (data: unknown) => unknown): FetchPage =>
	async (offset, limit) => {
		const { data, meta } = await api.send({
			...request,
			query: { ...request.query, limit, offset },
		});
		return pageIn({ data, meta }, api, records);
	};

/**
 * One page of a list from its answer.
 * @throws NodeApiError if the data is not a list
 */
export function pageIn(
	{ data, meta }: Envelope,
	api: Api,
	recordsIn: (data: unknown) => unknown = (whole) => whole,
): Page {
	const total = countIn(meta?.total_items);
	// Some servers answer null for an empty list.
	const held = data === null && !total ? [] : data;
	const records = recordsIn(held);
	if (!Array.isArray(records) || !records.every(isObject)) {
		throw api.malformed(`its data is not a list of records but ${shapeOf(held)}`);
	}
	const entries = Object.keys(held as object).length;
	return {
		records,
		total,
		limit: countIn(meta?.limit),
		...(entries !== records.length && { groups: entries }),
	};
}

/** The structure of data without its values: the first fields and entries, two levels deep. */
function shapeOf(data: unknown, levels = 2): string {
	if (data === null || typeof data !== 'object') return data === null ? 'null' : typeof data;
	const isList = Array.isArray(data);
	const all = Object.entries(data).map(
		([name, value]) => [isList ? '' : `${name}: `, value] as const,
	);
	const shown = levels === 0 ? [] : all.slice(0, 2);
	const parts = shown.map(([name, value]) => name + shapeOf(value, levels - 1));
	if (shown.length < all.length) parts.push('…');
	return isList ? `[${parts.join(', ')}]` : `{${parts.join(', ')}}`;
}

/** A number of records, also given as text. */
const countIn = (value: unknown) => (/^\d+$/.test(String(value)) ? Number(value) : undefined);
