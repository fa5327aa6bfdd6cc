import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { loadPackage } from '../support/harness.ts';

const README = new URL('../../README.md', import.meta.url);
const SECTION = /(<!-- operations:[^>]*-->\n)[^]*?(<!-- \/operations -->)/;

const optionsOf = (property: INodeProperties | undefined) =>
	(property?.options ?? []) as INodePropertyOptions[];

/** The README with its table of operations as the built node has them. */
export async function readmeWithOperations(): Promise<{ present: string; wanted: string }> {
	const { nodeTypes } = await loadPackage();
	const { properties } = nodeTypes.getByNameAndVersion('ykVoice', 1).description;
	const resources = optionsOf(properties.find(({ name }) => name === 'resource'));
	const rows = resources.map(({ name, value }) => {
		const operations = optionsOf(
			properties.find(
				(property) =>
					property.name === 'operation' &&
					property.displayOptions?.show?.resource?.includes(String(value)),
			),
		);
		return `| ${name} | ${operations.map((operation) => operation.name).join(', ')} |`;
	});
	const table = ['| Resource | Operations |', '|---|---|', ...rows].join('\n');
	const present = await readFile(README, 'utf8');
	return { present, wanted: present.replace(SECTION, `$1${table}\n$2`) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const { wanted } = await readmeWithOperations();
	await writeFile(README, wanted);
}
