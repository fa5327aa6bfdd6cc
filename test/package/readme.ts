import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { NOT_SHOWN } from '../../nodes/table/assumed.ts';
import { loadPackage } from '../support/harness.ts';

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

/** The README with its tables as the built node and its assumptions have them. */
export async function readmeWithTables(): Promise<{ present: string; wanted: string }> {
	const present = await readFile(README, 'utf8');
	const wanted = present
		.replace(section('operations'), `$1${await operations()}$2`)
		.replace(section('not shown'), (_, start: string, end: string) => start + notShown() + end);
	return { present, wanted };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const { wanted } = await readmeWithTables();
	await writeFile(README, wanted);
}
