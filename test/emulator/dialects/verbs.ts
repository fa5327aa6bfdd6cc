import type { Dialect } from '../readings.ts';

export default {
	about: 'A server that puts the verb before the record.',
	readings: {
		callDetail: 'transfer time, providers',
		members: 'memberships',
		eventPaths: 'verb first',
		eventMethod: 'PATCH',
		health: '/healthz',
		portalPaths: 'kebab case',
		noRoute: '404',
		refusal: 'html',
		filterDates: 'refused',
		ids: 'whole number',
	},
} satisfies Dialect;
