import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach } from 'vitest';

import { runAgainst } from './account.ts';
import { letWaitsPass } from './sleep.ts';

/** The key has characters that look different in a web address. */
export const KEY = 'yk_live_S3cr3t+Key/Qx7Lm4Zc8=Nb1Vd6Hw';

/** A request as it came. */
export interface Asked {
	method: string;
	/** Without the query. */
	path: string;
	query: URLSearchParams;
	headers: IncomingHttpHeaders;
	body: string;
	bytes: Buffer;
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
			const body = Buffer.concat(chunks);
			const asked = {
				method,
				path: pathname,
				query: searchParams,
				headers,
				body: String(body),
				bytes: body,
			};
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

/** The server that the operations of a file run against. The time that a node waits passes at once. */
export function apiForTests(): Server {
	const server = serverForTests();
	beforeAll(() => runAgainst({ url: server.url, keys: { all: KEY, read: KEY } }));
	beforeEach(letWaitsPass);
	return server;
}

export function send(
	response: ServerResponse,
	body: unknown,
	status = 200,
	headers: Record<string, string> = {},
): void {
	const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
	response.writeHead(status, { 'content-type': 'application/json', ...headers });
	response.end(isRaw ? body : JSON.stringify(body));
}

/** Breaks the connection in the middle of an answer. */
export const half: Answer = (_asked, response) => {
	response.writeHead(200, { 'content-length': '100' }).write('{"ok":tr', () => response.destroy());
};

export const isList = ({ method, query }: Asked) => method === 'GET' && query.has('limit');

export const isChange = ({ method }: Asked) => method !== 'GET';

export const ID = '11111111-2222-4333-8444-555555555555';

export const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

const PREVIEW = '/preview.mp3';

/** A record that is a good answer to everything: it has the fields of all kinds of records. */
export const record = ({ path, headers }: Asked, over: object = {}): IDataObject => ({
	id: path.match(UUID)?.[0] ?? ID,
	created_at: new Date(Date.now() - 60_000).toISOString(),
	name: 'One',
	title: 'One',
	description: 'One',
	notes: 'Some',
	date: '2026-01-12',
	agent_type: 'outbound',
	is_active: true,
	agent_id: ID,
	custom_name: 'One',
	value: 'base',
	label: 'One',
	ai_provider: 'base',
	first_message: 'Hello',
	prompt_instructions: 'Be brief',
	conversation_style: { tone: 'direct' },
	live_conversation_settings: { pauses: 'patient' },
	supported_languages: ['en'],
	custom_fields: { color: 'red' },
	phone_number: decodeURIComponent(path.split('/by-phone/')[1] ?? '+390612345678'),
	file: {
		file_name: 'one.mp3',
		content_size: 3,
		content_type: 'audio/mpeg',
		url: `http://${headers.host}${PREVIEW}`,
	},
	secondary_phone_number: '+390612345679',
	call_status: 'Completed',
	status: 'pending',
	duration_seconds: 60,
	transfer_time: null,
	summary: 'They talked.',
	transcript: [{ role: 'agent', text: 'Hello', time: 0 }],
	price: 1.5,
	currency: 'EUR',
	sku: 'ONE',
	quantity: 2,
	category: 'One',
	amount: 2,
	total_amount: 3,
	balance: 5,
	line_items: [{ sku: 'ONE', name: 'One', quantity: 2, price: 1.5 }],
	transaction_type: 'ADD',
	minutes_included: 100,
	minutes_used: 90,
	minutes_remaining: 10,
	extra_minutes_used: 0,
	period_start: '2026-01-01T00:00:00Z',
	period_end: '2026-02-01T00:00:00Z',
	checked_at: '2026-01-10T10:00:00Z',
	valid_until: '2026-01-10T10:01:00Z',
	operational_access: true,
	task_id: 'task-1',
	total: 10,
	completed: 5,
	start: '2026-01-12T10:00:00Z',
	end: '2026-01-12T11:00:00Z',
	...over,
});

/** Answers with a record, or with a list of this one record. */
export const answerWith =
	(recordOf: (asked: Asked) => unknown): Answer =>
	(asked, response) => {
		if (asked.path === PREVIEW) return send(response, 'ID3', 200, { 'content-type': 'audio/mpeg' });
		const found = recordOf(asked);
		const data = Number(asked.query.get('offset')) > 0 ? [] : [found];
		const meta = { limit: 100, offset: 0, total_items: 1 };
		send(response, isList(asked) ? { ok: true, data, meta } : { ok: true, data: found });
	};

/** A server that does what the reference says. */
export const tame: Answer = answerWith((asked) => record(asked));
