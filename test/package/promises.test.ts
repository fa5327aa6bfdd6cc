// Each promise of the pages has a test. A promise is a sentence that says what the package does, or never
// does, or a bound. In the page, an invisible mark `<!-- P12 -->` follows it; `[P12]` stands in the title of
// each test that tries to break it. A sentence and a test may have several marks.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { ROOT } from '../support/root.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** `docs/operations.md` is made from the nodes, whose texts are tested with the operations. */
const PAGES = [
	'README.md',
	'SECURITY.md',
	...readdirSync(join(ROOT, 'docs'))
		.filter((name) => name.endsWith('.md') && name !== 'operations.md')
		.map((name) => `docs/${name}`),
];

/** Words that make a sentence a promise. */
const PROMISE =
	/\b([Nn]ever|[Aa]lways|[Ee]ach|[Ee]very|[Oo]nce|twice|exactly|[Oo]nly|at most|[Uu]p to|[Nn]othing|[Nn]obody|lost|keeps|refuse[sd]?)\b/;

/** Every point under these headings is a promise, whatever its words. */
const SECTIONS = [
	/^What the package does/,
	/^The trigger\n/,
	/^Promises/,
	/^What you can rely on/,
	/^No call is placed twice/,
];

/** Sentences with such a word that promise nothing: questions, and what the reader should do … */
const ADVICE = /\?$|^(choose|give|import|set)\b/i;

/** … and others: where they begin, and why. */
const NO_PROMISE: ReadonlyArray<readonly [start: string, reason: string]> = [
	['n8n Cloud installs only verified packages', 'a fact of n8n'],
	['10,000 calls are read', 'measured by the benchmark, and no test may depend on time'],
	['Only the newest version gets fixes', 'a rule of the project, and not of the code'],
];

const MARK = /<!-- P(\d+) -->/g;

const numbersIn = (text: string, mark: RegExp) =>
	[...text.matchAll(mark)].map(([, number]) => Number(number));

/** The lines of a page that are written by hand, without code and headings. */
const linesOf = (path: string) =>
	read(path)
		.replace(/```[^]*?```|<!-- (\w+): npm run docs[^]*?<!-- \/\1 -->/g, '')
		.split('\n')
		.filter((line) => !/^#|^\|[-|]+$/.test(line));

/**
 * The sentences of a line, each with its marks. A cell of a table ends a sentence, too. What has no full
 * stop is a label, or a message of the node.
 */
const sentencesOf = (line: string) =>
	line
		.split(/(?<=[.!?]\**(?: <!-- P\d+ -->)*) (?!<!-- P)|\s\|\s/)
		.map((text) => text.replace(/^[\s|>*-]+|^\d+\. |[\s|]+$/g, ''))
		.filter((text) => /[.!?:]\**( <!-- P\d+ -->)*$/.test(text));

const isMarked = (text: string) => numbersIn(text, MARK).length > 0;

const tests = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
	.filter(
		(path) => /\.test\.ts$|^e2e\/(parts|examples)\//.test(path) && !path.startsWith('e2e/hosts'),
	)
	.map((path) => ({ path, text: read(join('test', path)) }));

const numbersOfTests = (among: typeof tests) =>
	new Set(among.flatMap(({ text }) => numbersIn(text, /\[P(\d+)\]/g)));

const tested = numbersOfTests(tests);

/** Those that `npm test` runs. */
const usual = tests.filter(({ path }) => !path.startsWith('e2e/'));

const promised = new Set(PAGES.flatMap((path) => numbersIn(read(path), MARK)));

it('each promise of the pages has a test, whose title names its number', () => {
	expect([...promised].filter((number) => !tested.has(number))).toEqual([]);
});

it('npm test runs a test of each promise of SECURITY.md, and leaves no test out', () => {
	const run = numbersOfTests(usual);
	expect(numbersIn(read('SECURITY.md'), MARK).filter((number) => !run.has(number))).toEqual([]);
	const left = /\b(it|test|describe)(\.\w+)*\.(skip|todo|only|fails)\b/;
	expect(usual.filter(({ text }) => left.test(text)).map(({ path }) => path)).toEqual([]);
});

it('each number in the title of a test is that of a promise', () => {
	expect([...tested].filter((number) => !promised.has(number))).toEqual([]);
});

it.each(PAGES)('each sentence of %s that promises something has a mark', (path) => {
	const bare = linesOf(path)
		.flatMap(sentencesOf)
		.filter((text) => PROMISE.test(text) && !isMarked(text))
		.filter((text) => !ADVICE.test(text) && !NO_PROMISE.some(([start]) => text.startsWith(start)));
	const advice =
		'Write <!-- P12 --> after each, and [P12] in the title of the test that tries to break it';
	expect(bare, advice).toEqual([]);
});

it('each point of a list of promises has a mark', () => {
	const sections = PAGES.flatMap((path) => read(path).split(/^#+ /m));
	const lists = SECTIONS.map((heading) => sections.find((text) => heading.test(text)) ?? '');
	expect(lists).not.toContain('');
	const points = lists.flatMap((text) => text.split('\n').filter((line) => /^- /.test(line)));
	expect(points.filter((point) => !isMarked(point))).toEqual([]);
});

it('each sentence that is excused is still there', () => {
	const all = PAGES.flatMap(linesOf).flatMap(sentencesOf);
	expect(NO_PROMISE.filter(([start]) => !all.some((text) => text.startsWith(start)))).toEqual([]);
});

/** What n8n says, and not this package. */
const OF_N8N = [
	'Connection tested successfully',
	'ENOTFOUND',
	'ECONNREFUSED or ETIMEDOUT',
	'EPROTO',
];

it.each(['docs/troubleshooting.md', 'docs/credentials.md'])(
	'each message that %s explains is one that the node shows',
	(path) => {
		const code = ['nodes', 'credentials'].flatMap((folder) =>
			readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
				.filter((file) => file.endsWith('.ts'))
				.map((file) => read(join(folder, file))),
		);
		const said = code.join().replaceAll("\\'", "'");
		const tables = read(path).matchAll(/^\| Message .*\n\|[-|]+\n((?:\|.*\n)+)/gm);
		const messages = [...tables].flatMap(([, rows = '']) =>
			[...rows.matchAll(/^\| (.*?) \| /gm)].map(([, cell = '']) => cell),
		);
		expect(messages.length).toBeGreaterThan(5);
		// A status or a remark stands in brackets; "…" stands for what differs.
		const isSaid = (message: string) =>
			message
				.replaceAll('\\|', '|')
				.replace(/ \(.*?\)$/, '')
				.split(/…|;/)
				.every((part) => said.includes(part.trim()));
		const unknown = messages.filter((message) => !OF_N8N.includes(message) && !isSaid(message));
		expect(unknown).toEqual([]);
	},
);
