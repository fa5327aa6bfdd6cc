import type { IBinaryKeyData, IExecuteFunctions } from 'n8n-workflow';

import type { Account } from '../api/account';
import { MOST, readBytes, withEnd, type Stream } from '../api/body';
import { NoAnswerError } from '../api/noAnswer';
import type { InputFile } from '../table/operation';

/** The fields of an item that hold a file. */
export const filesOf = (binary: IBinaryKeyData = {}): string[] =>
	// Code nodes can make files whose data is no text: n8n would take it for a list of bytes.
	Object.keys(binary).filter((field) => typeof binary[field]?.data === 'string');

/** A file of an input item. */
export async function readFile(
	context: IExecuteFunctions,
	item: number,
	field: string,
): Promise<InputFile> {
	const { fileName, mimeType } = context.helpers.assertBinaryData(item, field);
	const content = await context.helpers.getBinaryDataBuffer(item, field);
	return { name: fileName || 'file', mimeType, content };
}

const MOST_REDIRECTS = 5;

interface Answer {
	statusCode: number;
	headers: Record<string, unknown>;
	body: Stream;
}

/**
 * Reads a file from a public or signed address, which the API names. The key is not sent. The address may
 * not lead to a machine in n8n's own network, also not by a redirect: what answers there is not public.
 *
 * @param account its own server may have the file, wherever it is.
 * @param timeout for the whole file, in ms
 * @throws Error with the reason, without the address
 */
export async function download(
	context: IExecuteFunctions,
	address: string,
	account: Account,
	timeout: number,
): Promise<Buffer> {
	const stopped = context.getExecutionCancelSignal() ?? new AbortController().signal;
	return await withEnd({ timeout, stopped }, async (signal) => {
		const body = await open(context, address, new URL(account.baseUrl).hostname, signal);
		const { bytes, isWhole } = await readBytes(body, MOST.bytes, signal).catch(() => {
			throw failure('the connection broke off');
		});
		if (!isWhole) throw failure(`it has more than ${MOST.bytes / 2 ** 20} MB`);
		return bytes;
	}).catch((error: Error) => {
		throw error instanceof NoAnswerError ? failure('it took too long, or was stopped') : error;
	});
}

/** The errors of n8n may name the address, and its signature is a secret. So no error holds theirs. */
const failure = (what: string) => new Error(`the file could not be downloaded: ${what}`);

/** The content of the file, after all redirects. */
async function open(
	context: IExecuteFunctions,
	address: string,
	apiHost: string,
	signal: AbortSignal,
): Promise<Stream> {
	let url = address;
	for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
		assertPublic(url, apiHost);
		const { statusCode, headers, body } = await request(context, url, signal);
		if (statusCode === 200) return body;
		body.destroy();
		const { location } = headers;
		const isRedirect = statusCode > 300 && statusCode < 400 && typeof location === 'string';
		if (!isRedirect || !URL.canParse(location, url)) {
			throw failure(
				`its server answered with status ${statusCode}. Its address may have expired; run again for a new one`,
			);
		}
		url = new URL(location, url).href;
	}
	throw failure(`its server redirects more than ${MOST_REDIRECTS} times`);
}

function assertPublic(address: string, apiHost: string): void {
	if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) {
		throw new Error('the address of the file does not begin with http:// or https://');
	}
	const { hostname } = new URL(address);
	if (hostname === apiHost || (NAME.test(hostname) && !PRIVATE_NAME.test(hostname))) return;
	throw new Error(
		'the address of the file leads into the network of this n8n, so it was not downloaded',
	);
}

/** A name with a dot, and no number such as 127.0.0.1. */
const NAME = /\.[a-z][a-z0-9-]*\.?$/;

/** Names that are kept for private networks. */
const PRIVATE_NAME =
	/\.(localhost|localdomain|local|internal|lan|svc|home|home\.arpa|corp|intranet|private)\.?$/;

async function request(context: IExecuteFunctions, url: string, signal: AbortSignal) {
	const options = {
		method: 'GET',
		url,
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		abortSignal: signal,
	} as const;
	return (await context.helpers.httpRequest(options).catch(() => {
		throw failure('there was no answer from its server, or this n8n does not allow requests to it');
	})) as Answer;
}
