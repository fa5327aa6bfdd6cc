import { toFileName } from '../domain/fileName';
import type { JsonObject } from '../json';
import { operation } from '../table/operation';
import { reportForm } from './reportForm';

/**
 * Makes a report of the calls, orders and transactions of a period, as a mail and as text. It reads each
 * list once, whatever the sections are.
 */
export const createReport = operation({
	name: 'Create',
	action: 'Create report',
	description:
		'Make a report for a client: a page for a mail, the same as text for a message, and the figures',
	hint: 'One item in, one report out. Send html with a mail node and text with a chat node; subject is the subject of the mail. For many clients, put one item per client in front.',
	request: 'GET /call-history',
	isAny: true,
	fields: reportForm,
	// A report is drawn by code of its own, which is loaded with the first one.
	run: async (input, call) => await (await import('./makeReport')).makeReport(input, call),
	deliver: async ({ options: { binaryPropertyName: field } }, record: JsonObject) => {
		if (field === undefined) return { record };
		const name = toFileName(`${String(record.subject).replaceAll(': ', ' - ')}.html`);
		const content = Buffer.from(String(record.html));
		return { record, file: { field, name, mimeType: 'text/html', content } };
	},
});
