import { analyzePackage, buildScanConfig } from '@n8n/scan-community-package/scanner/scanner.mjs';
import { ESLint } from 'eslint';
import { relative } from 'node:path';

// The scanner's rules judge differently in their own tests, which they know by this; vitest sets it.
delete process.env.NODE_ENV;

/** What n8n's scanner lints of a published tarball. */
export const TARBALL_PATTERNS = ['**/*.js', 'package.json'];

/**
 * Every fault the scanner's own rules find, warnings too, of which the scanner itself says nothing.
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

/** The scanner's own verdict, and beyond it every warning: empty where there is nothing to say. */
export async function scan(dir: string, patterns: string[]): Promise<string[]> {
	const faults = await lint(dir, patterns);
	const { passed, message, details } = await analyzePackage(dir, patterns);
	return passed || faults.length > 0 ? faults : [`${message} ${details ?? ''}`];
}
