import { request } from 'undici';
import type { Emulator } from './index.ts';

export interface Sent {
	/** The key or token; null sends no Authorization header. Default: the key that may do everything. */
	key?: string | null;
	query?: Readonly<Record<string, string | number>>;
	body?: unknown;
	headers?: Record<string, string>;
}

interface Received {
	status: number;
	headers: Record<string, string | string[] | undefined>;
	body: any;
}

export type Client = (call: string, sent?: Sent) => Promise<Received>;

/** A plain client for the emulator's own tests. It sends `METHOD /path`. A body that is text is sent as it is, others as JSON. */
export function clientOf(emulator: Pick<Emulator, 'url' | 'keys'>): Client {
	return async (call, { key = emulator.keys.all, query = {}, body, headers = {} } = {}) => {
		const [method = 'GET', path = ''] = call.split(' ');
		const search = new URLSearchParams(query as Record<string, string>).toString();
		const response = await request(`${emulator.url}${path}${search && `?${search}`}`, {
			method,
			headers: {
				...(key === null ? {} : { authorization: `Bearer ${key}` }),
				...(body === undefined ? {} : { 'content-type': 'application/json' }),
				...headers,
			},
			body:
				body === undefined || typeof body === 'string'
					? (body as string | undefined)
					: JSON.stringify(body),
		});
		const text = await response.body.text();
		const isJson = String(response.headers['content-type']).startsWith('application/json');
		return {
			status: response.statusCode,
			headers: response.headers,
			body: isJson && text !== '' ? JSON.parse(text) : text,
		};
	};
}
