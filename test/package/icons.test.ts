import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { ROOT } from '../support/root.ts';

const read = (name: string) => readFileSync(join(ROOT, 'icons', name), 'utf8');

it.each(['yk-voice.svg', 'yk-voice.dark.svg'])('%s is a square that stands alone', (name) => {
	const svg = read(name);
	const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? [];
	expect(width).toBeDefined();
	expect(width).toBe(height);
	expect(svg).toContain('xmlns="http://www.w3.org/2000/svg"');
	expect(svg).not.toMatch(/<(script|image|text|style|foreignObject)\b|href=|url\(/);
});
