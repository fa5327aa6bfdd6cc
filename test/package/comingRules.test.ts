import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { builtNodes } from '../support/built.ts';
import { ROOT } from '../support/root.ts';

// Rules of n8n's lint that stand in its repository, and in no version on npm yet (0.32.0). Once
// package.json pins a version that has them, this file can go. `npm run newest -- lint` tells.

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** https://docs.n8n.io/connect/create-nodes/build-your-node/reference/codex-files/#node-categories */
const CATEGORIES = [
	'Data & Storage',
	'Finance & Accounting',
	'Marketing & Content',
	'Productivity',
	'Miscellaneous',
	'Sales',
	'Development',
	'Analytics',
	'Communication',
	'Utility',
];

describe.each(builtNodes)('$className', ({ path, describe: describeNode }) => {
	const { properties, credentials = [], icon } = describeNode();

	it('uses one credential at a time', () => {
		const conditions = credentials.map(({ displayOptions }) => displayOptions?.show);
		const values = conditions.map((show) => JSON.stringify(show?.authentication));
		expect(conditions.map((show) => Object.keys(show ?? {}))).toEqual(
			credentials.map(() => ['authentication']),
		);
		expect(new Set(values).size).toBe(credentials.length);
		expect(credentials).toEqual(builtNodes[0]!.describe().credentials);
	});

	it('has no JSON that may be left out, but the body of any request', () => {
		const open = properties.filter(({ type, required }) => type === 'json' && !required);
		expect(open.filter(({ name }) => name !== 'body')).toEqual([]);
	});

	it('stands in categories that n8n knows', () => {
		const codex = path.replace(/^dist\//, '').replace(/\.js$/, '.json');
		const { categories } = JSON.parse(read(codex)) as { categories: string[] };
		expect(categories.length).toBeGreaterThan(0);
		expect(CATEGORIES).toEqual(expect.arrayContaining(categories));
	});

	it.each([
		['light', '#ffffff'],
		['dark', '#2b2b2b'],
	] as const)('has an icon that stands out on %s (three to one)', (theme, background) => {
		const file = (icon as Record<'light' | 'dark', string>)[theme].replace(/^file:(\.\.\/)*/, '');
		const colours = [...read(file).matchAll(/(?:fill|stroke)="(#\w+)"/g)].map(([, one]) => one!);
		expect(Math.max(...colours.map((one) => contrast(one, background)))).toBeGreaterThan(3);
	});
});

/** The contrast of two colours, as WCAG has it. */
function contrast(one: string, other: string): number {
	const [bright, dim] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [
		number,
		number,
	];
	return (bright + 0.05) / (dim + 0.05);
}

function luminance(colour: string): number {
	const digits = colour.slice(1).replace(/^(.)(.)(.)$/, '$1$1$2$2$3$3');
	const [red, green, blue] = (digits.match(/../g) ?? []).map((pair) => {
		const share = Number.parseInt(pair, 16) / 255;
		return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
	}) as [number, number, number];
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
