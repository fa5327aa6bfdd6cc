import { toFileName } from '../domain/fileName';
import { operation, WithFile } from '../table/operation';
import { quoted } from '../words';
import { makeReport } from './makeReport';
import { reportForm, type ReportInput } from './reportForm';

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
	fields: reportForm,
	refuse: (inputs, _refused, _node, accounts) => sameUnderOtherTitles(inputs, accounts),
	run: async (input, context) => {
		const record = await makeReport(input, context);
		const field = input.options.binaryPropertyName;
		if (field === undefined) return record;
		const name = toFileName(`${String(record.subject).replaceAll(': ', ' - ')}.html`);
		const content = Buffer.from(String(record.html));
		return new WithFile(record, { field, name, mimeType: 'text/html', content });
	},
});

/**
 * For each report why it must not be made: the key of one client was used for others too, who would get its
 * figures under their own names. How the pages look does not matter.
 */
function sameUnderOtherTitles(
	inputs: ReportInput[],
	accounts: string[],
): Array<string | undefined> {
	const figuresOf = ({ within, options: { agent_id, call_status } }: ReportInput, at: number) =>
		JSON.stringify([accounts[at], within, agent_id, call_status]);
	const titlesOf = new Map(inputs.map((input, at) => [figuresOf(input, at), new Set<string>()]));
	inputs.forEach((input, at) => titlesOf.get(figuresOf(input, at))!.add(input.title ?? ''));
	return inputs.map((input, at) => {
		const titles = titlesOf.get(figuresOf(input, at))!;
		return titles.size > 1 ? oneKeyFor(titles) : undefined;
	});
}

const oneKeyFor = (titles: Set<string>) =>
	`Items with different titles would get the same figures, because they use the same API key: ${quoted([...titles])}. No report was made for them. Give each client its own key: choose a credential whose 'API Key' is an expression`;
