/** A row of a table. A line break or a bar inside a cell would end it. */
const row = (cells: string[]) =>
	`| ${cells.map((cell) => cell.replace(/\s*\n\s*/g, ' ').replaceAll('|', '\\|')).join(' | ')} |\n`;

export const table = (head: string[], rows: string[][]): string =>
	[row(head), `${'|---'.repeat(head.length)}|\n`, ...rows.map(row)].join('');

/** The name under which GitHub links to a heading. */
export const anchorOf = (heading: string): string =>
	heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N}\s_-]/gu, '')
		.trim()
		.replace(/\s/g, '-');

/** A link to a heading, of the same page if none is named. */
export const linkTo = (heading: string, label = heading, page = ''): string =>
	`[${label}](${page}#${anchorOf(heading)})`;

/** A text of the editor, which may hold HTML links, as Markdown. */
export const fromHtml = (text: string): string =>
	text
		.replace(/<a href="([^"]+)"[^>]*>([^<]+)<\/a>/g, '[$2]($1)')
		.replace(/<br\s*\/?>/g, ' ')
		.replace(/[<>]/g, (sign) => (sign === '<' ? '&lt;' : '&gt;'));
