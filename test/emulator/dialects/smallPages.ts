import type { Dialect } from '../readings.ts';

export default {
	about: 'A server that serves few records at a time and says nothing of how many there are.',
	readings: {
		pageCap: 'every list',
		meta: 'absent',
		order: 'oldest first',
		ids: 'whole number',
		ascending: 'refused',
		events: 'list of groups',
		eventsLimit: 'groups',
		grain: 'second',
	},
} satisfies Dialect;
