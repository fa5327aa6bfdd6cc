import { isObject, textIn, type JsonObject } from '../json';

/**
 * The ID of the contact behind a member of a contact list. A list may show the contacts themselves, or
 * memberships: these have an ID of their own, and name the contact or hold it.
 * Reference: /contact-lists/{contact_list_id}/contacts; its records are not shown.
 */
export function contactIdOf({ id, contact_id, contact }: JsonObject): string | undefined {
	const held = textIn(contact);
	const isId = held !== undefined && (isObject(contact) || LIKE_UUID.test(held));
	return textIn(contact_id) ?? (isId ? held : (textIn(id) ?? held));
}

/** Reference: contact identifiers are UUIDs. Another text may be the name of the contact. */
const LIKE_UUID = /^[-0-9a-f]{36}$/i;

/** The contacts of something, such as a contact list. */
export const isMembers = (path: string) => /^(\/[^/]+){2,}\/contacts\/?$/.test(path);
