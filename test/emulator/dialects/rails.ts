import type { Dialect } from '../readings.ts';

export default {
	about:
		'A Rails application as its generator writes it: rows numbered, decimals as text, nothing sent back after a change.',
	readings: {
		patchObjects: 'replaces',
		callDetail: 'nothing',
		ids: 'whole number',
		money: 'text',
		created: '201 record',
		changed: '204 empty',
		deleted: '204 empty',
		readOnly: 'ignored',
		put: 'merges',
		unknownQuery: 'ignored',
		refusal: 'errors',
		limited: '429 reset',
		limitedBody: 'text',
		order: 'by id',
		callStatus: 'status',
		transcript: 'messages',
		customFields: 'flat',
		events: 'flat',
		grain: 'millisecond',
		meta: 'full',
		noRoute: '404',
		eventMethod: 'PATCH',
		membership: 'counts',
		sign: 'negative',
		filterOrder: 'left to right',
	},
} satisfies Dialect;
