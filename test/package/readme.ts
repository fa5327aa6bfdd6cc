import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { NOT_SHOWN } from '../conformance/notShown.ts';
import { HOSTS } from '../e2e/host.ts';
import { loadPackage } from '../support/harness.ts';
import { readManifest } from '../support/root.ts';

const README = new URL('../../README.md', import.meta.url);

/** A part of the README that is written by this file, between two comments. */
const section = (name: string) => new RegExp(`(<!-- ${name}:[^>]*-->\\n)[^]*?(<!-- /${name} -->)`);

const line = (cells: string[]) => `| ${cells.join(' | ')} |\n`;

const table = (head: string[], rows: string[][]) =>
	[line(head), `${'|---'.repeat(head.length)}|\n`, ...rows.map(line)].join('');

const optionsOf = (property: INodeProperties | undefined) =>
	(property?.options ?? []) as INodePropertyOptions[];

async function operations(): Promise<string> {
	const { nodeTypes } = await loadPackage();
	const { properties } = nodeTypes.getByNameAndVersion('ykVoice', 1).description;
	const resources = optionsOf(properties.find(({ name }) => name === 'resource'));
	const rows = resources.map(({ name, value }) => {
		const named = optionsOf(
			properties.find(
				(property) =>
					property.name === 'operation' &&
					property.displayOptions?.show?.resource?.includes(String(value)),
			),
		);
		return [name, named.map((operation) => operation.name).join(', ')];
	});
	return table(['Resource', 'Operations'], rows);
}

function notShown(): string {
	const rows = NOT_SHOWN.map(({ what, assumed, works, change }) => [what, assumed, works, change]);
	const head = ['Not shown', 'Assumed', 'Readings that work', 'Change it'];
	return table(head, rows);
}

const IN_ALL = 'installer, credential, all operations';
const IN_NEWEST = `${IN_ALL}, the trigger with both polling engines through restarts and kills, the editor in a browser, queue mode, every example`;

function tested(): string {
	const rows = HOSTS.map(({ n8n, node }, at) => [
		n8n,
		String(Number.parseInt(node)),
		at === 0 ? IN_NEWEST : IN_ALL,
	]);
	const head = ['n8n', 'Node', 'Tested in the real n8n, with every change'];
	return table(head, rows);
}

/** The versions of zod in package.json, such as `npm:zod@4.6.7`, oldest first. */
function zods(): string {
	const versions = Object.entries(readManifest().devDependencies)
		.filter(([name]) => /^zod(-|$)/.test(name))
		.map(([, version]) => version.replace('npm:zod@', ''));
	return `Input is also tested with zod ${new Intl.ListFormat('en-GB').format(versions.sort())}.\n`;
}

/** The README with its tables as the built node, its assumptions and the tests have them. */
export async function readmeWithTables(): Promise<{ present: string; wanted: string }> {
	const present = await readFile(README, 'utf8');
	const wanted = present
		.replace(section('operations'), `$1${await operations()}$2`)
		.replace(section('tested'), `$1${tested()}\n${zods()}$2`)
		.replace(section('not shown'), (_, start: string, end: string) => start + notShown() + end);
	return { present, wanted };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const { wanted } = await readmeWithTables();
	await writeFile(README, wanted);
}
