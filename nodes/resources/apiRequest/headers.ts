import { z } from 'zod';

import { pairs } from '../../table/pairs';
import { scalarText } from '../../table/schema';

/** Headers that the node, n8n or the connection sets, and those that change what the method means. */
const OWN =
	/^(authorization|proxy-.*|host|content-(length|type|encoding)|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|x-(http-)?method(-override)?|(x-)?forwarded(-.*)?|x-(original|rewrite)-.*)$/i;

const name = z
	.string()
	.trim()
	.refine((text) => text.length <= 200 && /^[\w!#$%&'*+.^`|~-]+$/.test(text), {
		message: 'must be the name of a header: letters, digits and hyphens',
	})
	.refine((text) => !OWN.test(text), {
		message: 'is a header that must not be set here. Remove it',
	});

const value = scalarText.pipe(
	z.string().refine((text) => text.length <= 4000 && /^[\t\x20-\x7e]*$/.test(text), {
		message: 'must be one line of at most 4,000 plain characters',
	}),
);

export const headers = pairs(
	{ displayName: 'Headers', placeholder: 'Add header' },
	{ name: 'header', displayName: 'Header', of: 'header' },
	value,
	name,
);
