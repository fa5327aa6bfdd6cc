import { expect, test } from 'vitest';

import { freeName } from '../../nodes/domain/freeName.ts';

test('a taken name gets input_ in front, and a number if that is taken too', () => {
	expect(freeName('id', {})).toBe('id');
	expect(freeName('id', { id: 1 })).toBe('input_id');
	expect(freeName('id', { id: 1 }, { input_id: 2 })).toBe('input_2_id');
	expect(freeName('error', {})).toBe('input_error');
});
