import { z } from 'zod';

/**
 * A path below the base URL. Nothing that could lead elsewhere is let through: no address, no
 * climbing, no query; a request must never carry the key to another host or another API.
 */
export const pathText = z
	.string()
	.trim()
	.refine((path) => path.startsWith('/') && !path.startsWith('//'), {
		message: 'must begin with one slash and lie below the base URL, such as /contacts',
	})
	.refine((path) => !/[?#]/.test(path), {
		message: 'must not contain ? or #; put query parameters into their own field',
	})
	.refine((path) => !/[\\\s\p{Cc}]/u.test(path), {
		message: 'must not contain spaces, backslashes or control characters',
	})
	.refine((path) => !/%(2f|5c)/i.test(path) && !path.split('/').some(isDots), {
		message: 'must not contain . or .. as a segment, nor an encoded slash',
	});

function isDots(segment: string): boolean {
	return /^(\.|%2e){1,2}$/i.test(segment);
}
