import type { IBinaryKeyData, IExecuteFunctions } from 'n8n-workflow';

import type { InputFile } from '../table/operation';

/** n8n keeps the file in memory. */
const MOST_BYTES = 50 * 2 ** 20;

/** The fields of an item that hold a file. */
export const filesOf = (binary: IBinaryKeyData = {}): string[] =>
	// Code nodes can make files whose data is no text: n8n would take it for a list of bytes.
	Object.keys(binary).filter((field) => typeof binary[field]?.data === 'string');

/** A file of an input item. @throws Error if it is too large */
export async function readFile(
	context: IExecuteFunctions,
	item: number,
	field: string,
): Promise<InputFile> {
	const { fileName, mimeType, id } = context.helpers.assertBinaryData(item, field);
	const assertSize = (size = 0) => {
		if (size <= MOST_BYTES) return;
		throw new Error(
			`The file in ${field} has more than ${MOST_BYTES / 2 ** 20} MB. Nothing was sent.`,
		);
	};
	// A file that n8n keeps on disk is not read into memory first.
	if (id !== undefined) assertSize((await context.helpers.getBinaryMetadata(id)).fileSize);
	const content = await context.helpers.getBinaryDataBuffer(item, field);
	assertSize(content.length);
	return { name: fileName || 'file', mimeType, content };
}
