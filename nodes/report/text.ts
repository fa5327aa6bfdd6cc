import type { ReportPage, Section } from './page';

/** The same report in plain words, for Slack and for mail programs that show no HTML. */
export function renderText({ title, subtitle, intro, footer, sections }: ReportPage): string {
	return [`${title}\n${subtitle}`, intro, ...sections.map(renderSection), footer]
		.filter((part): part is string => part !== undefined && part !== '')
		.join('\n\n');
}

function renderSection({ title, tiles = [], columns, bars = [], table, notes }: Section): string {
	return [
		title,
		...tiles.map(({ label, value, change }) => `${label}: ${value}${change ? ` (${change})` : ''}`),
		...(columns?.entries ?? []).map(({ label }) => label),
		...bars.map(({ label, value }) => `${label}: ${value}`),
		...(table?.rows ?? []).map((row) =>
			row.map((cell, at) => `${table?.head[at]}: ${cell}`).join(', '),
		),
		...notes,
	].join('\n');
}
