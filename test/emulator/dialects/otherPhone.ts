import type { Dialect } from '../readings.ts';

export default {
	about: 'A server that calls a contact’s number by a shorter name.',
	readings: {
		primaryPhone: 'phone',
		names: 'others',
		customFields: 'flat',
		taskId: 'id',
		events: 'flat',
		callAgent: 'absent',
	},
} satisfies Dialect;
