import { expect, it } from 'vitest';

import { contactIdOf } from '../../nodes/domain/contact.ts';

it.each([
	[{ id: 'c' }, 'c'],
	[{ id: 7 }, '7'],
	[{ id: 'm', contact_id: 'c' }, 'c'],
	[{ id: 'm', contact: { id: 'c' } }, 'c'],
	[{ id: 'c', contact: 'Ann' }, 'c'],
	[{ contact: 'c' }, 'c'],
	[{ id: '', contact_id: null }, undefined],
])('the contact behind %j is %s', (member, expected) => {
	expect(contactIdOf(member)).toBe(expected);
});
