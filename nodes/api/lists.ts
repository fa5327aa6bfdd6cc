import { isObject, type JsonObject } from '../json';
import { readPages } from './pages';
import type { Api, Request } from './session';

/** A list endpoint from its start. Reference: "Endpoints" (limit, offset, meta). */
export async function listAll(
	api: Api,
	request: Request,
	wanted: number,
	records: (data: unknown) => unknown = (data) => data,
): Promise<JsonObject[]> {
	return await readPages(async (offset, limit) => {
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
	}, wanted);
}
