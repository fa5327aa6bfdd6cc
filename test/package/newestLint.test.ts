import { SOURCE_FILE_PATTERNS } from '@n8n/scan-community-package/scanner/scanner.mjs';
import tsParser from '@typescript-eslint/parser';
import type { Linter } from 'eslint';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';

import { ROOT } from '../support/root.ts';
import { lintBy } from './lint.ts';
import { printShipped } from './shipped.ts';

/** The folder with a newer version of n8n's lint, which `npm run newest -- lint` installs. */
const { LINT = '' } = process.env;

/** Rules that these nodes do not keep. docs/development/decisions says why. */
const DECLINED = /\/(non-required-fields-in-collection|open-ended-node-fields)\)$/;

describe.runIf(LINT)('the newest version of n8n’s lint', () => {
	const found = async (dir: string) => {
		const plugin = join(LINT, 'node_modules/@n8n/eslint-plugin-community-nodes/dist/plugin.js');
		const { n8nCommunityNodesPlugin } = (await import(pathToFileURL(plugin).href)) as {
			n8nCommunityNodesPlugin: { configs: { recommended: Linter.Config } };
		};
		const faults = await lintBy(dir, SOURCE_FILE_PATTERNS, [
			n8nCommunityNodesPlugin.configs.recommended,
			{ files: ['**/*.json', '**/*.ts'], languageOptions: { parser: tsParser } },
		]);
		return faults.filter((fault) => !DECLINED.test(fault));
	};

	it('finds nothing in the sources', async () => {
		expect(await found(ROOT)).toEqual([]);
	});

	it('finds nothing in the built descriptions, printed as literals', async () => {
		const dir = printShipped();
		expect(await found(dir)).toEqual([]);
		rmSync(dir, { recursive: true });
	});
});
