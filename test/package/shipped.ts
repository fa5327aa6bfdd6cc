import type { INodeTypeDescription } from 'n8n-workflow';
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { builtNodes } from '../support/built.ts';
import { ROOT } from '../support/root.ts';

const CODE = {
	execute:
		'async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> { return [this.getInputData().map((item, index) => ({ ...item, pairedItem: index }))]; }',
	poll: 'async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> { return null; }',
};

/**
 * A package in a temporary folder whose nodes are the built descriptions printed as literals.
 * Lint reads source, so it cannot see options and properties that are derived.
 *
 * @param change plants faults into a description before it is printed
 */
export function printShipped(
	change: (description: INodeTypeDescription) => void = () => {},
): string {
	const dir = mkdtempSync(join(tmpdir(), 'yk-voice-shipped-'));
	for (const name of ['package.json', 'icons', 'credentials']) {
		cpSync(join(ROOT, name), join(dir, name), { recursive: true });
	}
	for (const { className, path, describe } of builtNodes) {
		const description = structuredClone(describe());
		change(description);
		const file = join(dir, path.replace(/^dist\//, '').replace(/\.js$/, '.ts'));
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, source(className, description));
	}
	return dir;
}

function source(className: string, description: INodeTypeDescription): string {
	const isTrigger = description.group.includes('trigger');
	return [
		`import type { ${isTrigger ? 'IPollFunctions' : 'IExecuteFunctions'}, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';`,
		"import { NodeConnectionTypes } from 'n8n-workflow';",
		'',
		`export class ${className} implements INodeType {`,
		`\tdescription: INodeTypeDescription = ${literal(description, 1)};`,
		'',
		`\t${isTrigger ? CODE.poll : CODE.execute}`,
		'}',
		'',
	].join('\n');
}

function literal(value: unknown, depth: number, key = ''): string {
	const indent = '\t'.repeat(depth + 1);
	const close = '\t'.repeat(depth);
	if (Array.isArray(value)) {
		if (value.length === 0) return '[]';
		const entries = value.map((entry) =>
			// Lint wants n8n's name for the connection, which is plain text once built.
			/^(inputs|outputs)$/.test(key) && entry === 'main'
				? 'NodeConnectionTypes.Main'
				: literal(entry, depth + 1),
		);
		return `[\n${entries.map((entry) => `${indent}${entry},\n`).join('')}${close}]`;
	}
	if (typeof value !== 'object' || value === null) return JSON.stringify(value);
	const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
	if (entries.length === 0) return '{}';
	const lines = entries.map(([name, entry]) => {
		// Lint finds a property by its name only where the name is not in quotes.
		const printed = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
		return `${indent}${printed}: ${literal(entry, depth + 1, name)},\n`;
	});
	return `{\n${lines.join('')}${close}}`;
}
