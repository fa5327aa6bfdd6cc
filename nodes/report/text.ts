import type { Format } from './format';
import type { ReportPage, Section } from './page';

/**
 * The report in plain words, for Slack and for mail programs that show no HTML. Of a drawing over time it has
 * only the note, which names the highest bar: nobody reads 31 lines of numbers.
 */
export function renderText(page: ReportPage, format: Format): string {
	const { title, subtitle, intro, sentence, footer } = page;
	const sections = page.sections.map((section) => renderSection(section, format));
	return [`${title}\n${subtitle}`, sentence, intro, ...sections, footer]
		.filter((part): part is string => part !== undefined && part !== '')
		.join('\n\n');
}

function renderSection(section: Section, { pair }: Format): string {
	const { title, tiles = [], bars = [], table, notes } = section;
	return [
		title,
		...tiles.map(({ label, value, change }) => pair(label, change ? `${value}, ${change}` : value)),
		...bars.map(({ label, value }) => pair(label, value)),
		...(table?.rows ?? []).map((row) =>
			row.map((cell, at) => pair(table?.head[at] ?? '', cell)).join(', '),
		),
		...notes,
	].join('\n');
}
