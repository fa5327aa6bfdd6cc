import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';

import { MISTAKES, withMistake } from '../mistakes/main.ts';
import { builtNodes } from '../support/built.ts';
import { loadPackage } from '../support/harness.ts';
import { readManifest, ROOT } from '../support/root.ts';
import { pages } from '../../scripts/docs/docs.ts';
import { anchorOf } from '../../scripts/docs/markdown.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const readme = read('README.md');

const pagesIn = (folder: string) =>
	readdirSync(join(ROOT, folder))
		.filter((name) => name.endsWith('.md'))
		.map((name) => `${folder}/${name}`);

/** The pages for users. */
const docs = pagesIn('docs');

const markdown = [
	...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
	...docs,
	...pagesIn('docs/operations'),
	...pagesIn('docs/development'),
	'examples/README.md',
];

const repository = String((readManifest().homepage as string).replace(/#.*$/, ''));

/** The addresses that a page links to, pictures too; code is left out. */
const linksOf = (text: string) =>
	[
		...text
			.replace(/```[^]*?```|`[^`\n]*`/g, '')
			.matchAll(/\]\(([^)\s]+)\)|<img [^>]*src="([^"]+)"/g),
	].map(([, link, picture]) => (link ?? picture)!);

const anchorsOf = (path: string) =>
	read(path)
		.replace(/```[^]*?```/g, '')
		.split('\n')
		.filter((line) => /^#+ /.test(line))
		.map((line) => anchorOf(line.replace(/^#+ /, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')));

/** Whether a link of a page leads somewhere: to a file of the repository, and a heading in it. */
function resolves(link: string, from: string): boolean {
	const own = `${repository}/blob/main/`;
	if (/^[a-z]+:/.test(link) && !link.startsWith(own)) return true;
	const [path = '', anchor] = link.replace(own, '/').split('#') as [string, string?];
	const target =
		path === '' ? from : path.startsWith('/') ? path.slice(1) : posix.join(dirname(from), path);
	if (!existsSync(join(ROOT, target))) return false;
	return anchor === undefined || anchorsOf(target).includes(anchor);
}

it.each(await pages())('$path is what `npm run docs` makes of it', ({ present, wanted }) => {
	expect(present).toBe(wanted);
});

it('README leads to every page', () => {
	const links = linksOf(readme).map((link) => link.replace(/#.*/, ''));
	expect(
		[...docs, 'examples/README.md', 'SECURITY.md'].filter((page) => !links.includes(page)),
	).toEqual([]);
});

it.each(markdown)('every link of %s leads somewhere', (path) => {
	expect(linksOf(read(path)).filter((link) => !resolves(link, path))).toEqual([]);
});

it('the links of the editor lead to pages of the repository', async () => {
	const { credentialTypes } = await loadPackage();
	const linking = [
		...builtNodes.map(({ describe: node }) => node()),
		...Object.values(credentialTypes),
	];
	for (const { name, documentationUrl = '' } of linking) {
		expect(documentationUrl, name).toContain(`${repository}/blob/main/docs/`);
		expect(resolves(documentationUrl, 'README.md'), documentationUrl).toBe(true);
	}
});

/** What n8n says, and not this package. */
const OF_N8N = ['Connection tested successfully'];

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

describe('the mistakes that the weekly run makes', () => {
	it('break each promise, and each row of Limits that guarantees something', () => {
		const promises = readdirSync(join(ROOT, 'test/promises')).flatMap((name) =>
			[...read(`test/promises/${name}`).matchAll(/^describe\('(\d)\. /gm)].map(([, at]) => at!),
		);
		const limits = read('docs/limits.md').matchAll(/^\| (.+?) \| (.+?) \|/gm);
		const rows = [...limits].filter(([, subject, held]) => subject !== 'Subject' && held !== '–');
		expect(rows.length).toBeGreaterThan(20);
		const broken = MISTAKES.map(({ row }) => row).sort();
		const promised = [...promises, ...rows.map(([, subject]) => subject!)].sort();
		expect([...new Set(broken)]).toEqual([...new Set(promised)]);
	});

	it.each(MISTAKES)('$row: $path has "$find" once, and $test exists', (mistake) => {
		expect(withMistake(mistake)).not.toBe(read(mistake.path));
		expect(existsSync(join(ROOT, mistake.test))).toBe(true);
	});
});
