import { z } from 'zod';

import { textIn, tidy, type JsonObject } from '../json';
import { climbs } from './baseUrl';

/**
 * A path below the base URL. A pasted /v1 or /external/v1 in front is removed. The key must never go to
 * another host or API, so nothing is accepted that could lead elsewhere.
 */
export const pathText = z
	.string()
	.transform((path) => tidy(path).replace(/^(\/external)?\/v1(?=\/)/, ''))
	.refine(isPath, {
		message:
			'must be a path below the Base URL, such as /contacts. It begins with one slash, and has no empty segment, no . or .. as a segment, no space, backslash, ? or #, also not encoded, and two hexadecimal digits after each %',
	});

function isPath(path: string): boolean {
	const segments = path.split('/');
	return (
		segments[0] === '' &&
		segments.length > 1 &&
		!segments.slice(1, -1).includes('') &&
		path !== '//' &&
		!/[?#\\\s\p{Cc}]|%(?![0-9a-f]{2})/iu.test(path) &&
		!ENCODED.test(path) &&
		!climbs(path)
	);
}

/**
 * The ID of a record that was read, as a segment of a path.
 * @throws Error if the record shows none: the path would lead to nothing, or to another record
 */
export function segmentOf({ id }: JsonObject): string {
	const text = textIn(id);
	if (text === undefined || climbs(text))
		throw new Error("a record shows no ID in its field 'id', so the node cannot read or change it");
	return encodeURIComponent(text);
}

/** Also if encoded twice, because a server behind a proxy may decode once more. */
const ENCODED = /%(25)*([01][0-9a-f]|7f|2f|5c|3f|23)/i;
