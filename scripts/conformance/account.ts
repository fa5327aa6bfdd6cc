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

const MAX_TRIES = 6;

type Values = Readonly<Record<string, string>>;

export const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

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

	private async read(url: URL, request: string): Promise<Answer> {
		let address = url;
		for (let tries = 1; ; tries += 1) {
			const response = await fetch(address, {
				headers: { authorization: `Bearer ${this.apiKey}`, accept: 'application/json' },
				redirect: 'manual',
				signal: AbortSignal.timeout(30_000),
			});
			const { status, headers } = response;
			const body: unknown = await response.json().catch(() => undefined);
			this.requests.push({ request, status });

			// The key goes to the server of the base URL only.
			const target = new URL(headers.get('location') ?? address, address);
			const isRedirect = status >= 300 && status < 400 && target.origin === url.origin;
			const isBusy = (status === 429 || status === 503) && !request.includes('/portal-access/');
			if (tries === MAX_TRIES || !(isRedirect || isBusy))
				return { status, isJson: body !== undefined, data: isObject(body) ? body.data : undefined };
			if (isBusy) await wait(waitOf(headers.get('retry-after')));
			else address = target;
		}
	}
}

export type Row = Record<string, unknown>;

/** The records, or groups, in a list's answer. */
export function rowsOf({ data }: Answer): Row[] {
	return Array.isArray(data) ? data.filter(isObject) : [];
}
