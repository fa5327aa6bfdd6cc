import { DateTime } from 'luxon';

import { toFileName } from '../domain/fileName';
import { tidy } from '../json';
import { periodsOf } from '../statistics/tabulate';
import { operation, type Resource } from '../table/operation';
import { WithFile, type RowApi } from '../table/rowApi';
import { filled, formatIn } from './format';
import type { ReportPage } from './page';
import { readSections } from './readSections';
import { reportForm, type ReportInput } from './reportForm';
import { renderHtml, renderText } from './render';

/** The API has no reports: the node makes them of what it has. */
export const report: Resource = {
	name: 'Report',
	description: 'Reports for clients, ready to be sent',
	operations: {
		create: operation({
			name: 'Create',
			action: 'Create report',
			description:
				'Create a report for a client as HTML for an email, as text for a chat, and as figures',
			hint: 'One item in, one report out. Send html with a mail node and text with a chat node; subject is the subject of the mail. For many clients, put one item per client in front.',
			request: 'GET /call-history',
			fields: reportForm,
			run: async (input, api) => {
				const report = await makeReport(input, api);
				const { subject, text } = report;
				const record = input.textOnly ? { subject, text } : report;
				const field = input.options.binaryPropertyName;
				if (field === undefined) return record;
				const name = toFileName(`${subject.replaceAll(': ', ' - ')}.html`);
				const content = Buffer.from(report.html);
				return new WithFile(record, { field, name, mimeType: 'text/html', content });
			},
		}),
	},
};

async function makeReport(
	{ within, compare, sections: wanted, title, options }: ReportInput,
	api: RowApi,
) {
	const { accent, language = 'en', logo, intro, footer, firstDay } = options;
	const periods = periodsOf({ ...within, firstDay }, compare, api.now);
	const format = formatIn(language);
	const { labels } = format;
	const { sections, figures, isCompared, sentence } = await readSections(api, {
		periods,
		wanted,
		filters: options,
		format,
	});
	const { chosen, before } = periods;
	const until = DateTime.min(chosen.end, api.now);
	const shown = format.period(chosen.start, until);
	const lines = [shown + format.until(chosen.start, until)];
	if (before && isCompared) {
		const name = format.period(before.start, before.end);
		lines.push(`${labels.comparedWith} ${name}${format.until(before.start, before.end)}`);
	}
	lines.push(filled(labels.timesIn, chosen.start.zoneName!));
	const page: ReportPage = {
		language,
		title: title ?? labels.title,
		subtitle: lines.join('\n'),
		accent,
		logo,
		intro,
		footer,
		sections,
		sentence,
	};
	return {
		subject: tidy(format.pair(page.title, shown).replace(/\s+/g, ' ')),
		text: renderText(page, format),
		html: renderHtml(page),
		period_start: chosen.start.toISO(),
		period_end: chosen.end.toISO(),
		// The last, because n8n's list of fields shows each of its hundreds of figures.
		figures,
	};
}
