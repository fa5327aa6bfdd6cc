import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it, vi } from 'vitest';

import { ROOT } from '../support/root.ts';

// recheck runs in this process. Its other ways start a program for one kind of machine.
vi.stubEnv('RECHECK_BACKEND', 'pure');
const { checkSync } = await import('recheck');

/** A regular expression in the code. */
interface Pattern {
	source: string;
	flags: string;
}

/** The regular expressions of a source. */
function patternsIn(code: string): Pattern[] {
	const found: Pattern[] = [];
	const visit = (node: ts.Node) => {
		if (ts.isRegularExpressionLiteral(node)) {
			const end = node.text.lastIndexOf('/');
			found.push({ source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
		}
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile('', code, ts.ScriptTarget.Latest));
	return found;
}

const SOURCES = ['nodes', 'credentials'].flatMap((folder) =>
	readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.map((name) => join(folder, name)),
);

const codeOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Without time limits and with a fixed seed, the answer is the same on a busy machine. */
const UNHURRIED = {
	timeout: null,
	attackTimeout: null,
	incubationTimeout: null,
	randomSeed: 1,
} as const;

/** Whether the time for a text may grow faster than the text. */
const isSlow = ({ source, flags }: Pattern) =>
	checkSync(source, flags, UNHURRIED).status !== 'safe';

/** Only a part that repeats without a bound can be slow. */
const repeats = ({ source }: Pattern) => /[*+]|,\}/.test(source);

/** The patterns that were found safe, one on each line. `npx vitest run patterns -u` writes it. */
const LISTING = join(ROOT, 'test/package/patterns.txt');

const textOf = ({ source, flags }: Pattern) => `/${source}/${flags}`;

describe('text from outside stops n8n at no pattern:', () => {
	const patterns = SOURCES.flatMap((path) => patternsIn(codeOf(path))).filter(repeats);

	it('the time for each one grows no faster than the text', async () => {
		expect(patterns.length).toBeGreaterThan(20);
		// Looking at one takes a second, so those that were looked at are looked at again weekly only.
		const known = process.env.WEEKLY ? [] : readFileSync(LISTING, 'utf8').split('\n');
		const slow = patterns.filter((one) => !known.includes(textOf(one)) && isSlow(one));
		expect(slow.map(textOf)).toEqual([]);
		const texts = [...new Set(patterns.map(textOf))].sort();
		await expect(`${texts.join('\n')}\n`).toMatchFileSnapshot(LISTING);
	});

	it('each one stands in the code as a whole, so that it can be checked', () => {
		const composing = SOURCES.filter((path) => /\bRegExp\(/.test(codeOf(path)));
		expect(composing).toEqual([]);
	});
});
