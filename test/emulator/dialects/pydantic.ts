import type { Dialect } from '../readings.ts';

export default {
	about: 'A typed Python service: times without a zone, redirects that keep the method, no meta.',
	readings: {
		slash: '307 adds',
		location: 'absolute',
		zone: 'none',
		fraction: '6 digits',
		ids: 'prefixed',
		meta: 'absent',
		refusal: 'detail',
		limited: '429 unsaid',
		limitedBody: 'none',
		created: '200 record',
		deleted: '200 record',
		noSummary: 'null',
		noTranscript: 'empty',
		readOnly: 'refused',
		put: 'merges',
		ascending: 'refused',
		transactionSort: 'unknown',
		callAgent: 'object',
		campaignStates: 'upper case',
		campaignCounters: 'nested',
		taskId: 'task',
		noRoute: '404',
	},
} satisfies Dialect;
