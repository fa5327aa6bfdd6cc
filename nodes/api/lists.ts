import { isObject, type JsonObject } from '../json';
import { readPages, streamPages, type FetchPage, type Take } from './pages';
import type { Api, Request } from './session';

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
 * @param begin makes what takes the records, anew where the list has to be read again
 * @param ahead how many pages are asked for ahead, where it is likely that not all are needed
 */
export async function listEach(
	api: Api,
	request: Request,
	begin: () => Take,
	ahead?: number,
): Promise<void> {
	await streamPages(pagesOf(api, request), begin, { ahead });
}

const pagesOf =
	(api: Api, request: Request, records: (data: unknown) => unknown = (data) => data): FetchPage =>
	async (offset, limit) => {
		const { data, meta } = await api.send({
			...request,
			query: { ...request.query, limit, offset },
		});
		const page = records(data);
		if (!Array.isArray(page) || !page.every(isObject)) {
			throw api.malformed('its data is no list of records');
		}
		const total = Number(meta?.total_items ?? NaN);
		return { records: page, total: Number.isNaN(total) ? undefined : total };
	};
