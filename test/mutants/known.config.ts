import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

import { ROOT } from '../support/root.ts';
import { KNOWN } from './known.ts';

const mutant = KNOWN.find(({ name }) => name === process.env.MUTANT);

/** The sources as they are, but for one known mistake: no file is changed. */
export default defineConfig({
	plugins: [
		{
			name: 'mutant',
			enforce: 'pre',
			transform(code, id) {
				if (mutant === undefined || id !== join(ROOT, mutant.file)) return undefined;
				return mutant.edits.reduce((text, [from, to]) => text.replace(from, () => to), code);
			},
		},
	],
	test: {
		include: ['test/unit/*.test.ts'],
		setupFiles: ['test/support/seed.ts'],
		testTimeout: 30_000,
		bail: 1,
		// It would keep one mutant's code for the next.
		fsModuleCache: false,
	},
});
