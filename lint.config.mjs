import { buildScanConfig } from '@n8n/scan-community-package/scanner/scanner.mjs';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig(
	globalIgnores(['dist/', 'coverage/', 'artifacts/']),
	{
		// What n8n's verification lints, by its own rules and as strictly.
		files: ['package.json', '{nodes,credentials}/**/*.{js,ts,json}'],
		extends: [await buildScanConfig()],
		linterOptions: { noInlineConfig: true },
	},
	{
		files: ['test/**/*.{ts,mjs}', 'scripts/**/*.{ts,mjs}', '*.config.{ts,mjs}'],
		extends: [tseslint.configs.recommended],
		linterOptions: { reportUnusedDisableDirectives: 'error' },
		rules: {
			// As TypeScript itself has it.
			'@typescript-eslint/no-unused-vars': [
				'error',
				{ argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
			],
			// Tests read answers of any shape.
			'@typescript-eslint/no-explicit-any': 'off',
		},
	},
);
