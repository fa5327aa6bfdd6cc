import type { ReportPage, Section } from './page';

/**
 * The report in plain words, for Slack and for mail programs that show no HTML. Of a drawing over time it has
 * only the note, which names the highest bar: nobody reads 31 lines of numbers.
 */
export function renderText({ title, subtitle, intro, footer, sections }: ReportPage): string {
	return [`${title}\n${subtitle}`, intro, ...sections.map(renderSection), footer]
		.filter((part): part is string => part !== undefined && part !== '')
		.join('\n\n');
}

function renderSection({ title, tiles = [], bars = [], table, notes }: Section): string {
	return [
		title,
		...tiles.map(({ label, value, change }) => `${label}: ${value}${change ? ` (${change})` : ''}`),
		...bars.map(({ label, value }) => `${label}: ${value}`),
		...(table?.rows ?? []).map((row) =>
			row.map((cell, at) => `${table?.head[at]}: ${cell}`).join(', '),
		),
		...notes,
	].join('\n');
}
