import { setTimeout as wait } from 'node:timers/promises';

export interface Answer {
	status: number;
	/** `data` of the envelope. */
	data: unknown;
	isJson: boolean;
}

/** A request in the report. It holds nothing that comes from a record. */
export interface Listed {
	/** In the reference's notation, with ids left out. */
	request: string;
	status: number;
}

export interface Access {
	baseUrl: string;
	apiKey: string;
}

const MAX_WAITS = 5;
const MAX_REDIRECTS = 3;
const TIMEOUT = 30_000;

type Values = Readonly<Record<string, string>>;

export const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

/** How long to wait, in ms: as many seconds as the server says, or one. */
const waitOf = (retryAfter: string | null) => Math.min(60, Number(retryAfter ?? 1) || 1) * 1000;

/** An account that can only be read: this class sends nothing but GET. */
export class Account {
	readonly requests: Listed[] = [];
	private readonly base: URL;
	private readonly apiKey: string;
	private readonly answers = new Map<string, Promise<Answer>>();

	constructor({ baseUrl, apiKey }: Access) {
		this.base = new URL(baseUrl.trim().replace(/\/*$/, ''));
		this.apiKey = apiKey.trim();
	}

	/**
	 * Reads a path of the reference. The same address is requested once.
	 * @param path in the reference's notation, such as `/orders/{order_id}`
	 * @param values of the path's `{names}`
	 */
	async get(path: string, values: Values = {}, query: Values = {}): Promise<Answer> {
		const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
			encodeURIComponent(values[name] ?? ''),
		);
		const url = new URL(this.base.pathname + filled, this.base);
		url.search = String(new URLSearchParams(query));
		const known = this.answers.get(url.href) ?? this.read(url, `GET ${path}${url.search}`);
		this.answers.set(url.href, known);
		return await known;
	}

	private async read(url: URL, listed: string, waits = 0, hops = 0): Promise<Answer> {
		const response = await fetch(url, {
			headers: { authorization: `Bearer ${this.apiKey}`, accept: 'application/json' },
			redirect: 'manual',
			signal: AbortSignal.timeout(TIMEOUT),
		});
		const { status, headers } = response;
		const body = parsed(await response.text());
		this.requests.push({ request: listed, status });

		const location = headers.get('location');
		const target = location === null ? undefined : new URL(location, url);
		if (target?.origin === url.origin && hops < MAX_REDIRECTS)
			return await this.read(target, listed, waits, hops + 1);

		const isBusy = status === 429 || status === 503;
		if (isBusy && waits < MAX_WAITS && !listed.includes('/portal-access/')) {
			await wait(waitOf(headers.get('retry-after')));
			return await this.read(url, listed, waits + 1, hops);
		}
		return { status, isJson: body !== undefined, data: isObject(body) ? body.data : undefined };
	}
}

export type Row = Record<string, unknown>;

/** The records, or groups, in a list's answer. */
export function rowsOf({ data }: Answer): Row[] {
	return Array.isArray(data) ? data.filter(isObject) : [];
}
