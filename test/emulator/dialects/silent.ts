import type { Dialect } from '../readings.ts';

export default {
	about: 'A server that answers a change with a status and nothing else.',
	readings: {
		created: '201 empty',
		changed: '200 empty',
		deleted: '204 empty',
		meta: 'full',
		pageCap: 'some lists',
		limitedBody: 'none',
		ids: 'encoded',
		put: 'merges',
		readOnly: 'ignored',
	},
} satisfies Dialect;
