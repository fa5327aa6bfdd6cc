import { isObject, type JsonObject } from '../json';
import type { Api, Request } from './session';

export async function readRecord(api: Api, request: Request): Promise<JsonObject> {
	const { data } = await api.send(request);
	if (isObject(data)) return data;
	throw data === null ? api.nothing() : api.malformed('its data is not a record');
}
