import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { ROOT } from '../support/root.ts';

const read = (name: string) => readFileSync(join(ROOT, 'icons', name), 'utf8');
const icons = { light: read('yk-voice.svg'), dark: read('yk-voice.dark.svg') };

describe('the icons', () => {
	it('differ, so that each suits its background', () => {
		expect(icons.light).not.toBe(icons.dark);
	});

	it.each(Object.entries(icons))('%s: a square that stands alone', (_theme, svg) => {
		const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? [];
		expect(width).toBeDefined();
		expect(width).toBe(height);
		expect(svg).toContain('xmlns="http://www.w3.org/2000/svg"');
		expect(svg).not.toMatch(/<(script|image|text|style|foreignObject)\b|href=|url\(/);
	});
});
