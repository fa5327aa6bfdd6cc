export interface Stream {
	on(event: string, listener: (given: never) => void): unknown;
	destroy(): void;
}

export const MOST_BYTES = 16 * 2 ** 20;

/**
 * The first bytes of an answer, unzipped.
 * @param most how many bytes are read; then the connection is closed
 * @throws if the answer breaks off
 */
export async function readBytes(
	body: Stream,
	most: number,
): Promise<{ bytes: Buffer; isWhole: boolean }> {
	const chunks: Buffer[] = [];
	let size = 0;
	return await new Promise((resolve, reject) => {
		const finish = (isWhole: boolean) =>
			resolve({ bytes: Buffer.concat(chunks, Math.min(size, most)), isWhole });
		body.on('data', (chunk: Buffer) => {
			if (size > most) return;
			chunks.push(chunk);
			size += chunk.length;
			if (size <= most) return;
			finish(false);
			body.destroy();
		});
		body.on('end', () => finish(true));
		// It says nothing after the end. An error for each answer would cost more than the rest.
		body.on('close', reject);
		body.on('error', reject);
	});
}
