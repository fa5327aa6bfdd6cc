import type { Dialect } from '../readings.ts';

export default {
	about: 'A large shop: the total is an estimate, some lists are capped, and meta tells the cap.',
	readings: {
		pageCap: 'some lists',
		meta: 'estimate',
		metaLimit: 'used',
		ids: 'prefixed',
		limited: '429 date',
		order: 'by id',
		fraction: 'no digits',
		zone: 'offset',
		underWay: 'hidden',
		events: 'flat',
		money: 'text',
	},
} satisfies Dialect;
