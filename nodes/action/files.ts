import type { IExecuteFunctions } from 'n8n-workflow';

import { MOST_BYTES, readBytes, type Stream } from '../api/body';
import { NoAnswerError } from '../api/noAnswer';
import { withEnd, type Limits } from '../api/timeLimit';
import type { InputFile } from '../table/rowApi';

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

/**
 * Reads a file from a public or signed address, which the API names. The key is not sent.
 * @throws Error with the reason, without the address: its signature is a secret
 */
export async function download(
	context: IExecuteFunctions,
	address: string,
	limits: Limits,
): Promise<Buffer> {
	return await withEnd(limits, async (abortSignal) => {
		const answer: unknown = await context.helpers
			.httpRequest({
				url: address,
				abortSignal,
				encoding: 'stream',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
			})
			.catch(() => {
				throw failure(
					'there was no answer from its server, or this n8n does not allow requests to it',
				);
			});
		const { statusCode, body } = answer as { statusCode: number; body: Stream };
		if (statusCode !== 200) {
			body.destroy();
			throw failure(
				`its server answered with status ${statusCode}. Its address may have expired; run again for a new one`,
			);
		}
		const { bytes, isWhole } = await readBytes(body, MOST_BYTES).catch(() => {
			throw failure('the connection broke off');
		});
		if (!isWhole) throw failure(`it has more than ${MOST_BYTES / 2 ** 20} MB`);
		return bytes;
	}).catch((error: Error) => {
		throw error instanceof NoAnswerError ? failure('it took too long, or was stopped') : error;
	});
}

const failure = (what: string) => new Error(`the file could not be downloaded: ${what}`);
