import { expect, it } from 'vitest';

import { refusedFields } from '../../nodes/table/refusedFields.ts';

const NAMES = ['revision', 'updated_by', 'email', 'custom_fields'];

it.each<[complaints: string[], refused: string[]]>([
	[
		['body has unknown or read-only properties', 'revision', 'updated_by'],
		['revision', 'updated_by'],
	],
	[['unknown fields: revision, updated_by'], ['revision', 'updated_by']],
	[['"revision" is not allowed'], ['revision']],
	[['Invalid', 'body.revision: extra fields not permitted'], ['revision']],
	[['Invalid', 'revision: Extra inputs are not permitted', 'email: is too long'], ['revision']],
	[['revision cannot be changed'], ['revision']],
	[['updated_by is a read-only field; email must be an address'], ['updated_by']],
	[['unexpected parameter', 'fields: revision'], ['revision']],
])('%j refuses %j', (complaints, refused) => {
	expect(refusedFields(NAMES, complaints)).toEqual(refused);
});

it.each([
	['email must be an email address'],
	['email: this domain is not allowed'],
	['email: unknown country code'],
	['custom_fields.legacy is an unknown field'],
	['unknown property custom_fields.legacy'],
	['unknown field email_2'],
	['read-only key: use one that may write'],
])('a complaint about something else refuses no field: %s', (complaint) => {
	expect(refusedFields(NAMES, [complaint])).toEqual([]);
});
