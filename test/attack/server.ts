import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach } from 'vitest';

/** A request as it came. */
export interface Asked {
	method: string;
	/** Without the query. */
	path: string;
	query: URLSearchParams;
	headers: IncomingHttpHeaders;
	body: string;
}

export type Answer = (asked: Asked, response: ServerResponse) => unknown;

/** A server that answers as a test says, and keeps its requests. */
export interface Server {
	origin: string;
	/** A Base URL. */
	url: string;
	asked: Asked[];
	answer: Answer;
}

/** A server for the tests of a file. With each test it is tame at first. */
export function serverForTests(host = '127.0.0.1'): Server {
	const http = createServer((request, response) => {
		const { pathname, searchParams } = new URL(request.url!, 'http://any');
		const chunks: Buffer[] = [];
		response.on('error', () => {});
		request.on('data', (chunk: Buffer) => void chunks.push(chunk)).on('error', () => {});
		request.on('end', () => {
			const { method = '', headers } = request;
			const body = Buffer.concat(chunks).toString();
			const asked: Asked = { method, path: pathname, query: searchParams, headers, body };
			server.asked.push(asked);
			void server.answer(asked, response);
		});
	});
	const server: Server = { origin: '', url: '', asked: [], answer: tame };
	beforeAll(async () => {
		await new Promise<void>((resolve) => http.listen(0, host, resolve));
		server.origin = `http://${host}:${(http.address() as AddressInfo).port}`;
		server.url = `${server.origin}/v1`;
	});
	beforeEach(() => void Object.assign(server, { answer: tame, asked: [] }));
	afterAll(async () => {
		http.closeAllConnections();
		await new Promise((resolve) => http.close(resolve));
	});
	return server;
}

/** Stands for lists and objects, one in the other, deeper than JSON.stringify can write. */
export const DEEP = '(deep)';

const DEPTH = 5000;

const write = (value: unknown) =>
	JSON.stringify(value).replaceAll(
		JSON.stringify(DEEP),
		`${'[{"a":'.repeat(DEPTH / 2)}1${'}]'.repeat(DEPTH / 2)}`,
	);

export function send(
	response: ServerResponse,
	body: unknown,
	status = 200,
	headers: Record<string, string> = {},
): void {
	const isText = typeof body === 'string' || Buffer.isBuffer(body);
	response.writeHead(status, { 'content-type': 'application/json', ...headers });
	response.end(isText ? body : write(body));
}

const LISTS = [
	...['/agents/', '/agents/models', '/agents/voices', '/call-history', '/campaigns', '/catalogues'],
	...['/catalogues/items', '/contact-lists', '/contacts', '/events', '/orders'],
	...['/tools', '/wallet/transactions'],
];

/** Whether a request reads a list. */
export const isList = ({ method, path }: Pick<Asked, 'method' | 'path'>) =>
	method === 'GET' &&
	(LISTS.some((list) => path === `/v1${list}`) ||
		/\/(contact-lists\/[^/]+\/contacts|tools)$/.test(path));

/** The ID in a path, or another one. */
export const idIn = (path: string) => /[0-9a-f-]{36}/.exec(path)?.[0] ?? ID;

export const ID = '11111111-2222-4333-8444-555555555555';

/** A record that is a good answer to everything: it has the fields of all kinds of records. */
export const record = (path: string, over: object = {}): Record<string, unknown> => ({
	...{
		id: idIn(path),
		created_at: new Date(Date.now() - 60_000).toISOString(),
		updated_at: '2026-01-10T10:00:00Z',
	},
	...{ name: 'One', title: 'One', description: 'One', notes: '', date: '2026-01-12' },
	...{ agent_type: 'outbound', is_active: true, agent_id: ID, custom_name: 'One', value: 'base' },
	...{ label: 'One', ai_provider: 'base', first_message: 'Hello', prompt_instructions: 'Be brief' },
	...{ conversation_style: null, live_conversation_settings: null, supported_languages: ['en'] },
	...{ file: { file_name: 'one.mp3', content_size: 3, content_type: 'audio/mpeg', url: null } },
	...{
		phone_number: '+390612345678',
		secondary_phone_number: null,
		custom_fields: { color: 'red' },
	},
	...{ call_status: 'Completed', status: 'pending', duration_seconds: 60, transfer_time: null },
	...{ summary: 'They talked.', transcript: [{ role: 'agent', text: 'Hello', time: 0 }] },
	...{ sku: 'ONE', price: 1.5, currency: 'EUR', quantity: 2, category: 'One', amount: 2 },
	...{ total_amount: 3, line_items: [{ sku: 'ONE', name: 'One', quantity: 2, price: 1.5 }] },
	...{ transaction_type: 'ADD', balance: 5, minutes_included: 100, minutes_used: 90 },
	...{ minutes_remaining: 10, extra_minutes_used: 0, period_start: '2026-01-01T00:00:00Z' },
	...{ period_end: '2026-02-01T00:00:00Z', checked_at: '2026-01-10T10:00:00Z' },
	...{ valid_until: '2026-01-10T10:01:00Z', operational_access: true, task_id: 'task-1' },
	...{ total: 10, completed: 5, start: '2026-01-12T10:00:00Z', end: '2026-01-12T11:00:00Z' },
	...over,
});

/** Answers with a record, or with a list of this one record. */
export const answerWith =
	(recordOf: (asked: Asked) => unknown, status = 200): Answer =>
	(asked, response) => {
		const one = recordOf(asked);
		const [limit, offset] = ['limit', 'offset'].map((name) => Number(asked.query.get(name)));
		const data = isList(asked) ? (offset! > 0 ? [] : [one]) : one;
		const meta = isList(asked) ? { limit, offset, total_items: 1 } : null;
		send(response, { ok: true, data, meta, error: null }, status);
	};

/** A server that does what the reference says. */
export const tame: Answer = answerWith(({ path }) => record(path));
