import type { Bar, Columns, ReportPage, Section, Table, Tile } from './page';

/** Dark on light, with enough contrast if a mail program turns the colours over. */
const INK = '#1b2333';
const SOFT = '#5d677a';
const PAPER = '#ffffff';
const CARD = '#f4f6f9';
const LINE = '#dfe3ea';
const BEFORE = '#b4bfd0';
const GOOD = '#13795b';
const BAD = '#b3261e';

const FONT = 'font-family:Arial,Helvetica,sans-serif;';
/** Height of the tallest bar, in pixels. */
const TALLEST = 120;

/**
 * The report as a page that mail programs show: tables with inline styles and literal colours. Gmail,
 * Outlook and Apple Mail drop style sheets, scripts, SVG and most of modern CSS. Every text is escaped.
 */
export function renderHtml(page: ReportPage): string {
	const { language, title, subtitle, accent, logo, intro, footer, sections } = page;
	const body = [
		logo === undefined ? '' : row(picture(logo), '24px 24px 0'),
		row(
			paragraph(title, `font-size:26px;line-height:32px;font-weight:bold;color:${INK};`) +
				paragraph(subtitle, `font-size:15px;line-height:22px;color:${SOFT};`),
			'24px 24px 8px',
		),
		intro === undefined ? '' : row(paragraph(intro, TEXT), '8px 24px'),
		...sections.map((section) => row(renderSection(section, accent), '16px 24px 8px')),
		footer === undefined ? '' : row(paragraph(footer, SMALL), '24px 24px 24px'),
		row('&nbsp;', '0 0 8px'),
	].join('');
	const inner = `<table role="presentation" align="center" width="640" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:640px;background-color:${PAPER};border-top:4px solid ${accent};">${body}</table>`;
	return `<!DOCTYPE html><html lang="${escapeHtml(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light"><title>${escapeHtml(title)}</title></head><body bgcolor="${CARD}" style="margin:0;padding:0;background-color:${CARD};">${fullTable(`<tr><td align="center" bgcolor="${CARD}" style="padding:16px 8px;background-color:${CARD};">${inner}</td></tr>`)}</body></html>`;
}

const TEXT = `font-size:15px;line-height:22px;color:${INK};`;
const SMALL = `font-size:13px;line-height:19px;color:${SOFT};`;

/** Escapes text for HTML, also inside an attribute. Characters that HTML forbids become spaces. */
export const escapeHtml = (text: string): string =>
	text
		.replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, ' ')
		.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const lines = (text: string) => escapeHtml(text.trim()).replace(/\r\n|\r|\n/g, '<br>');

const paragraph = (text: string, style: string) =>
	`<div style="${FONT}${style}">${lines(text)}</div>`;

const fullTable = (rows: string, style = '') =>
	`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="width:100%;border-collapse:collapse;${style}">${rows}</table>`;

const row = (content: string, padding: string) =>
	`<tr><td bgcolor="${PAPER}" style="padding:${padding};background-color:${PAPER};">${content}</td></tr>`;

const picture = (address: string) =>
	`<img src="${escapeHtml(address)}" alt="" height="40" style="height:40px;border:0;">`;

function renderSection({ title, tiles, columns, bars, table, notes }: Section, accent: string) {
	return [
		paragraph(title, `font-size:17px;line-height:24px;font-weight:bold;color:${INK};`),
		tiles === undefined ? '' : renderTiles(tiles),
		columns === undefined ? '' : renderColumns(columns, accent),
		bars === undefined ? '' : renderBars(bars, accent),
		table === undefined ? '' : renderTable(table),
		...notes.map((note) => paragraph(note, `padding-top:8px;${SMALL}`)),
	].join('');
}

/** Two beside each other: that fits a phone, and needs no style sheet. */
function renderTiles(tiles: Tile[]): string {
	const pairs = tiles.flatMap((_, at) => (at % 2 === 0 ? [tiles.slice(at, at + 2)] : []));
	return fullTable(
		pairs.map((pair) => `<tr>${pair.map(renderTile).join(GAP)}</tr>${SPACE}`).join(''),
		'padding-top:8px;',
	);
}

const GAP = '<td width="8" style="width:8px;font-size:1px;">&nbsp;</td>';
const SPACE =
	'<tr><td height="8" style="height:8px;line-height:8px;font-size:1px;">&nbsp;</td></tr>';

function renderTile({ label, value, change, isGood }: Tile): string {
	const colour = isGood === undefined ? SOFT : isGood ? GOOD : BAD;
	return `<td width="49%" valign="top" bgcolor="${CARD}" style="width:49%;padding:12px 14px;background-color:${CARD};vertical-align:top;">${paragraph(label, `font-size:14px;line-height:20px;color:${SOFT};`)}${paragraph(value, `font-size:24px;line-height:32px;font-weight:bold;color:${INK};`)}${change === undefined ? '' : paragraph(change, `font-size:13px;line-height:19px;color:${colour};`)}</td>`;
}

function renderColumns({ legend, entries }: Columns, accent: string): string {
	const most = Math.max(1, ...entries.flatMap(({ now, before = 0 }) => [now, before]));
	const cells = entries.map(({ label, now, before }) => {
		const own = column(now / most, accent);
		const other = before === undefined ? '' : column(before / most, BEFORE);
		return `<td valign="bottom" title="${escapeHtml(label)}" style="vertical-align:bottom;padding:0 1px;">${fullTable(`<tr>${own}${other}</tr>`)}</td>`;
	});
	const marks = entries.map(
		({ mark }) =>
			`<td align="center" style="${FONT}font-size:10px;line-height:16px;color:${SOFT};text-align:center;">${escapeHtml(mark)}</td>`,
	);
	const key = [
		swatch(accent, legend.now),
		legend.before === undefined ? '' : swatch(BEFORE, legend.before),
	].join('');
	return (
		`<div style="${FONT}padding-bottom:4px;${SMALL}">${key}</div>` +
		fullTable(
			`<tr>${cells.join('')}</tr><tr>${marks.join('')}</tr>`,
			`table-layout:fixed;border-bottom:1px solid ${LINE};`,
		)
	);
}

function column(share: number, colour: string): string {
	const height = Math.round(share * TALLEST);
	if (height === 0) return '<td style="font-size:1px;line-height:1px;">&nbsp;</td>';
	return `<td valign="bottom" style="vertical-align:bottom;font-size:1px;line-height:1px;">${fullTable(`<tr><td height="${height}" bgcolor="${colour}" style="height:${height}px;background-color:${colour};font-size:1px;line-height:1px;">&nbsp;</td></tr>`)}</td>`;
}

const swatch = (colour: string, label: string) =>
	`<span style="background-color:${colour};color:${colour};font-size:10px;">&nbsp;&nbsp;&nbsp;</span>&nbsp;${escapeHtml(label)}&nbsp;&nbsp; `;

const renderBars = (bars: Bar[], accent: string) =>
	fullTable(bars.map((bar) => renderBar(bar, accent)).join(''));

function renderBar({ label, value, share }: Bar, accent: string): string {
	const width = Math.min(100, Math.max(1, Math.round(share * 100)));
	const rest =
		width === 100 ? '' : `<td width="${100 - width}%" style="font-size:1px;">&nbsp;</td>`;
	const bar =
		share <= 0
			? '&nbsp;'
			: fullTable(
					`<tr><td width="${width}%" height="14" bgcolor="${accent}" style="width:${width}%;height:14px;background-color:${accent};font-size:1px;line-height:14px;">&nbsp;</td>${rest}</tr>`,
				);
	return `<tr><td width="34%" style="${FONT}${TEXT}width:34%;padding:4px 8px 4px 0;">${escapeHtml(label)}</td><td style="padding:4px 0;font-size:1px;">${bar}</td><td width="22%" align="right" style="${FONT}${TEXT}width:22%;padding:4px 0 4px 8px;text-align:right;white-space:nowrap;">${escapeHtml(value)}</td></tr>`;
}

function renderTable({ head, rows }: Table): string {
	const cell = (tag: 'th' | 'td', style: string) => (text: string, at: number) => {
		const side = at === 0 ? 'left' : 'right';
		return `<${tag} align="${side}" style="${FONT}${style}padding:6px ${at === 0 ? '8px 6px 0' : '0 6px 8px'};border-bottom:1px solid ${LINE};text-align:${side};">${escapeHtml(text)}</${tag}>`;
	};
	const headCell = cell('th', `font-size:13px;line-height:19px;font-weight:normal;color:${SOFT};`);
	const bodyCell = cell('td', TEXT);
	return fullTable(
		`<tr>${head.map(headCell).join('')}</tr>${rows.map((each) => `<tr>${each.map(bodyCell).join('')}</tr>`).join('')}`,
	);
}
