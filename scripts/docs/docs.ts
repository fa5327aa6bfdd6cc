// `npm run docs`: the pages, the parts of pages and the listings that are made from the built nodes and
// the tests, and the output schemas.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';

import { NAMES, RULES } from '../../nodes/api/names.ts';
import { HOSTS } from '../../test/e2e/host.ts';
import { readTested } from '../../test/e2e/tested.ts';
import { examples } from '../../test/e2e/workflows.ts';
import { builtNodes } from '../../test/support/built.ts';
import { operationsOf } from '../../test/support/description.ts';
import { readManifest, ROOT } from '../../test/support/root.ts';
import { writeSchemas } from '../../test/support/schemas.ts';
import { eventsPage } from './eventsPage.ts';
import { exampleSections, firstExamples } from './examplesPage.ts';
import { table } from './markdown.ts';
import { PURPOSES } from './jobs.ts';
import { parameterListing } from './parameters.ts';
import { NOW, pageOf, resourcePages, resources as allResources } from './resourcePages.ts';

const descriptionOf = (className: string): INodeTypeDescription =>
	builtNodes.find((node) => node.className === className)!.describe();

const choicesOf = ({ properties }: INodeTypeDescription, parameter: string) =>
	(properties.find(({ name }) => name === parameter)?.options ?? []) as INodePropertyOptions[];

const action = descriptionOf('YkVoice');
const trigger = descriptionOf('YkVoiceTrigger');

/** What one can do with each resource, with a link to its page. */
const resources = (): string =>
	table(
		['Resource', 'What you can do'],
		allResources.map(({ name, value }) => [
			`[${name}](docs/${pageOf(value)})`,
			PURPOSES[value]!.line,
		]),
	);

const events = (): string =>
	`${choicesOf(trigger, 'event')
		.map(({ name }) => `*${name}*`)
		.join(', ')}\n`;

const numbers = (): string =>
	`**${operationsOf(action).length} operations, ${choicesOf(trigger, 'event').length} trigger events and ${examples().size} ready-made workflows.**
`;

/** What ran in each n8n, as the end-to-end tests counted it. */
function tested(): string {
	const all = readTested();
	const rows = HOSTS.map(({ name, n8n, node }) => {
		const { operations, events, examples, also } = all[name]!;
		const counts = [operations, events, examples].map(String);
		return [n8n, String(Number.parseInt(node)), ...counts, capital(also)];
	});
	return table(['n8n', 'Node.js', 'Operations', 'Events', 'Examples', 'Also'], rows);
}

/** The versions of zod in package.json, such as `npm:zod@4.6.7`, oldest first. */
function zods(): string {
	const versions = Object.entries(readManifest().devDependencies)
		.filter(([name]) => /^zod(-|$)/.test(name))
		.map(([, version]) => version.replace('npm:zod@', ''));
	return `Input is also tested with zod ${new Intl.ListFormat('en-GB').format(versions.sort())}.\n`;
}

function assumptions(): string {
	const inWords = (usual: string | readonly string[]) =>
		[usual]
			.flat()
			.map((name) => `\`${name}\``)
			.join(', ');
	const rows = Object.values(NAMES)
		.map(({ label, usual, kind }) => [
			label,
			inWords(usual).replace('``', '–'),
			capital(RULES[kind]),
		])
		.sort(([one = ''], [other = '']) => one.localeCompare(other));
	return table(['What', 'Usual name', 'What to enter'], rows);
}

const capital = (text: string) => `${text[0]?.toUpperCase()}${text.slice(1)}`;

/** The parts of pages that are written here. A part stands between two comments with its name. */
const PARTS: Readonly<Record<string, Readonly<Record<string, (page: string) => string>>>> = {
	'examples/README.md': { first: () => firstExamples(), list: exampleSections },
	'README.md': {
		first: () => firstExamples('examples/'),
		resources,
		events,
		numbers,
		tested,
	},
	'docs/development/README.md': { zod: zods },
	'docs/assumptions.md': { assumptions },
};

/** A page that is written here from its first line to its last. */
const PAGES: Readonly<Record<string, () => string | Promise<string>>> = {
	...resourcePages,
	'docs/events.md': eventsPage,
	'test/parameters.txt': parameterListing,
};

const read = async (path: string) => await readFile(join(ROOT, path), 'utf8').catch(() => '');

async function withParts(path: string): Promise<string> {
	let text = await read(path);
	for (const [name, make] of Object.entries(PARTS[path]!)) {
		const part = new RegExp(`(<!-- ${name}:[^>]*-->\n)[^]*?(<!-- /${name} -->)`);
		if (!part.test(text)) throw new Error(`${path} has no part called ${name}`);
		text = text.replace(part, (_, start: string, end: string) => start + make(text) + end);
	}
	return text;
}

export interface Page {
	path: string;
	present: string;
	wanted: string;
}

/** Each page that is made, as it is and as it should be. The clock of the nodes stands still meanwhile. */
export async function pages(): Promise<Page[]> {
	const { now } = Date;
	Date.now = () => NOW;
	try {
		const made = [
			...Object.entries(PAGES),
			...Object.keys(PARTS).map((path) => [path, async () => await withParts(path)] as const),
		];
		const all: Page[] = [];
		// One after another: a test event has a time limit, also on a busy machine.
		for (const [path, make] of made)
			all.push({ path, present: await read(path), wanted: await make() });
		return all;
	} finally {
		Date.now = now;
	}
}

if (import.meta.main) {
	await writeSchemas();
	for (const { path, wanted } of await pages()) await writeFile(join(ROOT, path), wanted);
}
