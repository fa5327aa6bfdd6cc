import { expect, it } from 'vitest';

import { REFERENCE_VERSION } from '../support/reference.ts';
import { readmeWithOperations } from './readme.ts';

it('README names every operation of the built node (npm run readme)', async () => {
	const { present, wanted } = await readmeWithOperations();
	expect(present).toBe(wanted);
	expect(wanted).toContain('| Agent | Get,');
});

it('README names the version of the reference that the package follows', async () => {
	const { present } = await readmeWithOperations();
	expect(present).toContain(`(documentation version ${REFERENCE_VERSION})`);
});
