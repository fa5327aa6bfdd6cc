import { SOURCE_FILE_PATTERNS } from '@n8n/scan-community-package/scanner/scanner.mjs';
import type { INodeProperties } from 'n8n-workflow';
import { rmSync } from 'node:fs';
import { expect, it } from 'vitest';

import { lint } from './lint.ts';
import { printShipped } from './shipped.ts';

// `npm run lint` applies n8n's rules to the source, and `npm run scan` to the tarball. The sources hold no whole
// literals, so the planted faults show that the rules see the built descriptions.
it('n8n’s own rules find nothing in the built descriptions but the faults that are planted', async () => {
	const dir = printShipped(({ name, properties }) => {
		if (name !== 'ykVoice') return;
		const named = (wanted: string) => properties.find((property) => property.name === wanted)!;
		named('limit').default = 5;
		named('operation').options?.reverse();
		named('sku').description += '.';
		(named('filters').options as INodeProperties[])[0]!.required = true;
	});
	const faults = await lint(dir, SOURCE_FILE_PATTERNS);
	rmSync(dir, { recursive: true });
	const ruleOf = (fault: string) => /\(n8n-nodes-base\/(.*)\)$/.exec(fault)?.[1] ?? fault;
	expect(faults.map(ruleOf).sort()).toEqual([
		'node-param-collection-type-item-required',
		'node-param-default-wrong-for-limit',
		'node-param-description-excess-final-period',
		'node-param-options-type-unsorted-items',
	]);
});
