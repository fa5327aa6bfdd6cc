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
	.refine((path) => path.startsWith('/') && !path.startsWith('//'), {
		message: 'must be a path below the Base URL that begins with one slash, such as /contacts',
	})
	.refine((path) => !/[?#]/.test(path), {
		message: 'must not contain ? or #',
	})
	.refine((path) => !/[\\\s\p{Cc}]/u.test(path), {
		message: 'must not contain spaces, backslashes or control characters',
	})
	.refine((path) => !/%(?![0-9a-f]{2})/i.test(path), {
		message: 'must have two hexadecimal digits after each % (write %25 for a % itself)',
	})
	.refine((path) => !ENCODED.test(path), {
		message: 'must not contain an encoded slash, backslash, ?, # or control character',
	})
	.refine((path) => !path.slice(1).split('/').slice(0, -1).includes(''), {
		message: 'must not contain an empty segment (//)',
	})
	.refine((path) => !climbs(path), {
		message: 'must not contain . or .. as a segment',
	});

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
