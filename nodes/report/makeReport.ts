import { DateTime } from 'luxon';

import { tidy, type JsonObject } from '../json';
import { periodsOf } from '../statistics/tabulate';
import type { RunContext } from '../table/operation';
import { formatIn } from './format';
import { renderHtml } from './html';
import type { ReportPage } from './page';
import { readSections } from './readSections';
import type { ReportInput } from './reportForm';
import { renderText } from './text';

/**
 * Reads the account and makes the report: the page, the same as text, and the figures.
 * @throws Error if no section could be read
 */
export async function makeReport(
	{ within, compare, sections: wanted, title, options }: ReportInput,
	context: RunContext,
): Promise<JsonObject> {
	const { accent, language, logo, intro, footer, agent_id, call_status, firstDay } = options;
	const periods = periodsOf({ ...within, firstDay }, compare, context.now);
	const format = formatIn(language);
	const { labels } = format;
	const { sections, figures, failed } = await readSections(context, {
		periods,
		wanted,
		filters: { agent_id, call_status },
		format,
	});
	const { chosen, before } = periods;
	const shown = format.period(chosen.start, DateTime.min(chosen.end, context.now));
	const page: ReportPage = {
		language,
		title: title ?? labels.title,
		subtitle: before
			? `${shown}, ${labels.comparedWith} ${format.period(before.start, before.end)}`
			: shown,
		...{ accent, logo, intro, footer, sections },
	};
	return {
		subject: tidy(format.pair(page.title, shown).replace(/\s+/g, ' ')),
		html: renderHtml(page),
		text: renderText(page, format),
		period_start: chosen.start.toISO(),
		period_end: chosen.end.toISO(),
		figures,
		failed_sections: failed,
	};
}
