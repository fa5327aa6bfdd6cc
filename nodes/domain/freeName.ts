// Fields that go out beside those of a record, and never take the place of one.

import type { JsonObject } from '../json';

/** The fields by which n8n knows a failed item. */
export const FAILED = ['error', '$error'];

/** The name of a further field beside these, which may have one of this name. */
export function freeName(name: string, ...present: object[]): string {
	let free = name;
	const isTaken = () =>
		FAILED.includes(free) || present.some((fields) => Object.hasOwn(fields, free));
	for (let times = 1; isTaken(); times++) free = `input_${times > 1 ? `${times}_` : ''}${name}`;
	return free;
}

/** The record with the name of its account in front, if it has one. A field of the record that is called so gets another name. */
export function withAccount(account: string | undefined, record: JsonObject): JsonObject {
	if (account === undefined) return record;
	const { account: inside, ...rest } = record;
	const isThere = inside !== undefined;
	return { account, ...rest, ...(isThere && { [freeName('api_account', record)]: inside }) };
}
