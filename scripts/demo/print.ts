/** A column is aligned to the right if every cell of it is a number. */
export type Cell = string | number | undefined;

const INDENT = '   ';

const textOf = (cell: Cell) =>
	typeof cell === 'number' ? cell.toLocaleString('en') : (cell ?? '');

/** Rows below their titles. Columns without any value are left out. */
export function table(titles: string[], rows: Cell[][]): string[] {
	const columns = titles
		.map((title, index) => ({ title, cells: rows.map((row) => row[index]) }))
		.filter(({ cells }) => cells.some((cell) => textOf(cell) !== ''))
		.map(({ title, cells }) => {
			const texts = [title, ...cells.map(textOf)];
			const width = Math.max(...texts.map(({ length }) => length));
			const isNumeric = cells.every((cell) => typeof cell === 'number');
			return texts.map((text) => (isNumeric ? text.padStart(width) : text.padEnd(width)));
		});
	return [titles, ...rows].map((_, index) =>
		(INDENT + columns.map((texts) => texts[index]).join('   ')).trimEnd(),
	);
}

export const amount = (count: number, one: string) =>
	`${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`;

export const seconds = (ms: number) => `${(ms / 1000).toFixed(ms < 9_950 ? 2 : 1)} s`;

/** Text on one line, cut if it is too long. */
export function short(value: unknown, length = 66): string {
	const text = typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : '';
	return text.length > length ? `${text.slice(0, length - 2).trimEnd()} …` : text;
}
