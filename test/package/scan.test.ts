import { SOURCE_FILE_PATTERNS } from '@n8n/scan-community-package/scanner/scanner.mjs';
import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { rmSync } from 'node:fs';
import { expect, it } from 'vitest';

import { lint } from './lint.ts';
import { printShipped } from './shipped.ts';

// `npm run lint` applies n8n's rules to the source, and `npm run scan` to the tarball.
it('n8n’s own rules find nothing in the built descriptions, printed as literals', async () => {
	expect(await lintShipped()).toEqual([]);
});

// The sources hold no whole literals, so without this n8n's rules would see nothing, without a sound.
it('n8n’s own rules see twelve faults that are planted in the built description', async () => {
	const faults = await lintShipped(({ name, properties }) => {
		if (name !== 'ykVoice') return;
		const filters = all(properties, 'filters').find(({ options = [] }) => options.length > 4)!;
		named(properties, 'limit').description = 'How many results to return';
		named(properties, 'returnAll').description = 'All results';
		named(properties, 'limit').default = 5;
		named(properties, 'operation').options?.reverse();
		named(properties, 'resource').noDataExpression = false;
		filters.options?.reverse();
		(filters.options as INodeProperties[])[0]!.required = true;
		named(properties, 'group').description = 'Returns one item per date';
		named(properties, 'waitForResult').default = 'no';
		named(properties, 'keepUntouched').displayName = 'keep other fields';
		named(properties, 'agent_id').description += '.';
		named(properties, 'clearFields').default = '';
	});
	const rules = faults.map((fault) => /\(n8n-nodes-base\/(.*)\)$/.exec(fault)?.[1]);
	expect([...new Set(rules)].sort()).toEqual([
		'node-param-collection-type-item-required',
		'node-param-collection-type-unsorted-items',
		'node-param-default-wrong-for-boolean',
		'node-param-default-wrong-for-limit',
		'node-param-default-wrong-for-multi-options',
		'node-param-description-boolean-without-whether',
		'node-param-description-excess-final-period',
		'node-param-description-wrong-for-limit',
		'node-param-description-wrong-for-return-all',
		'node-param-display-name-miscased',
		'node-param-options-type-unsorted-items',
		'node-param-resource-without-no-data-expression',
	]);
});

async function lintShipped(change?: (description: INodeTypeDescription) => void) {
	const dir = printShipped(change);
	try {
		return await lint(dir, SOURCE_FILE_PATTERNS);
	} finally {
		rmSync(dir, { recursive: true });
	}
}

const all = (properties: INodeProperties[], name: string) =>
	properties.filter((property) => property.name === name);

const named = (properties: INodeProperties[], name: string) => all(properties, name)[0]!;
