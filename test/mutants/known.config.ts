import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

import { ROOT } from '../support/root.ts';
import { KNOWN } from './known.ts';

const mistake = KNOWN.find(({ name }) => name === process.env.MISTAKE);

/** The sources as they are, but for one known mistake: no file is changed. */
export default defineConfig({
	plugins: [
		{
			name: 'mistake',
			enforce: 'pre',
			transform(code, id) {
				if (mistake === undefined || id !== join(ROOT, mistake.file)) return undefined;
				return mistake.edits.reduce((text, [from, to]) => text.replace(from, () => to), code);
			},
		},
	],
	test: {
		include: ['test/unit/*.test.ts'],
		setupFiles: ['test/support/seed.ts'],
		testTimeout: 30_000,
		bail: 1,
		// A cache would keep the code with one mistake for the next.
		fsModuleCache: false,
	},
});
