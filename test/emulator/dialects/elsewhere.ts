import type { Dialect } from '../readings.ts';

export default {
	about: 'A server whose paths stand where the reference does not show them.',
	readings: {
		eventPaths: 'nested',
		eventMethod: 'PUT',
		health: '/status/live',
		portalPaths: 'upper case',
		noRoute: '404',
		refusal: 'errors',
		ids: 'prefixed',
		events: 'object by date',
		slash: '301 adds',
		location: 'absolute',
	},
} satisfies Dialect;
