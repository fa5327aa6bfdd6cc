import { buildScanConfig } from '@n8n/scan-community-package/scanner/scanner.mjs';
import { ESLint } from 'eslint';
import { relative } from 'node:path';

// The scanner's rules judge differently in their own tests, which they know by this; vitest sets it.
delete process.env.NODE_ENV;

/**
 * What the rules of n8n's scanner find, with the warnings that the scanner itself leaves out.
 *
 * @param dir a folder whose package.json is at its root
 */
export async function lint(dir: string, patterns: string[]): Promise<string[]> {
	const eslint = new ESLint({
		cwd: dir,
		allowInlineConfig: false,
		overrideConfigFile: true,
		overrideConfig: await buildScanConfig(),
		ignorePatterns: ['node_modules/**'],
	});
	const results = await eslint.lintFiles(patterns);
	return results.flatMap(({ filePath, messages }) =>
		messages.map(
			({ line, ruleId, message }) =>
				`${relative(dir, filePath)}:${line} ${message.trim()} (${ruleId ?? 'parser'})`,
		),
	);
}
