import { isObject, type JsonObject } from '../json';

/** The fields of the contact behind a member. */
export const contactFieldsOf = (member: JsonObject): JsonObject =>
	isObject(member.contact) ? { ...member, ...member.contact } : member;
