import { isObject, textIn, type JsonObject } from '../json';

/**
 * The ID of the contact behind a member of a contact list. A list may show the contacts themselves, or
 * memberships: these have an ID of their own, and name the contact or hold it.
 * Reference: /contact-lists/{contact_list_id}/contacts; its records are not shown.
 */
export function contactIdOf({ id, contact_id, contact }: JsonObject): string | undefined {
	const named = textIn(contact_id) ?? (isObject(contact) ? textIn(contact) : undefined);
	return named ?? textIn(id) ?? textIn(contact);
}

/** The contacts of something, such as a contact list. */
export const isMembers = (path: string) => /^(\/[^/]+){2,}\/contacts\/?$/.test(path);
