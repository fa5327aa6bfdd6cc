import { buildScanConfig } from '@n8n/scan-community-package/scanner/scanner.mjs';
import { ESLint, type Linter } from 'eslint';
import { relative } from 'node:path';

// The scanner's rules judge differently in their own tests, which they know by this; vitest sets it.
delete process.env.NODE_ENV;

/**
 * What the rules of n8n's scanner find, with the warnings that the scanner itself leaves out.
 *
 * @param dir a folder whose package.json is at its root
 */
export const lint = async (dir: string, patterns: string[]): Promise<string[]> =>
	await lintBy(dir, patterns, await buildScanConfig());

/** What the rules of a configuration find. */
export async function lintBy(
	dir: string,
	patterns: string[],
	config: Linter.Config[],
): Promise<string[]> {
	const eslint = new ESLint({
		cwd: dir,
		allowInlineConfig: false,
		overrideConfigFile: true,
		overrideConfig: config,
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
