import { expect, it } from 'vitest';

import { REFERENCE_VERSION } from '../support/reference.ts';
import { readmeWithTables } from './readme.ts';

it('README names every operation of the built node, every assumption and every version tested (npm run readme)', async () => {
	const { present, wanted } = await readmeWithTables();
	expect(present).toBe(wanted);
	expect(wanted).toContain('| Agent | Get,');
	expect(wanted).toContain('| Path of the health check | `/health` |');
	expect(wanted).toMatch(/\| \d+\.\d+\.\d+ \| \d+ \| installer, credential/);
});

it('README names the version of the reference that the package follows', async () => {
	const { present } = await readmeWithTables();
	expect(present).toContain(`(documentation version ${REFERENCE_VERSION})`);
});
