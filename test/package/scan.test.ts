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

it('n8n’s own rules see the printed parameters and their options', async () => {
	const faults = await lintShipped(({ name, properties }) => {
		if (name !== 'ykVoice') return;
		named(properties, 'limit').description = 'How many results to return';
		named(properties, 'operation').options?.reverse();
	});
	expect(faults.join('\n')).toMatch(/node-param-description-wrong-for-limit/);
	expect(faults.join('\n')).toMatch(/node-param-options-type-unsorted-items/);
});

async function lintShipped(change?: (description: INodeTypeDescription) => void) {
	const dir = printShipped(change);
	try {
		return await lint(dir, SOURCE_FILE_PATTERNS);
	} finally {
		rmSync(dir, { recursive: true });
	}
}

const named = (properties: INodeProperties[], name: string) =>
	properties.find((property) => property.name === name)!;
