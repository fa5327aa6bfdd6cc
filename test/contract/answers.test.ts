import type { INodeParameters } from 'n8n-workflow';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { runNode, type NodeRun } from '../support/harness.ts';

// Answers that no honest server gives.

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let answerWith: Handler;
let requests: number;
/** Resolves when the client closes the connection of the latest request. */
let closed: Promise<unknown>;
let begun: () => void;
/** Resolves when the first request has come. */
let beginning: Promise<void>;

const server = createServer((request, response) => {
	requests += 1;
	closed = new Promise((resolve) => response.once('close', resolve));
	begun();
	answerWith(request, response);
});

beforeEach(async () => {
	requests = 0;
	beginning = new Promise((resolve) => (begun = resolve));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
	server.closeAllConnections();
	server.close();
});

const API_KEY = 'yk_secret_0123456789';

const send = async (
	method: string,
	requestOptions: INodeParameters = {},
	rest: Partial<NodeRun> = {},
) => {
	const { port } = server.address() as AddressInfo;
	return await runNode({
		parameters: {
			resource: 'apiRequest',
			operation: 'send',
			method,
			path: '/things',
			...(method !== 'GET' && { body: '{"a":1}' }),
			requestOptions: { maxWait: 0, ...requestOptions },
		},
		credentials: { ykVoiceApi: { apiKey: API_KEY, baseUrl: `http://127.0.0.1:${port}/v1` } },
		...rest,
	});
};

const json = (text: string | Buffer, status = 200, headers = {}): Handler => {
	return (_request, response) => {
		response.writeHead(status, { 'content-type': 'application/json', ...headers });
		response.end(text);
	};
};

/** Begins an answer that never ends: one byte at a time. */
const drip: Handler = (_request, response) => {
	response.writeHead(200, { 'content-type': 'application/json' });
	response.write('{"ok":true,"data":[');
	const timer = setInterval(() => response.write(' '), 20);
	response.once('close', () => clearInterval(timer));
};

describe('an answer that never ends', () => {
	test.each(['GET', 'POST'])('to a %s is given up when Timeout is over [P36]', async (method) => {
		answerWith = drip;
		const { error } = await send(method, { timeout: 1 });
		expect(error?.message).toBe('No answer from the server (timed out)');
		expect(error?.description).toMatch(/raise 'Timeout' in 'Request Options'/);
		expect(error?.description?.includes('may have been made')).toBe(method === 'POST');
		await closed;
		expect(requests).toBe(1);
	});

	test('ends when the user stops the execution [P49]', async () => {
		answerWith = drip;
		await send('GET', { timeout: 3600 }, { cancelAfter: beginning });
		await closed;
		expect(requests).toBe(1);
	});
});

test('an answer of 200 MB, zipped, is an error that says so [P38]', async () => {
	const zipped = gzipSync(Buffer.alloc(200 * 2 ** 20, ' '));
	answerWith = json(zipped, 200, { 'content-encoding': 'gzip' });
	for (const method of ['GET', 'POST']) {
		const { error } = await send(method);
		expect(error?.message).toBe('The answer could not be used: it is longer than 16 MB (200)');
		expect(error?.description?.includes('may have been made')).toBe(method === 'POST');
	}
	expect(requests).toBe(2);
});

describe('an error whose text is hostile', () => {
	test.each(['<', '<h1>', '<style', '<title', '</', '< >', '<h1'])(
		'a page full of %j takes no longer if it is longer',
		async (piece) => {
			const time = async (length: number) => {
				answerWith = (_request, response) => {
					response.writeHead(400, { 'content-type': 'text/html' });
					response.end(piece.repeat(length / piece.length));
				};
				const start = performance.now();
				expect((await send('GET')).error?.message).toMatch(/\(400/);
				return performance.now() - start;
			};
			await time(1000);
			const [short, long] = [await time(50_000), await time(400_000)];
			// A busy machine does not decide: what grew with the square took 60 times as long.
			expect(long).toBeLessThan(30 * short + 1000);
		},
	);
});
