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
		'Create a report for a client as HTML for an email, as text for a chat, and as figures',
	hint: 'One item in, one report out. Send html with a mail node and text with a chat node; subject is the subject of the mail. For many clients, put one item per client in front.',
	request: 'GET /call-history',
	isAny: true,
	fields: reportForm,
	refuse: (inputs, _refused, _node, accounts) => sameUnderOtherTitles(inputs, accounts),
	// A report is drawn by code of its own, which is loaded with the first one.
	run: async (input, call) => await (await import('./makeReport')).makeReport(input, call),
	deliver: async ({ options: { binaryPropertyName: field } }, record: JsonObject) => {
		if (field === undefined) return { record };
		const name = toFileName(`${String(record.subject).replaceAll(': ', ' - ')}.html`);
		const content = Buffer.from(String(record.html));
		return { record, file: { field, name, mimeType: 'text/html', content } };
	},
});

/**
 * Why these reports must not be made: the key of one client was used for others too, who would get its
 * figures under their own names.
 */
function sameUnderOtherTitles(
	inputs: Array<{ title?: string }>,
	accounts: string[],
): string | undefined {
	const titles = new Map<string, string | undefined>();
	for (const [at, { title, ...others }] of inputs.entries()) {
		const same = JSON.stringify([accounts[at], others]);
		if (titles.has(same) && titles.get(same) !== title) return ONE_KEY;
		titles.set(same, title);
	}
	return undefined;
}

const ONE_KEY =
	"Items with different titles would get the same report, because they use the same API key. No report was made. Choose a credential whose 'API Key' is an expression that gives each client's own key. For several readers of one account, make one report";
