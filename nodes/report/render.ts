import type { Format } from './format';
import type { Bar, Columns, ReportPage, Section, Table, Tile } from './page';

/** Dark on light, with enough contrast if a mail program turns the colours over. */
const INK = '#1b2333';
const SOFT = '#5d677a';
const PAPER = '#ffffff';
const CARD = '#f4f6f9';
const LINE = '#dfe3ea';
const BEFORE = '#b4bfd0';
const WEEKEND = '#e8ecf2';
const GOOD = '#13795b';
const BAD = '#b3261e';

const FONT = 'font-family:Arial,Helvetica,sans-serif;';
/** Height of each half of the drawing, in pixels. */
const HALF = 60;

/**
 * The report as a page that mail programs show: tables with inline styles and literal colours. Gmail,
 * Outlook and Apple Mail drop style sheets, scripts, SVG and most of modern CSS. n8n's HTML node shows no
 * attribute but style, so what the page needs stands there. Every text is escaped.
 */
export function renderHtml(page: ReportPage): string {
	const { language, title, subtitle, sentence, accent, logo, intro, footer, sections } = page;
	const body = [
		logo === undefined ? '' : row(picture(logo), '24px 24px 0'),
		row(
			paragraph(title, `font-size:26px;line-height:32px;font-weight:bold;color:${INK};`) +
				paragraph(subtitle, `font-size:15px;line-height:22px;color:${SOFT};`),
			'24px 24px 8px',
		),
		intro === undefined ? '' : row(paragraph(intro, TEXT), '8px 24px'),
		sentence === undefined ? '' : row(paragraph(sentence, LEAD), '4px 24px 8px'),
		...sections.map((section) => row(renderSection(section, accent), '16px 24px 8px')),
		footer === undefined ? '' : row(paragraph(footer, SMALL), '24px 24px 24px'),
		row('&nbsp;', '0 0 8px'),
	].join('');
	const inner = `<table role="presentation" align="center" width="640" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:640px;background-color:${PAPER};border-top:4px solid ${accent};">${body}</table>`;
	return `<!DOCTYPE html><html lang="${escapeHtml(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light"><title>${escapeHtml(title)}</title></head><body bgcolor="${CARD}" style="margin:0;padding:0;background-color:${CARD};">${fullTable(`<tr><td align="center" bgcolor="${CARD}" style="padding:16px 8px;background-color:${CARD};">${inner}</td></tr>`)}</body></html>`;
}

const TEXT = `font-size:15px;line-height:22px;color:${INK};`;
const LEAD = `font-size:18px;line-height:26px;color:${INK};`;
const SMALL = `font-size:13px;line-height:19px;color:${SOFT};`;

/** Escapes text for HTML, also inside an attribute. Characters that HTML forbids become spaces. */
const escapeHtml = (text: string): string =>
	text
		.replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, ' ')
		.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const MARK = `${FONT}font-size:10px;line-height:16px;color:${SOFT};`;

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
		paragraph(
			title,
			`padding-bottom:6px;font-size:17px;line-height:24px;font-weight:bold;color:${INK};`,
		),
		tiles === undefined ? '' : renderTiles(tiles),
		columns === undefined ? '' : renderColumns(columns, accent),
		bars === undefined ? '' : fullTable(bars.map((bar) => renderBar(bar, accent)).join('')),
		table === undefined ? '' : renderTable(table),
		...notes.map((note) => paragraph(note, `padding-top:8px;${SMALL}`)),
	].join('');
}

/** Two beside each other: that fits a phone, and needs no style sheet. */
function renderTiles(tiles: Tile[]): string {
	const pairs = tiles.flatMap((_, at) => (at % 2 === 0 ? [tiles.slice(at, at + 2)] : []));
	return fullTable(
		pairs.map((pair) => `<tr>${pair.map(renderTile).join(GAP)}</tr>${SPACE}`).join(''),
	);
}

const GAP = '<td width="8" style="width:8px;font-size:1px;">&nbsp;</td>';
const SPACE =
	'<tr><td height="8" style="height:8px;line-height:8px;font-size:1px;">&nbsp;</td></tr>';

function renderTile({ label, value, change, isGood }: Tile): string {
	const colour = isGood === undefined ? SOFT : isGood ? GOOD : BAD;
	return `<td width="49%" valign="top" bgcolor="${CARD}" style="width:49%;padding:12px 14px;background-color:${CARD};vertical-align:top;">${paragraph(label, `font-size:14px;line-height:20px;color:${SOFT};`)}${paragraph(value, `font-size:24px;line-height:32px;font-weight:bold;color:${INK};`)}${change === undefined ? '' : paragraph(change, `font-size:13px;line-height:19px;color:${colour};`)}</td>`;
}

/** Each half of the drawing is a row, so that a line between them shows the scale. */
function renderColumns({ legend, entries }: Columns, accent: string): string {
	const most = Math.max(...entries.flatMap(({ now, before = 0 }) => [now, before]));
	const half = evenNumber(most / 2);
	const key = [
		swatch(accent, legend.now),
		...(legend.before === undefined ? [] : [swatch(BEFORE, legend.before)]),
		...(legend.weekend === undefined ? [] : [swatch(WEEKEND, legend.weekend)]),
	].join('');
	const rows = [half, 0].map((from) => {
		const bars = entries.map(({ label, now, before, isWeekend = false }) => {
			const shade = isWeekend ? `background-color:${WEEKEND};` : '';
			const cell = `<td style="padding:0 0 0 1px;border-top:1px solid ${LINE};vertical-align:bottom;${shade}"`;
			const title = from === 0 ? ` title="${escapeHtml(label)}"` : '';
			const other =
				before === undefined ? '' : `${cell}>${bar((before - from) / half, BEFORE)}</td>`;
			return `${cell}${title}>${bar((now - from) / half, accent)}</td>${other}`;
		});
		return `<tr>${scale(String(from + half))}${bars.join('')}</tr>`;
	});
	const marks = entries.map(
		({ mark }) =>
			`<td style="${MARK}padding:0;text-align:center;white-space:nowrap;">${escapeHtml(mark)}</td>`,
	);
	return (
		`<div style="${FONT}padding-bottom:4px;${SMALL}">${key}</div>` +
		fullTable(rows.join(''), 'table-layout:fixed;') +
		fullTable(`<tr>${scale('', 16)}${marks.join('')}</tr>`, 'table-layout:fixed;')
	);
}

const scale = (value: string, height = HALF) =>
	`<td style="${MARK}width:36px;height:${height}px;padding:0 4px 0 0;text-align:right;vertical-align:top;">${value}</td>`;

/** The part of a bar in one half of the drawing. It is as short as can be, because a page has hundreds. */
function bar(share: number, colour: string): string {
	const height = Math.round(Math.min(share, 1) * HALF);
	if (height <= 0) return '';
	return `<table style="width:100%;border-collapse:collapse;"><tr><td style="height:${height}px;padding:0;background-color:${colour};font-size:1px;line-height:1px;">&nbsp;</td></tr></table>`;
}

/** The next number that people count in, such as 4, 25 or 300. */
function evenNumber(least: number): number {
	const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, least))));
	const steps = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].map((step) => step * unit);
	return steps.find((step) => step >= least && Number.isInteger(step))!;
}

const swatch = (colour: string, label: string) =>
	`<span style="background-color:${colour};color:${colour};font-size:10px;">&nbsp;&nbsp;&nbsp;</span>&nbsp;${escapeHtml(label)}&nbsp;&nbsp; `;

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

/**
 * The report in plain words, for Slack and for mail programs that show no HTML. Of a drawing over time it has
 * only the note, which names the highest bar: nobody reads 31 lines of numbers.
 */
export function renderText(page: ReportPage, format: Format): string {
	const { title, subtitle, intro, sentence, footer } = page;
	const sections = page.sections.map((section) => textOfSection(section, format));
	return [`${title}\n${subtitle}`, intro, sentence, ...sections, footer]
		.filter(Boolean)
		.join('\n\n');
}

function textOfSection(section: Section, { pair }: Format): string {
	const { title, tiles = [], bars = [], table, notes } = section;
	return [
		title,
		...tiles.map(({ label, value, change }) => pair(label, change ? `${value}, ${change}` : value)),
		...bars.map(({ label, value }) => pair(label, value)),
		...(table?.rows ?? []).map((row) =>
			row.map((cell, at) => (table?.head[at] ? pair(table.head[at], cell) : cell)).join(', '),
		),
		...notes,
	].join('\n');
}
