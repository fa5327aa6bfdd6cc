import { z } from 'zod';

import { optionalFields, picker, searchFilter } from '../table/fields';
import type { Operation, Resource } from '../table/operation';
import { collection, nonBlank, id, optional, searchText, trimmed } from '../table/schema';
import { plainFields } from '../table/simplify';

const campaignPicker = picker({
	displayName: 'Campaign',
	name: 'campaign_id',
	search: 'searchCampaigns',
	description: 'The campaign, chosen from the list or named by its ID',
});

const byId = (
	row: Pick<Operation, 'name' | 'action' | 'description' | 'request' | 'simplify'>,
): Operation => ({
	...row,
	fields: [campaignPicker],
	input: () => z.object({ campaign_id: id }),
});

const CALLS_PEOPLE =
	'This lets the campaign call people, which costs money: only where the user asks for it.';

/** Reference: "Campaign" (lifecycle): a move that the present state does not allow answers 400. */
const move = (
	name: string,
	done: string,
	path: 'start' | 'pause' | 'resume' | 'stop',
	hint?: string,
): Operation => ({
	...byId({
		name,
		action: `${name} a campaign${hint ? ', which calls people' : ''}`,
		description: `${name} a campaign, if its present state allows it`,
		request: `POST /campaigns/{campaign_id}/${path}`,
	}),
	hint,
	hints: {
		400: `The campaign cannot be ${done} in its present state. Get the campaign to see its state.`,
	},
});

/** Reference: /campaigns and the paths below it. */
export const campaign: Resource = {
	name: 'Campaign',
	description: 'Outbound campaigns: progress, statistics and lifecycle',
	operations: {
		get: byId({
			name: 'Get',
			action: 'Get a campaign',
			description: 'Retrieve one campaign with its progress counters',
			request: 'GET /campaigns/{campaign_id}',
		}),
		getAll: {
			name: 'Get Many',
			action: 'Get many campaigns',
			description: 'Retrieve a list of campaigns',
			request: 'GET /campaigns',
			many: true,
			simplify: plainFields(),
			fields: [
				optionalFields('Filters', 'filters', 'Add filter', [
					searchFilter('campaigns'),
					{
						displayName: 'Status',
						name: 'status',
						type: 'string',
						default: '',
						placeholder: 'running',
						description: 'Only campaigns in this state, by its name in the API',
					},
				]),
			],
			input: () =>
				z
					.object({
						filters: collection({
							search: searchText,
							status: optional(trimmed(nonBlank())),
						}),
					})
					.transform(({ filters }) => filters),
		},
		getStats: byId({
			name: 'Get Statistics',
			action: 'Get the statistics of a campaign',
			description: 'Retrieve what came of the calls of one campaign',
			request: 'GET /campaigns/{campaign_id}/stats',
		}),
		pause: move('Pause', 'paused', 'pause'),
		resume: move('Resume', 'resumed', 'resume', CALLS_PEOPLE),
		start: move('Start', 'started', 'start', CALLS_PEOPLE),
		stop: move('Stop', 'stopped', 'stop'),
	},
};
