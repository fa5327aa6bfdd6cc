import type { Dialect } from '../readings.ts';

export default {
	about:
		'A service behind an enterprise gateway, which words what it refuses as pages and takes slashes away.',
	readings: {
		betaBackend: 'own',
		ownFields: 'revision',
		toolConfig: 'wrapped',
		slash: '308 takes',
		location: 'absolute',
		ids: 'encoded',
		zone: 'offset',
		fraction: 'no digits',
		grain: 'second',
		bound: 'exclusive',
		meta: 'text',
		refusal: 'html',
		limited: '503 seconds',
		limitedBody: 'text',
		created: '202 record',
		changed: '202 record',
		deleted: '202 null',
		transcript: 'text',
		noSummary: '409',
		noTranscript: '404',
		underWay: 'hidden',
		noRoute: '404',
		portalPaths: 'upper case',
		health: '/status/live',
		validUntil: 'past',
		minutes: 'text',
	},
} satisfies Dialect;
