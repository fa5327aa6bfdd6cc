import type { IPollFunctions } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { Registrations } from '../../nodes/trigger/registrations.ts';

const context = () => ({}) as IPollFunctions;

it('a context’s first poll registers the node where n8n says so', () => {
	const registrations = new Registrations();
	const one = context();
	expect(registrations.isFirst('a', one, 'activate')).toBe(true);
	expect(registrations.isFirst('a', one, 'activate')).toBe(false);
	expect(registrations.isFirst('a', context(), 'init')).toBe(true);
});

it('an edit that is published makes a new context where the old one lasted, each poll where none does', () => {
	const registrations = new Registrations();
	const legacy = context();
	registrations.isFirst('legacy', legacy, 'activate');
	registrations.isFirst('legacy', legacy, 'activate');
	expect(registrations.isFirst('legacy', context(), 'update')).toBe(true);
	expect(registrations.isFirst('scheduler', context(), 'update')).toBe(false);
	expect(registrations.isFirst('scheduler', context(), 'update')).toBe(false);
});
