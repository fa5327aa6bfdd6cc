import { expect, it } from 'vitest';

import { readmeWithOperations } from './readme.ts';

it('README names every operation of the built node (npm run readme)', async () => {
	const { present, wanted } = await readmeWithOperations();
	expect(present).toBe(wanted);
	expect(wanted).toContain('| Agent | Get,');
});
