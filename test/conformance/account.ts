import { setTimeout as wait } from 'node:timers/promises';
import { Agent, request } from 'undici';

export interface Answer {
	status: number;
	/** The parsed body; undefined if it is not JSON. */
	body: unknown;
	/** `data` of the envelope. */
	data: unknown;
}

/** A request in the report. It holds nothing that comes from a record. */
export interface Listed {
	/** In the reference's notation, with ids and values left out. */
	request: string;
	status: number;
}

export interface Access {
	baseUrl: string;
	apiKey: string;
}

/** Replaces a value in the list of requests. */
const HIDDEN = '…';

const REDIRECTS = [301, 302, 307, 308];
const MAX_WAITS = 5;
const TIMEOUT = 30_000;

type Values = Readonly<Record<string, string>>;

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

/** An account that can only be read: this class sends nothing but GET. */
export class Account {
	readonly requests: Listed[] = [];
	private readonly base: URL;
	private readonly apiKey: string;
	private readonly answers = new Map<string, Promise<Answer>>();
	private readonly dispatcher = new Agent({ headersTimeout: TIMEOUT, bodyTimeout: TIMEOUT });

	constructor({ baseUrl, apiKey }: Access) {
		this.base = new URL(baseUrl.trim().replace(/\/*$/, ''));
		this.apiKey = apiKey.trim();
	}

	/**
	 * Reads a path of the reference. The same address is requested once.
	 * @param path in the reference's notation, such as `/orders/{order_id}`
	 * @param values of the path's `{names}`
	 * @param query parameters; the values of those in `secret` are not listed
	 */
	async get(
		path: string,
		values: Values = {},
		query: Values = {},
		secret: string[] = [],
	): Promise<Answer> {
		const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
			encodeURIComponent(values[name] ?? ''),
		);
		const url = new URL(this.base.pathname + filled, this.base);
		for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
		const shown = Object.entries(query).map(
			([name, value]) => `${name}=${secret.includes(name) ? HIDDEN : value}`,
		);
		const listed = `GET ${path}${shown.length > 0 ? `?${shown.join('&')}` : ''}`;
		const known = this.answers.get(url.href) ?? this.read(url, listed);
		this.answers.set(url.href, known);
		return await known;
	}

	async close(): Promise<void> {
		await this.dispatcher.close();
	}

	private async read(url: URL, listed: string, waits = 0, hops = 0): Promise<Answer> {
		const { statusCode, headers, body } = await request(url, {
			method: 'GET',
			headers: { authorization: `Bearer ${this.apiKey}`, accept: 'application/json' },
			dispatcher: this.dispatcher,
		});
		const text = await body.text();
		this.requests.push({ request: listed, status: statusCode });

		const target = headers.location && new URL(String(headers.location), url);
		if (target && REDIRECTS.includes(statusCode) && target.origin === url.origin && hops < 3) {
			return await this.read(target, listed, waits, hops + 1);
		}

		const isBusy = statusCode === 429 || statusCode === 503;
		const after = headers['retry-after'];
		if (isBusy && waits < MAX_WAITS && !listed.includes('/portal-access/')) {
			const isDate = after !== undefined && Number.isNaN(Number(after));
			const seconds = isDate ? (Date.parse(String(after)) - Date.now()) / 1000 : Number(after ?? 1);
			await wait(Math.min(60, Math.max(0.1, seconds)) * 1000);
			return await this.read(url, listed, waits + 1, hops);
		}

		const json = parsed(text);
		return { status: statusCode, body: json, data: isObject(json) ? json.data : undefined };
	}
}

export type Row = Record<string, unknown>;

/** The records, or groups, in a list's answer. */
export function rowsOf({ data }: Answer): Row[] {
	return Array.isArray(data) ? data.filter(isObject) : [];
}

export { isObject };
