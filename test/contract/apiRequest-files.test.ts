import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { runNode, type NodeResult } from '../support/harness.ts';

// Files go both ways, to and from paths that the reference does not show. The server is a plain one, and
// keeps what came as it came.

const KEY = 'yk_live_abcdefghijklmnopqrstuvwxyz0123456789';

interface Came {
	method: string;
	headers: IncomingMessage['headers'];
	body: Buffer;
}

let server: Server;
let baseUrl: string;
let came: Came[];
let answer: (response: ServerResponse) => void;

const envelope = (response: ServerResponse) => {
	response.setHeader('content-type', 'application/json');
	response.end(JSON.stringify({ ok: true, data: { id: 'd1' }, error: null, meta: null }));
};

beforeAll(async () => {
	server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const { method = '', headers } = request;
			came.push({ method, headers, body: Buffer.concat(chunks) });
			answer(response);
		});
	});
	await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
	baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});

beforeEach(() => {
	came = [];
	answer = envelope;
});

afterAll(() => {
	server.closeAllConnections();
	server.close();
});

const file = (content: Buffer | string, fileName = 'menu.pdf', mimeType = 'application/pdf') => ({
	data: { data: Buffer.from(content).toString('base64'), fileName, mimeType },
});

/** Sends a request for each item. @param binary the files of each */
async function send(
	parameters: INodeParameters,
	...binary: Array<INodeExecutionData['binary']>
): Promise<NodeResult> {
	const items = binary.length > 0 ? binary : [undefined];
	return await runNode({
		parameters: {
			...{ resource: 'apiRequest', operation: 'send', method: 'POST', path: '/documents' },
			...parameters,
		},
		credentials: { ykVoiceApi: { apiKey: KEY, baseUrl } },
		items: items.map((files) => ({ json: {}, ...(files && { binary: files }) })),
	});
}

/** The parts of a form as another reader sees them. */
async function formOf({ headers, body }: Came): Promise<FormData> {
	const type = { 'content-type': headers['content-type']! };
	return await new Response(new Uint8Array(body), { headers: type }).formData();
}

const form = (fields: Array<[string, string]>, files: Array<[string, string]>) => ({
	contentType: 'form',
	formFields: { field: fields.map(([name, value]) => ({ name, value })) },
	formFiles: { file: files.map(([name, field]) => ({ name, field })) },
});

const BYTES = Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * 7) % 256));

describe('what is sent', () => {
	it('a form has its fields and its file, byte by byte, and says its length', async () => {
		const given = form([['title', 'Menu "à la carte"\r\nof May']], [['file', 'data']]);
		const { json } = await send(given, file(BYTES));
		expect(json).toEqual([{ id: 'd1' }]);
		const [request] = came;
		expect(request!.headers).toMatchObject({
			authorization: `Bearer ${KEY}`,
			'content-length': String(request!.body.length),
		});
		const got = await formOf(request!);
		expect(got.get('title')).toBe('Menu "à la carte"\r\nof May');
		const sent = got.get('file') as File;
		expect([sent.name, sent.type]).toEqual(['menu.pdf', 'application/pdf']);
		expect(Buffer.from(await sent.arrayBuffer())).toEqual(BYTES);
	});

	it.each(['../../etc/passwd', 'a"; name="prompt', 'a\r\nX-Evil: 1\r\n\r\nbody', 'ü 🍕.pdf', ''])(
		'a file called %j stays one part of the form',
		async (fileName) => {
			await send(form([['title', 'x']], [['file', 'data']]), file('content', fileName));
			const got = await formOf(came[0]!);
			expect([...got.keys()]).toEqual(['title', 'file']);
			expect(await (got.get('file') as File).text()).toBe('content');
		},
	);

	it('a file is the whole body, with its own type', async () => {
		await send({ contentType: 'file', inputField: 'data' }, file(BYTES));
		const [{ body, headers }] = came as [Came];
		expect(body).toEqual(BYTES);
		expect(headers['content-type']).toBe('application/pdf');
	});

	it('an empty file is sent as one', async () => {
		await send({ contentType: 'file', inputField: 'data' }, file(''));
		expect(came.map(({ body }) => body.length)).toEqual([0]);
	});

	it('None sends nothing, and so does a GET, whatever was chosen before', async () => {
		await send({ contentType: 'none' });
		await send({ ...form([['a', 'b']], []), method: 'GET' });
		expect(came.map(({ method, body }) => [method, body.length])).toEqual([
			['POST', 0],
			['GET', 0],
		]);
	});

	it('a missing file of one item is told before anything is sent for another', async () => {
		const { error } = await send(form([], [['file', 'data']]), file('a'), {
			photo: file('b').data,
		});
		expect(error?.message).toContain("Input Data Field Name' is data, and the item has no file");
		expect(error?.message).toContain('It has a file in: photo');
		expect(came).toEqual([]);
	});

	it.each([{ length: 1e9 }, [1, 2], 5, null])('what is no text is no file: %j', async (data) => {
		const odd = { data: { data, mimeType: 'text/plain' } } as never;
		for (const body of [{ contentType: 'file', inputField: 'data' }, form([], [['a', 'data']])]) {
			const { error } = await send(body, odd);
			expect(error?.message).toContain('the item has no file there. It has no file');
		}
		expect(came).toEqual([]);
	});

	it('a file goes with an access token too', async () => {
		const oauthTokenData = { access_token: KEY, token_type: 'Bearer' };
		const fields = { baseUrl, clientId: 'client', clientSecret: 'client-secret', oauthTokenData };
		const { error } = await runNode({
			parameters: {
				...{ resource: 'apiRequest', operation: 'send', method: 'PUT', path: '/documents' },
				...{ authentication: 'oAuth2', contentType: 'file', inputField: 'data' },
			},
			credentials: { ykVoiceOAuth2Api: fields },
			items: [{ json: {}, binary: file(BYTES) }],
		});
		expect(error).toBeUndefined();
		expect(came[0]).toMatchObject({ headers: { authorization: `Bearer ${KEY}` }, body: BYTES });
	});

	it('a form without fields is refused', async () => {
		const { error } = await send(form([], []));
		expect(error?.message).toContain("'Form Fields' needs a field or a file");
		expect(came).toEqual([]);
	});

	it('an upload that may have arrived is not sent again', async () => {
		answer = (response) => response.socket!.destroy();
		const { error } = await send(form([], [['file', 'data']]), file(BYTES));
		expect(error?.description).toMatch(/may have/);
		expect(came).toHaveLength(1);
	});

	it('an upload that was refused for now is sent again as a whole', async () => {
		answer = (response) => {
			if (came.length > 1) return envelope(response);
			response.writeHead(429, { 'retry-after': '1' }).end('{}');
		};
		await send(form([['title', 'x']], [['file', 'data']]), file(BYTES));
		expect(came).toHaveLength(2);
		for (const one of came) expect((await formOf(one)).get('title')).toBe('x');
	});
});

describe('headers', () => {
	const withHeader = (name: string, value = 'x') => ({
		method: 'GET',
		headers: { header: [{ name, value }] },
	});

	it('are sent', async () => {
		await send(withHeader('X-Idempotency-Key', 'order 7'));
		expect(came[0]!.headers['x-idempotency-key']).toBe('order 7');
	});

	it('are sent in the place of what the node would send', async () => {
		await send({ ...withHeader('ACCEPT', 'text/csv'), response: 'text' });
		expect(came[0]!.headers.accept).toBe('text/csv');
	});

	it.each([
		...['Authorization', 'authorization ', 'Host', 'Content-Length', 'content-type', 'Expect'],
		...[
			'Transfer-Encoding',
			'Connection',
			'Proxy-Authorization',
			'X-HTTP-Method-Override',
			'X-Forwarded-Host',
			'Forwarded',
			'X-Original-URL',
		],
		...['a b', 'a:b', 'X\r\nAuthorization', 'ü', ''],
	])('%j is refused as a name, before anything is sent', async (name) => {
		expect((await send(withHeader(name))).error?.message).toContain("'Headers → entry 1 → Name'");
		expect(came).toEqual([]);
	});

	it.each(['a\r\nAuthorization: Bearer x', 'a\nb', '\u0000', 'ü', 'x'.repeat(4001)])(
		'%j is refused as a value',
		async (value) => {
			const { error } = await send(withHeader('X-Note', value));
			expect(error?.message).toContain('must be one line of at most 4,000 plain characters');
			expect(came).toEqual([]);
		},
	);
});

describe('the answer', () => {
	const says = (body: Buffer | string, headers: Record<string, string> = {}) => {
		answer = (response) => response.writeHead(200, headers).end(body);
	};
	const get = async (response: string) => await send({ method: 'GET', response });

	it('JSON is the whole answer, also without an envelope', async () => {
		says('{"items":[{"ok":false}]}');
		expect((await get('json')).json).toEqual([{ items: [{ ok: false }] }]);
		says('[{"id":1},{"id":2}]');
		expect((await get('json')).json).toEqual([{ id: 1 }, { id: 2 }]);
		says('<html>');
		expect((await get('json')).error?.message).toContain('it is not JSON');
	});

	it('a text is one field', async () => {
		says('id,name\n1,"Anna"\n', { 'content-type': 'text/csv' });
		expect((await get('text')).json).toEqual([{ data: 'id,name\n1,"Anna"\n' }]);
	});

	describe('an ID above 2^53', () => {
		const ids = '[{"id":9007199254740993,"n":-9007199254740995},{"id":9007199254740992,"n":1e300}]';
		const answer = `{"ok":true,"data":${ids},"meta":null,"error":null}`;

		it('stays what it is, so that two records never have one ID', async () => {
			says(answer);
			expect((await get('envelope')).json).toEqual([
				{ id: '9007199254740993', n: '-9007199254740995' },
				{ id: '9007199254740992', n: 1e300 },
			]);
		});
	});

	it.each([
		['attachment; filename="cafe.pdf"; filename*=UTF-8\'\'caff%C3%A8.pdf', 'caffè.pdf'],
		["attachment; filename*=utf-8'it'caff%C3%A8.pdf", 'caffè.pdf'],
		['attachment; filename="cafe.pdf"; filename*=UTF-8\'\'caff%E8.pdf', 'cafe.pdf'],
	])('a file has the name that is meant: %s', async (disposition, name) => {
		says(BYTES, { 'content-type': 'application/pdf', 'content-disposition': disposition });
		expect((await get('file')).json).toMatchObject([{ file_name: name }]);
	});

	it('a file has its bytes, its type and a name without folders', async () => {
		const disposition = 'attachment; filename="../../menu.pdf"';
		says(BYTES, { 'content-type': 'application/pdf', 'content-disposition': disposition });
		const { items, json } = await get('file');
		const { data } = items[0]!.binary!;
		expect(Buffer.from(data!.data, 'base64')).toEqual(BYTES);
		expect(data!.mimeType).toBe('application/pdf');
		expect(json).toEqual([{ file_name: 'menu.pdf', bytes: BYTES.length }]);
		expect(data!.fileName).toBe('menu.pdf');
		expect(came[0]!.headers.accept).toBe('*/*');
	});

	it('a file without a type gets one, so that n8n does not guess: in n8n 2.20, that may stop n8n', async () => {
		for (const type of ['', ';', '; charset=utf-8']) {
			says(BYTES, { 'content-type': type });
			const { items } = await get('file');
			expect(items[0]!.binary!.data!.mimeType).toBe('application/octet-stream');
		}
	});

	it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('comes as a file from %s too', async (method) => {
		says('%PDF', { 'content-type': 'application/pdf' });
		const { json, error } = await send({ method, response: 'file' });
		expect(error?.message).toBeUndefined();
		expect(json).toMatchObject([{ bytes: 4 }]);
	});

	it('a file without a name is called after the path, and may be empty', async () => {
		says('');
		const { json } = await get('file');
		expect(json).toEqual([{ file_name: 'documents', bytes: 0 }]);
	});

	it.each(['json', 'text', 'file'])('60 MB are refused, read as %s', async (response) => {
		says(Buffer.alloc(60 * 2 ** 20, 'a'));
		const { error } = await get(response);
		expect(error?.message).toContain('it is longer than 16 MB');
	});

	it.each(['json', 'text', 'file'])('a failure is a failure, read as %s', async (response) => {
		answer = (sent) =>
			sent.writeHead(403).end('{"ok":false,"error":{"code":"INSUFFICIENT_PERMISSIONS"}}');
		expect((await get(response)).error).toMatchObject({ httpCode: '403' });
	});
});
