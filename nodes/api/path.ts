import { z } from 'zod';

import { textIn, tidy, type JsonObject } from '../json';
import { climbs, isPath } from './baseUrl';

/**
 * A path below the base URL. A pasted /v1 or /external/v1 in front is removed. The key must never go to
 * another host or API, so nothing is accepted that could lead elsewhere.
 */
export const pathText = z
	.string()
	.transform((path) => tidy(path).replace(/^(\/external)?\/v1(?=\/)/, ''))
	.refine(isPath, {
		message:
			"must be a path below the Base URL, such as /contacts. It begins with one slash, and has no .., no space, and no ? or #. Enter what follows a ? under 'Query Parameters'",
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
