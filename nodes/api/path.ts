import { z } from 'zod';

import { tidy } from '../json';

/**
 * A path below the base URL, of which a pasted /v1 or /external/v1 is already a part. Nothing that could lead elsewhere is let through: no address, no
 * climbing, no query; a request must never carry the key to another host or another API.
 */
export const pathText = z
	.string()
	.transform((path) => tidy(path).replace(/^(\/external)?\/v1(?=\/)/, ''))
	.refine((path) => path.startsWith('/') && !path.startsWith('//'), {
		message: 'must begin with one slash and lie below the base URL, such as /contacts',
	})
	.refine((path) => !/[?#]/.test(path), {
		message: 'must not contain ? or #; put query parameters into their own field',
	})
	.refine((path) => !/[\\\s\p{Cc}]/u.test(path), {
		message: 'must not contain spaces, backslashes or control characters',
	})
	.refine((path) => !/%(?![0-9a-f]{2})/i.test(path), {
		message: 'must have two hexadecimal digits after each %, which itself is %25',
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

/** Also encoded twice: a server behind a proxy may decode once more. */
const ENCODED = /%(25)*([01][0-9a-f]|7f|2f|5c|3f|23)/i;

/**
 * Whether a text leads to another place than its own as part of a path, also where it is decoded
 * more than once. Some servers take what follows a semicolon for a parameter of the segment, and
 * leave it out.
 */
export const climbs = (text: string): boolean =>
	text
		.replace(/%(25)*2e/gi, '.')
		.split(/[/\\]|%(?:25)*(?:2f|5c)/i)
		.some((segment) => /^\.{1,2}(;.*)?$/.test(segment));
