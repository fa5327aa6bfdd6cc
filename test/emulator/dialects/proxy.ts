import type { Dialect } from '../readings.ts';

export default {
	about:
		'A service behind a proxy that answers for it when it is busy, and redirects as a browser would have it.',
	readings: {
		slash: '302 takes',
		location: 'relative',
		limited: '503 unsaid',
		limitedBody: 'none',
		refusal: 'problem',
		meta: 'null',
		ids: 'prefixed',
		order: 'oldest first',
		fraction: 'no digits',
		grain: 'second',
		bound: 'inclusive',
		validUntil: 'far ahead',
		changed: '200 record',
		deleted: '200 null',
		noRoute: '404',
		portalPaths: 'kebab case',
		noSummary: 'blank',
	},
} satisfies Dialect;
