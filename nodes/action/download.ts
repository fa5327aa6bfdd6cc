import type { IExecuteFunctions } from 'n8n-workflow';

/** n8n keeps the file in memory. The preview of a voice has a few hundred kilobytes. */
export const MOST_BYTES = 50 * 2 ** 20;

const TIMEOUT_MS = 60_000;

/** The part of a stream that is used here. */
type Stream = AsyncIterable<Buffer> & { destroy(): void };

/**
 * Reads a file from a public or signed address. The key is not sent, so redirects may lead anywhere.
 * @throws Error with the reason, without the address
 */
export const downloader =
	(context: IExecuteFunctions) =>
	async (url: string): Promise<Buffer> => {
		if (!/^https?:\/\//i.test(url)) {
			throw new Error('the address of the file does not begin with http:// or https://');
		}
		// The errors of n8n may name the address, and its signature is a secret.
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

/** The whole content; undefined if it is too large. */
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
