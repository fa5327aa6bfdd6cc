import { SOURCE_FILE_PATTERNS } from '@n8n/scan-community-package/scanner/scanner.mjs';
import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';
import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { lint } from './lint.ts';
import { printShipped } from './shipped.ts';

// `npm run lint` asks n8n's rules of the source, and `npm run scan` of the tarball.
it('n8n’s own rules find nothing in the built descriptions, printed as literals', async () => {
	expect(await lintShipped()).toEqual([]);
});

describe('lint of the built descriptions reports', () => {
	it.each<[string, (properties: INodeProperties[]) => void, RegExp]>([
		[
			'a wrong description of Limit',
			(properties) => (named(properties, 'limit').description = 'How many results to return'),
			/node-param-description-wrong-for-limit/,
		],
		[
			'operations that are not alphabetical',
			(properties) =>
				properties
					.find(({ name, options = [] }) => name === 'operation' && options.length >= 5)
					?.options?.reverse(),
			/node-param-options-type-unsorted-items/,
		],
		[
			'a Simplify that does not say what it decides',
			(properties) => (named(properties, 'simplify').description = 'Return less'),
			/node-param-description-boolean-without-whether/,
		],
		[
			'a wrong description of an upsert',
			(properties) => {
				const upsert = properties
					.flatMap(({ options = [] }) => options as INodePropertyOptions[])
					.find(({ value }) => value === 'upsert');
				upsert!.description = 'Write a record';
			},
			/node-param-description-wrong-for-upsert/,
		],
	])('%s', async (_fault, plant, rule) => {
		const faults = await lintShipped(({ name, properties }) => {
			if (name === 'ykVoice') plant(properties);
		});
		expect(faults.join('\n')).toMatch(rule);
	});
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
