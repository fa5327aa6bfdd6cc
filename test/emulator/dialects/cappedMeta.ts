import type { Dialect } from '../readings.ts';

export default {
	about: 'A server that caps every list and says which limit it used, in text.',
	readings: {
		pageCap: 'every list',
		metaLimit: 'used',
		meta: 'text',
		events: 'object by date',
		eventsLimit: 'groups',
		ids: 'encoded',
		ascending: 'ignored',
		bound: 'inclusive',
		callAgent: 'absent',
	},
} satisfies Dialect;
