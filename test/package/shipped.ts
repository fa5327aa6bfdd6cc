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
export function printShipped(change?: (description: INodeTypeDescription) => void): string {
	const dir = mkdtempSync(join(tmpdir(), 'yk-voice-shipped-'));
	for (const name of ['package.json', 'icons', 'credentials']) {
		cpSync(join(ROOT, name), join(dir, name), { recursive: true });
	}
	for (const { className, path, describe } of builtNodes) {
		const description = structuredClone(describe());
		change?.(description);
		const file = join(dir, path.replace(/^dist\//, '').replace(/\.js$/, '.ts'));
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, source(className, description));
	}
	return dir;
}

function source(className: string, description: INodeTypeDescription): string {
	const isTrigger = description.group.includes('trigger');
	return `import type { ${isTrigger ? 'IPollFunctions' : 'IExecuteFunctions'}, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

export class ${className} implements INodeType {
	description: INodeTypeDescription = ${literal(description)};

	${isTrigger ? CODE.poll : CODE.execute}
}
`;
}

const literal = (description: INodeTypeDescription) =>
	JSON.stringify(description, null, '\t')
		// Lint finds a property by its name only if the name is not in quotes.
		.replace(/^(\t+)"([A-Za-z_$][\w$]*)":/gm, '$1$2:')
		// Lint wants n8n's name for the connection, which is plain text once built.
		.replace(/^(\t(?:inputs|outputs): \[\s+)"main"/gm, '$1NodeConnectionTypes.Main');
