import { SOURCE_FILE_PATTERNS } from '@n8n/scan-community-package/scanner/scanner.mjs';
import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

import { builtNodes } from '../support/built.ts';
import { ROOT } from '../support/root.ts';
import { lint } from './lint.ts';

const CODE = {
	action:
		'async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> { return [this.getInputData().map((item, index) => ({ ...item, pairedItem: index }))]; }',
	trigger:
		'async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> { return null; }',
};

/** A node whose description is printed as a literal. */
function sourceOf(className: string, description: INodeTypeDescription): string {
	const isTrigger = description.group.includes('trigger');
	const literal = JSON.stringify(description, null, '\t')
		// Lint finds a property by its name only if the name is not in quotes.
		.replace(/^(\t+)"([A-Za-z_$][\w$]*)":/gm, '$1$2:')
		// Lint wants n8n's name for the connection, which is plain text once built.
		.replace(/^(\t(?:inputs|outputs): \[\s+)"main"/gm, '$1NodeConnectionTypes.Main');
	return `import type { ${isTrigger ? 'IPollFunctions' : 'IExecuteFunctions'}, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

export class ${className} implements INodeType {
	description: INodeTypeDescription = ${literal};

	${isTrigger ? CODE.trigger : CODE.action}
}
`;
}

/** Plants what n8n's rules must find. */
function plantFaults({ properties }: INodeTypeDescription): void {
	const named = (wanted: string) => properties.find((property) => property.name === wanted)!;
	named('limit').default = 5;
	named('operation').options?.reverse();
	named('sku').description += '.';
	(named('filters').options as INodeProperties[])[0]!.required = true;
}

// `npm run lint` applies n8n's rules to the source, and `npm run scan` to the tarball. The sources hold no whole
// literals, so the planted faults show that the rules see the built descriptions.
it('n8n’s own rules find nothing in the built descriptions but the faults that are planted', async () => {
	const dir = mkdtempSync(join(tmpdir(), 'yk-voice-shipped-'));
	onTestFinished(() => rmSync(dir, { recursive: true }));
	for (const name of ['package.json', 'icons', 'credentials'])
		cpSync(join(ROOT, name), join(dir, name), { recursive: true });
	for (const { className, path, describe } of builtNodes) {
		const description = structuredClone(describe());
		if (description.name === 'ykVoice') plantFaults(description);
		const file = join(dir, path.replace(/^dist\//, '').replace(/\.js$/, '.ts'));
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, sourceOf(className, description));
	}
	const faults = await lint(dir, SOURCE_FILE_PATTERNS);
	const ruleOf = (fault: string) => /\(n8n-nodes-base\/(.*)\)$/.exec(fault)?.[1] ?? fault;
	expect(faults.map(ruleOf).sort()).toEqual([
		'node-param-collection-type-item-required',
		'node-param-default-wrong-for-limit',
		'node-param-description-excess-final-period',
		'node-param-options-type-unsorted-items',
	]);
});
