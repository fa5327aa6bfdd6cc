import type { Readings } from './readings.ts';

/** An imaginary server: where it differs from the emulator's usual readings. */
interface Dialect {
	/** What kind of server this is, in one line. */
	about: string;
	readings: Partial<Readings>;
}

/** Three servers that a team could have written, by name. Together with the usual one they read all that the reference leaves open. */
export const DIALECTS: Readonly<Record<string, Dialect>> = {
	framework: {
		about:
			'An application as its framework generates it: rows numbered, decimals as text, no meta, nothing sent back after a change.',
		readings: {
			ids: 'whole number',
			zone: 'none',
			fraction: '6 digits',
			bound: 'inclusive',
			money: 'text',
			meta: 'absent',
			pageCap: '5 records',
			order: 'by id',
			changes: '204 empty',
			put: 'merges',
			patchObjects: 'replaces',
			readOnly: 'ignored',
			slash: '301 adds',
			limited: '429 unsaid',
			noPart: 'null',
			events: 'flat',
			eventMoves: 'PATCH /events/{event_id}/{verb}',
			membership: 'counts',
			taskId: 'id',
		},
	},
	gateway: {
		about:
			'A service behind a gateway, which words what it refuses as pages and takes slashes away.',
		readings: {
			ids: 'encoded',
			zone: 'offset',
			fraction: 'no digits',
			grain: 'second',
			meta: 'estimate',
			order: 'oldest first',
			changes: '200 null',
			readOnly: 'refused, revision',
			toolConfig: 'wrapped',
			betaBackend: 'own',
			slash: '308 takes',
			limited: '503 seconds',
			refusal: 'html',
			callAgent: 'absent',
			callTask: 'task_id',
			underWay: 'hidden',
			transcript: 'text',
			noPart: '409',
			members: 'memberships',
			campaignStates: 'upper case',
			portals: 'upper case',
		},
	},
	otherWords: {
		about: 'A server that names what the reference only describes in words of its own.',
		readings: {
			changes: '202 record',
			limited: '429 date',
			names: 'others',
			customFields: 'list',
			callAgent: 'object',
			callDetail: 'transfer time, providers',
			transcript: 'list',
			noPart: 'blank',
			events: 'object by date',
			eventMoves: 'POST /calendar/events/{event_id}/status/{state}',
			members: 'nested contacts',
			membership: 'object',
			campaignStates: 'other words',
			campaignCounters: 'nested',
			sign: 'negative',
			taskId: 'task',
			health: '/status/live',
			filterList: 'brackets',
		},
	},
};
