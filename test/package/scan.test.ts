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
it('n8n’s own rules see faults that are planted in the built description', async () => {
	const faults = await lintShipped(({ name, properties }) => {
		if (name !== 'ykVoice') return;
		const named = (wanted: string) => properties.find((property) => property.name === wanted)!;
		named('limit').default = 5;
		named('operation').options?.reverse();
		named('agent_id').description += '.';
		(named('filters').options as INodeProperties[])[0]!.required = true;
	});
	const rules = faults.map((fault) => /\(n8n-nodes-base\/(.*)\)$/.exec(fault)?.[1]);
	expect([...new Set(rules)].sort()).toEqual([
		'node-param-collection-type-item-required',
		'node-param-default-wrong-for-limit',
		'node-param-description-excess-final-period',
		'node-param-options-type-unsorted-items',
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
