import type { IExecuteFunctions } from 'n8n-workflow';

import type { InputFile } from '../table/operation';

/** n8n keeps the file in memory. */
const MOST_BYTES = 50 * 2 ** 20;

/** What is wrong if the item has no file in one of these fields. Undefined if it has all. */
export function missingFile(
	context: IExecuteFunctions,
	item: number,
	fields: string[] = [],
): string | undefined {
	const { binary = {} } = context.getInputData()[item] ?? {};
	// Code nodes can make files whose data is no text: n8n would take it for a list of bytes.
	const isFile = (field: string) =>
		Object.hasOwn(binary, field) && typeof binary[field]?.data === 'string';
	const missing = fields.find((field) => !isFile(field));
	if (missing === undefined) return undefined;
	const others = Object.keys(binary).filter(isFile).slice(0, 10);
	const held = others.length > 0 ? `It has a file in: ${others.join(', ')}` : 'It has no file';
	return `'Input Data Field Name' is ${missing}, and the item has no file there. ${held}`;
}

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
