import { gzipSync } from 'node:zlib';

import { answerWith, DEEP, ID, isList, record, send, type Answer, type Asked } from './server.ts';
import { DANGEROUS, LONG_TEXTS, NOT_TEXT, SHAPES, TRICKS, wide } from './values.ts';

export interface HostileAnswer {
	name: string;
	answer: Answer;
}

const raw = (
	name: string,
	body: string | Buffer,
	status = 200,
	headers: Record<string, string> = {},
): HostileAnswer => ({ name, answer: (_asked, response) => send(response, body, status, headers) });

const json = (name: string, body: unknown, status = 200, headers = {}): HostileAnswer => ({
	name,
	answer: (_asked, response) => send(response, body, status, headers),
});

const refusal = (name: string, error: unknown, status = 400): HostileAnswer =>
	json(`${status} with ${name}`, { ok: false, data: null, error }, status);

const OK = '{"ok":true,"data":{},"meta":null,"error":null}';
const ok = (data: unknown, meta: unknown = null) => ({ ok: true, data, meta, error: null });
const okText = (data: string) => `{"ok":true,"data":${data},"meta":null,"error":null}`;
const deepText = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const page = (text: string) => `<!doctype html><title>${text}</title><body>${text}</body>`;

/** Answers that are no good envelope, whatever was asked. */
export const ENVELOPES: HostileAnswer[] = [
	...[
		'',
		'null',
		'7',
		'"text"',
		'[]',
		'{}',
		'{"ok":1}',
		'{"ok":"true"}',
		'{"ok":true}',
		'{"ok":',
	].map((body) => raw(`the body ${body || 'of no character'}`, body)),
	raw('a byte order mark', `\ufeff${OK}`),
	raw('a NUL', `\0${OK}`),
	raw('bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x80, 0x7d])),
	raw('two answers in one', `${OK}${OK}`),
	raw(
		'names that come twice',
		'{"ok":true,"ok":false,"data":{},"data":[],"error":{},"error":null}',
	),
	raw(
		'an envelope of dangerous names',
		'{"ok":true,"data":null,"__proto__":{"ok":false,"data":1}}',
	),
	raw('lists 5,000 deep', okText(deepText(5000))),
	raw('lists 200,000 deep', okText(deepText(200_000))),
	raw('a number of 100,000 digits', okText(`{"id":${'9'.repeat(100_000)}}`)),
	raw('numbers beyond all bounds', okText('{"id":1e999,"amount":-1e999,"created_at":1e999}')),
	raw('JSON as a page', OK, 200, { 'content-type': 'text/html' }),
	raw('JSON as bytes', OK, 200, { 'content-type': 'application/octet-stream' }),
	raw('JSON in another encoding', OK, 200, { 'content-type': 'application/json; charset=utf-16' }),
	raw('a page as JSON', page('hello')),
	raw('zipped bytes that are none', 'no zip', 200, { 'content-encoding': 'gzip' }),
	raw('an unknown encoding', OK, 200, { 'content-encoding': 'rot13' }),
	raw('a zip bomb', gzipSync(okText(`"${'0'.repeat(40_000_000)}"`)), 200, {
		'content-encoding': 'gzip',
	}),
	{
		name: 'half a body',
		answer: (_asked, response) => {
			response.writeHead(200, { 'content-length': '10000' }).write(OK);
			setTimeout(() => response.destroy(), 5);
		},
	},
	...[...[201, 202, 203, 204, 205, 206, 207, 299], ...[300, 304, 305, 306, 399], ...[402, 405, 406]]
		.concat([408, 410, 413, 418, 421, 425, 451, 499, 501, 505, 507, 511, 599, 600, 999])
		.map((status) => raw(`the status ${status}`, OK, status)),
	...[301, 302, 303, 307, 308].flatMap((status) =>
		['', '/', '?', '//', 'http://', 'javascript:alert(1)', '\\\\evil', 'yk_', 'http://[::1'].map(
			(location) => raw(`${status} to "${location}"`, '', status, { location }),
		),
	),
	...LONG_TEXTS.map((text, at) =>
		raw(`a long page: ${Object.keys(SHAPES)[at]}`, page(text), 502, {
			'content-type': 'text/html',
		}),
	),
	...[null, 'text', [], 7, { code: {}, message: [], details: 7 }, DANGEROUS, DEEP]
		.concat(LONG_TEXTS.slice(0, 2), [{ code: 'A', message: 'B', details: DEEP }])
		.concat([{ details: wide(20_000) }])
		.map((error, at) => refusal(`the error ${at}`, error)),
	...LONG_TEXTS.map((text, at) =>
		refusal(`${Object.keys(SHAPES)[at]}`, { code: text, message: text, details: [text, text] }),
	),
	...[401, 403, 404, 409, 422, 429, 500, 502, 503].map((status) =>
		refusal('deep details', { code: 'A', message: 'B', details: DEEP }, status),
	),
	...[
		'-5',
		'1e9',
		'Infinity',
		'soon',
		'9'.repeat(30),
		'Fri, 31 Dec 9999 23:59:59 GMT',
		'0x10',
		'',
	].flatMap((wait) =>
		[200, 429, 503].map((status) =>
			json(`${status} with a rate limit of "${wait}"`, ok({}), status, {
				'retry-after': wait,
				'ratelimit-remaining': '0',
				'ratelimit-reset': wait,
				'x-ratelimit-remaining': wait,
				'x-ratelimit-reset': wait,
			}),
		),
	),
];

/** Each field of a record holds this value. */
const filled = (value: unknown, { path }: Asked) => {
	const one = record(path);
	return Object.fromEntries(Object.keys(one).map((name) => [name, value]));
};

const fields = (name: string, value: unknown): HostileAnswer[] => [
	{
		name: `records whose fields hold ${name}`,
		answer: answerWith((asked) => ({ ...filled(value, asked), id: ID })),
	},
	{
		name: `records whose fields and ID are ${name}`,
		answer: answerWith((asked) => filled(value, asked)),
	},
];

const list = (name: string, data: unknown[], meta: unknown = null): HostileAnswer => ({
	name,
	answer: (asked, response) =>
		send(response, ok(isList(asked) && Number(asked.query.get('offset')) > 0 ? [] : data, meta)),
});

const brief = (value: unknown) => (JSON.stringify(value) ?? '').slice(0, 30);

const known = (over: object): HostileAnswer['answer'] =>
	answerWith(({ path }) => record(path, over));

/** Envelopes as they should be, with records that are not. */
export const RECORDS: HostileAnswer[] = [
	...[DEEP, ...NOT_TEXT, ...TRICKS].flatMap((value, at) =>
		fields(`${brief(value)} (${at})`, value),
	),
	...LONG_TEXTS.flatMap((text, at) => fields(`a long text: ${Object.keys(SHAPES)[at]}`, text)),
	list('a list of no records', [null, 7, 'a', [], true, {}, [[]], { id: null }, { id: [] }]),
	list(
		'records with one ID',
		Array.from({ length: 100 }, () => record('', { id: ID })),
	),
	list(
		'records with dangerous IDs',
		TRICKS.map((id) => record('', { id })),
	),
	...[-1, 1e308, 'x', null, {}, [], 0.5].map((total) =>
		list(`a total of ${brief(total)}`, [record('')], {
			total_items: total,
			limit: total,
			offset: total,
		}),
	),
	{ name: 'dangerous names', answer: known(DANGEROUS) },
	{
		name: 'dangerous names in custom fields',
		answer: known({ custom_fields: DANGEROUS, extras: DANGEROUS }),
	},
	{ name: '20,000 fields', answer: known(wide(20_000)) },
	{
		name: 'groups with dangerous names',
		answer: (_asked, response) =>
			send(
				response,
				okText('{"__proto__":[{"id":"a"}],"constructor":[{"id":"b"}],"2026-01-01":{"length":5}}'),
			),
	},
	...[10, 1000].flatMap((count) =>
		(['transcript', 'line_items', 'custom_fields', 'supported_languages'] as const).map(
			(field) => ({
				name: `${count} hostile entries in ${field}`,
				answer: known({
					[field]: Array.from({ length: count }, (_, at) => NOT_TEXT[at % NOT_TEXT.length]),
				}),
			}),
		),
	),
];
