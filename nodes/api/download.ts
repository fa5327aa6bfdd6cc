import type { IExecuteFunctions } from 'n8n-workflow';

/** A preview of a voice takes some hundred kilobytes; n8n holds a file in memory. */
export const MOST_BYTES = 50 * 2 ** 20;

const TIMEOUT_MS = 60_000;

/** As much of a stream as is used here. */
type Stream = AsyncIterable<Buffer> & { destroy(): void };

/**
 * What reads a file from a public or signed address. The key is not sent there, so that redirects
 * may lead anywhere.
 */
export const downloader =
	(context: IExecuteFunctions) =>
	async (url: string): Promise<Buffer> => {
		if (!/^https?:\/\//i.test(url)) {
			throw new Error('the address of the file does not begin with http:// or https://');
		}
		// What n8n or a stream throws may name the address, whose signature is a secret.
		const failure = (what: string) => new Error(`the file could not be downloaded: ${what}`);
		const answer: unknown = await context.helpers
			.httpRequest({
				method: 'GET',
				url,
				encoding: 'stream',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				timeout: TIMEOUT_MS,
			})
			.catch(() => {
				throw failure('there was no answer from its server');
			});
		const { statusCode, body } = answer as { statusCode: number; body: Stream };
		if (statusCode !== 200) {
			body.destroy();
			throw failure(
				`its server answered with status ${statusCode}. Its address may have expired; run again for a new one`,
			);
		}
		const content = await bytesOf(body).catch(() => {
			throw failure('the connection broke off');
		});
		if (content === undefined) throw failure(`it has more than ${MOST_BYTES / 2 ** 20} MB`);
		return content;
	};

/** All of it; undefined where that is too much. */
async function bytesOf(body: Stream): Promise<Buffer | undefined> {
	const chunks: Buffer[] = [];
	let size = 0;
	// Leaving the loop closes the connection.
	for await (const chunk of body) {
		chunks.push(chunk);
		size += chunk.length;
		if (size > MOST_BYTES) return undefined;
	}
	return Buffer.concat(chunks);
}
