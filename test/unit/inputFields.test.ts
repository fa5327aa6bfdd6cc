import { expect, test } from 'vitest';

import { freeName } from '../../nodes/action/inputFields.ts';

test('names that are there already are found with few looks, however they are chosen', () => {
	const names = Array.from({ length: 500 }, (_, at) => `${'input_'.repeat(at)}x`);
	let looks = 0;
	const record = new Proxy(Object.fromEntries(names.map((name) => [name, 1])), {
		getOwnPropertyDescriptor: (fields, name) => {
			looks += 1;
			return Reflect.getOwnPropertyDescriptor(fields, name);
		},
	});
	const added: Record<string, number> = {};
	for (const name of names) added[freeName(name, record, added)] = 1;
	expect(Object.keys(added).filter((name) => names.includes(name))).toEqual([]);
	expect(Object.keys(added)).toHaveLength(names.length);
	expect(looks).toBeLessThan(10 * names.length);
});

test('a taken name gets input_ in front, and a number if that is taken too', () => {
	expect(freeName('id', {})).toBe('id');
	expect(freeName('id', { id: 1 })).toBe('input_id');
	expect(freeName('id', { id: 1 }, { input_id: 2 })).toBe('input_2_id');
	expect(freeName('error', {})).toBe('input_error');
});
