import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { parse } from 'node:querystring';

export interface Incoming {
	method: string;
	/** As sent, with its query. */
	url: string;
	/** What stands in the places of a path such as `/orders/{order_id}`, decoded. */
	params: Record<string, string>;
	query: Record<string, string | string[]>;
	headers: IncomingHttpHeaders;
	body: string;
	socket: Socket;
}

/** An answer that is being written. */
export class Reply {
	readonly raw: ServerResponse;

	constructor(raw: ServerResponse) {
		this.raw = raw;
	}

	code(status: number): this {
		this.raw.statusCode = status;
		return this;
	}

	header(name: string, value: string): this {
		this.raw.setHeader(name, value);
		return this;
	}

	headers(values: Record<string, string>): this {
		for (const [name, value] of Object.entries(values)) this.header(name, value);
		return this;
	}

	redirect(location: string): void {
		this.code(302).header('location', location).raw.end();
	}

	/** Sends text, bytes, anything else as JSON, or (undefined) no body. */
	send(body?: unknown): void {
		if (body === undefined) return void this.raw.end();
		const [content, type] =
			typeof body === 'string'
				? [body, 'text/plain; charset=utf-8']
				: Buffer.isBuffer(body)
					? [body, 'application/octet-stream']
					: [JSON.stringify(body), 'application/json; charset=utf-8'];
		if (!this.raw.hasHeader('content-type')) this.header('content-type', type);
		this.raw.end(content);
	}
}

export type Handler = (request: Incoming, reply: Reply) => unknown;

/** A request that no handler can be given. */
export class Unreadable extends Error {}

const BODY_LIMIT = 10_000_000;

/** A web server with little overhead, because almost every test starts one of its own. */
export class WebServer {
	private readonly routes = new Map<string, Handler>();
	private readonly patterns: Array<{ method: string; parts: string[]; handler: Handler }> = [];
	private readonly server = createServer((message, response) => {
		const { method = '', url = '', headers, socket } = message;
		const chunks: Buffer[] = [];
		let size = 0;
		message.on('data', (chunk: Buffer) => {
			size += chunk.length;
			if (size <= BODY_LIMIT) chunks.push(chunk);
		});
		message.on('end', () => {
			const body = Buffer.concat(chunks).toString();
			const [path = '', search = ''] = url.split(/\?(.*)/s);
			const query = { ...parse(search) } as Incoming['query'];
			const request = { method, url, params: {}, query, headers, body, socket };
			void this.answer(path, request, size <= BODY_LIMIT, new Reply(response));
		});
	});
	private readonly otherwise: Handler;
	private readonly failed: (error: Error, reply: Reply) => void;

	/**
	 * @param otherwise answers what no route is for
	 * @param failed answers for a handler that threw, and for what is Unreadable
	 */
	constructor(otherwise: Handler, failed: (error: Error, reply: Reply) => void) {
		this.otherwise = otherwise;
		this.failed = failed;
		this.server.keepAliveTimeout = 72_000;
		this.server.requestTimeout = 0;
	}

	/** Adds a route; a path may have places, such as `/orders/{order_id}`. */
	on(method: string, path: string, handler: Handler): void {
		if (path.includes('{')) this.patterns.push({ method, parts: path.split('/'), handler });
		else this.routes.set(`${method} ${path}`, handler);
	}

	private async answer(path: string, request: Incoming, fits: boolean, reply: Reply) {
		try {
			if (!fits) throw new Unreadable('the body is too large');
			const handler = this.routes.get(`${request.method} ${path}`) ?? this.matching(path, request);
			await handler(request, reply);
		} catch (error) {
			this.failed(error as Error, reply);
		}
	}

	/** The handler of the first pattern that fits the path, whose parameters it enters. */
	private matching(path: string, request: Incoming): Handler {
		const given = path.split('/');
		for (const { method, parts, handler } of this.patterns) {
			if (method !== request.method || parts.length !== given.length) continue;
			const fits = parts.every((part, at) =>
				part.startsWith('{') ? given[at] !== '' : part === given[at],
			);
			if (!fits) continue;
			parts.forEach((part, at) => {
				if (part.startsWith('{')) request.params[part.slice(1, -1)] = decoded(given[at]!);
			});
			return handler;
		}
		return this.otherwise;
	}

	/** Listens, at a free port where it is 0, and says which port it is. */
	async listen(port: number, host: string): Promise<number> {
		await new Promise<void>((resolve, reject) => {
			this.server.once('error', reject).listen(port, host, resolve);
		});
		return (this.server.address() as AddressInfo).port;
	}

	/** Ends every connection, whatever it waits for. */
	async close(): Promise<void> {
		await new Promise<void>((resolve) => {
			this.server.close(() => resolve());
			this.server.closeAllConnections();
		});
	}
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		throw new Unreadable(`the path has a part that cannot be decoded: ${text}`);
	}
}
