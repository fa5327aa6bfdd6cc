import type { Dialect } from '../readings.ts';

export default {
	about: 'A server that answers a change with as little as it can.',
	readings: {
		toolConfig: 'wrapped',
		patchObjects: 'replaces',
		callDetail: 'transfer time, parties',
		created: '200 null',
		changed: '200 null',
		deleted: '200 empty',
		meta: 'null',
		missing: '200 null',
		noSummary: 'blank',
		noTranscript: 'empty',
		membership: 'object',
		refusal: 'problem',
		ids: 'whole number',
		events: 'object by date',
	},
} satisfies Dialect;
