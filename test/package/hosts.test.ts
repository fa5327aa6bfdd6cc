import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { HOSTS, hostsToTest, isBefore, NEWEST } from '../e2e/host.ts';

const read = (name: string, file: string) =>
	JSON.parse(readFileSync(new URL(`../e2e/hosts/${name}/${file}`, import.meta.url), 'utf8'));

describe.each(HOSTS)('the host $name', ({ name, n8n, node }) => {
	it('is named after its version of n8n, and names versions, not ranges', () => {
		expect(`${n8n}.`.startsWith(`${name.replace('n8n-', '')}.`)).toBe(true);
		for (const version of [n8n, node]) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
	});

	it('has a lock file of them (node test/e2e/hosts/lock.mjs)', () => {
		const { packages } = read(name, 'package-lock.json');
		const { dependencies, optionalDependencies } = read(name, 'package.json');
		expect(packages['']).toMatchObject({ dependencies, optionalDependencies });
		expect(packages['node_modules/n8n'].version).toBe(n8n);
	});
});

describe('which hosts are tested', () => {
	afterEach(() => vi.unstubAllEnvs());

	it('all, of which the newest is the first', () => {
		vi.stubEnv('E2E_HOSTS', undefined);
		expect(hostsToTest()).toEqual(HOSTS.map(({ name }) => name));
		expect(NEWEST).toBe(HOSTS[0]?.name);
		for (const { n8n } of HOSTS.slice(1)) expect(isBefore(n8n, HOSTS[0]!.n8n)).toBe(true);
	});

	it('the newest is found by number, not by letter', () => {
		expect(isBefore('2.9.1', '2.20')).toBe(true);
		expect(isBefore('2.20.12', '2.20')).toBe(false);
	});
});
