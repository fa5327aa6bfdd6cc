import type { JsonObject } from '../../json';
import type { RunContext } from '../../table/operation';

/** What the user chose to send. */
export interface SentBody {
	contentType: 'json' | 'form' | 'file' | 'none';
	body: JsonObject | unknown[];
	formFields: Array<{ name: string; value: string }>;
	formFiles: Array<{ name: string; field: string }>;
	inputField: string;
}

/** What n8n's HTTP client sends. Undefined for nothing. @throws Error if a file is too large */
export async function makeBody(sent: SentBody, readFile: RunContext['readFile']): Promise<unknown> {
	const { contentType, body, formFields, formFiles, inputField } = sent;
	switch (contentType) {
		case 'json':
			return Object.keys(body).length > 0 ? body : undefined;
		case 'form': {
			const form = new FormData();
			for (const { name, value } of formFields) form.append(name, value);
			for (const { name, field } of formFiles) {
				const { content, mimeType, name: fileName } = await readFile(field);
				form.append(name, new Blob([content], { type: mimeType }), fileName);
			}
			return sendable(form);
		}
		case 'file': {
			const { content, mimeType } = await readFile(inputField);
			return sendable(new Blob([content], { type: mimeType }));
		}
		case 'none':
			return undefined;
	}
}

/** n8n sends no body that has no property of its own, and takes a form and a file for such. */
const sendable = <T extends object>(body: T): T => Object.assign(body, { isBody: true });
