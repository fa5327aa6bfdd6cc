import { z } from 'zod';

import { pathText } from '../../api/path';
import { readAll } from '../../api/lists';
import type { ReceivedFile } from '../../api/answer';
import { toFileName } from '../../domain/fileName';
import { operation, type Resource } from '../../table/operation';
import { type RowApi, WithFile } from '../../table/rowApi';
import { isObject } from '../../json';
import { inputFile, optionsOf, outputField } from '../../table/common';
import { form, when, type InputOf } from '../../table/form';
import { timeout } from '../../table/handling';
import { choice, entries, json, text, toggle } from '../../table/kinds';
import { objectOfPairs, pairs } from '../../table/pairs';
import { jsonBody, nonBlank, optional, scalarText, trimmed } from '../../table/schema';

const METHODS = { DELETE: 'DELETE', GET: 'GET', PATCH: 'PATCH', POST: 'POST', PUT: 'PUT' } as const;

const CONTENT_TYPES = { json: 'JSON', form: 'Form-Data', file: 'File', none: 'None' } as const;

const RESPONSES = { envelope: 'Automatic', json: 'JSON', text: 'Text', file: 'File' } as const;

const allPages = toggle({
	displayName: 'All Pages',
	description: 'Whether to read all pages of a list',
});

const body = json(
	{
		displayName: 'Body',
		description: 'The body as a JSON object or list. If it is empty, none is sent.',
	},
	optional(jsonBody),
);

const contentType = choice(CONTENT_TYPES, {
	displayName: 'Body Content Type',
	default: 'json',
	description: 'What to send',
});

const formFields = pairs(
	{ displayName: 'Form Fields', placeholder: 'Add field' },
	{ name: 'field', displayName: 'Field' },
	scalarText,
);

const formFiles = entries(
	{ displayName: 'Form Files', placeholder: 'Add file' },
	{
		name: 'file',
		displayName: 'File',
		fields: form({
			name: text({ displayName: 'Name' }, trimmed(nonBlank())),
			field: inputFile,
		}),
	},
);

const response = choice(RESPONSES, {
	displayName: 'Response',
	default: 'envelope',
	meanings: {
		envelope: "The content of 'data'",
		file: 'Up to 16 MB',
		json: 'The whole answer, with its meta such as the total of a list',
		text: "The whole answer, in 'data'",
	},
	description: 'How to read the answer',
});

const query = pairs(
	{ displayName: 'Query Parameters', placeholder: 'Add parameter' },
	{ name: 'parameter', displayName: 'Parameter' },
	scalarText,
);

/** Headers that the node, n8n or the connection sets, and those that change what the method means. */
const OWN =
	/^(authorization|proxy-.*|host|content-(length|type|encoding)|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|x-(http-)?method(-override)?|(x-)?forwarded(-.*)?|x-(original|rewrite)-.*)$/i;

const headerName = z
	.string()
	.trim()
	.refine((text) => text.length <= 200 && /^[\w!#$%&'*+.^`|~-]+$/.test(text), {
		message: 'must be the name of a header: letters, digits and hyphens',
	})
	.refine((text) => !OWN.test(text), {
		message: 'is a header that must not be set here. Remove it',
	});

const headerValue = scalarText.pipe(
	z.string().refine((text) => text.length <= 4000 && /^[\t\x20-\x7e]*$/.test(text), {
		message: 'must be one line of at most 4,000 plain characters',
	}),
);

const headers = pairs(
	{ displayName: 'Headers', placeholder: 'Add header' },
	{ name: 'header', displayName: 'Header' },
	headerValue,
	headerName,
);

const CHANGES = { hide: { method: ['GET'] } };

const NO_LIST = "To read a single record, turn off 'All Pages'.";

const NO_PATH =
	"The API has nothing under this path, or no record with the ID in it. Check 'Path', and the 'Base URL' of the credential: it ends in /v1.";

const requestForm = () =>
	form({
		method: choice(METHODS, {
			displayName: 'Method',
			default: 'GET',
			description: 'HTTP method of the request. GET reads, the others change data.',
		}),
		path: text(
			{
				displayName: 'Path',
				required: true,
				placeholder: 'e.g. /reservations',
				description: 'Path of the request below the base URL',
			},
			pathText,
		),
		...when({ show: { method: ['GET'] } }, { allPages }),
		...when(CHANGES, { contentType }),
		...when({ ...CHANGES, show: { contentType: ['json'] } }, { body }),
		...when({ ...CHANGES, show: { contentType: ['form'] } }, { formFields, formFiles }),
		...when({ ...CHANGES, show: { contentType: ['file'] } }, { inputField: inputFile }),
		...when({ hide: { allPages: [true] } }, { response }),
		...when({ show: { response: ['file'] } }, { binaryPropertyName: outputField }),
		query,
		headers,
		options: optionsOf({ timeout }),
	}).check(({ query: parameters, headers: added, ...given }, refuse) => {
		const { contentType: type, formFields: fields = [], formFiles: files = [] } = given;
		if (type === 'form' && fields.length + files.length === 0) {
			refuse(
				"needs a field or a file. Add one, or choose another 'Body Content Type'",
				'formFields',
			);
		}
		return {
			...given,
			query: objectOfPairs(parameters),
			headers: Object.fromEntries(added.map(({ name, value }) => [name.toLowerCase(), value])),
		};
	});

type Request = InputOf<ReturnType<typeof requestForm>>;

/** Requests that have no operation of their own, such as reservations, documents and webhooks. */
export const apiRequest: Resource = {
	name: 'API Request',
	description: 'Any other request to the API',
	operations: {
		send: operation({
			name: 'Send',
			action: 'Send API request',
			description:
				'Send any request to the API, with the credential, retries and paging of this node',
			hint: 'Only for what has no operation of its own, such as reservations, documents and webhooks.',
			request: 'GET /{path}',
			does: ({ method }) => (method === 'GET' ? 'read' : 'change'),
			fields: requestForm,
			hints: ({ allPages: isList }): Record<number, string> =>
				isList ? { 200: NO_LIST, 404: NO_PATH } : { 404: NO_PATH },
			run: async (input, api) => {
				const { method, path, query: parameters, response: answer = 'envelope' } = input;
				// Without this, n8n says that only JSON is welcome.
				const isAny = answer === 'text' || answer === 'file';
				const headers = { ...(isAny && { accept: '*/*' }), ...input.headers };
				const common = { path, query: parameters, headers };
				if (input.allPages) return await readAll(api, { ...common, method: 'GET' });
				const body = await makeBody(input, api.readFile);
				const request = { ...common, method, answer, ...(body !== undefined && { body }) };
				const send = async () => await api.send(request);
				const { data } = await (method === 'GET' ? send() : api.alone(path, send));
				if (answer === 'text') return { data };
				if (answer === 'file' && isObject(data)) {
					const { content, mimeType, name = path } = data as unknown as ReceivedFile;
					const field = input.binaryPropertyName ?? 'data';
					const file = { field, name: lastPart(name), mimeType, content };
					return new WithFile({ file_name: file.name, bytes: content.length }, file);
				}
				return data === null && method === 'DELETE' ? { deleted: true } : data;
			},
		}),
	},
};

/** What n8n's HTTP client sends. Undefined for nothing. @throws Error if a file is too large */
async function makeBody(
	{ contentType, body = {}, formFields = [], formFiles = [], inputField = '' }: Request,
	readFile: RowApi['readFile'],
): Promise<unknown> {
	if (contentType === 'file') {
		const { content, mimeType } = await readFile(inputField);
		return sendable(new Blob([content], { type: mimeType }));
	}
	if (contentType !== 'form') return Object.keys(body).length > 0 ? body : undefined;
	const data = new FormData();
	for (const { name, value } of formFields) data.append(name, value);
	for (const { name, field } of formFiles) {
		const { content, mimeType, name: fileName } = await readFile(field);
		data.append(name, new Blob([content], { type: mimeType }), fileName);
	}
	return sendable(data);
}

/** n8n sends no body that has no property of its own, and takes a form and a file for such. */
const sendable = <T extends object>(body: T): T => Object.assign(body, { isBody: true });

const lastPart = (path: string) => toFileName(path.split('/').findLast(Boolean) ?? '');
