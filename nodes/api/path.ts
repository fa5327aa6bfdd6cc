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
 * A path such as `/orders/{id}` with the fields of a record, or of what a user entered, in its braces. A list
 * fills several segments.
 * @throws Error if there is no ID: the path would lead to nothing, or to another record
 */
export const pathTo = (pattern: string, record: JsonObject): string =>
	pattern.replace(/\{(\w+)\}/g, (_braces, name: string) =>
		[record[name]]
			.flat()
			.map((id) => segmentOf(id, name))
			.join('/'),
	);

function segmentOf(id: unknown, name: string): string {
	const text = textIn(id);
	if (text === undefined || climbs(text))
		throw new Error(
			`a record shows no ID in its field '${name}', so the node cannot read or change it`,
		);
	return encodeURIComponent(text);
}
