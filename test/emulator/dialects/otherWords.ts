import type { Dialect } from '../readings.ts';

export default {
	about: 'A server that names what the reference only describes in words of its own.',
	readings: {
		betaBackend: 'own',
		toolConfig: 'wrapped',
		ownFields: 'revision',
		names: 'others',
		callStatus: 'status',
		callAgent: 'object',
		customFields: 'list',
		transcript: 'messages',
		members: 'nested contacts',
		membership: 'object',
		campaignStates: 'other words',
		campaignCounters: 'nested',
		sign: 'negative',
		portalPaths: 'words',
		taskId: 'task',
		events: 'list of groups',
		filterValues: 'quoted',
		filterList: 'brackets',
		filterOrder: 'left to right',
		money: 'text',
		ids: 'prefixed',
	},
} satisfies Dialect;
