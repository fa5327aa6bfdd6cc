import { pathTo } from '../api/path';
import { filtersOf, recordPicker, searchFilter } from '../table/common';
import { form } from '../table/form';
import { getRow } from '../table/handling';
import { notice, text } from '../table/kinds';
import { lists, operation, sends, type Operation, type Resource } from '../table/operation';
import { campaignEnd, waitForCampaign } from '../waiting/waitForCampaign';
import { waitAtMost } from '../waiting/waitingFields';
import { nonBlank, optional, trimmed } from '../table/schema';
import { MINUTE } from '../time';

const about = { campaign_id: recordPicker('Campaign', 'searchCampaigns') };

const cost = notice('The campaign then calls people, which costs money');

const CALLS_PEOPLE =
	'This lets the campaign call people, which costs money: only if the user asks for it.';

/** Reference: "Campaign" (lifecycle): a move that the present state does not allow answers 400. */
const move = (name: string, done: string, hint?: string): Operation => ({
	name,
	action: `${name} campaign${hint ? ' to call people' : ''}`,
	description: `${name} a campaign, if its current status allows it`,
	hint,
	...sends(`POST /campaigns/{campaign_id}/${name.toLowerCase()}`),
	fields: () => form({ ...about, ...(hint && { cost }) }),
	hints: () => ({
		400: `The campaign may not be ${done} in its current status. Get the campaign to see its status.`,
	}),
});

/** Reference: /campaigns and the paths below it. */
export const campaign: Resource = {
	name: 'Campaign',
	description: 'Outbound campaigns',
	operations: {
		get: getRow(
			'Retrieve one campaign with its progress counters',
			'/campaigns/{campaign_id}',
			about,
		),
		getAll: {
			name: 'Get Many',
			description: 'Retrieve a list of campaigns',
			...lists('/campaigns'),
			fields: () =>
				form({
					filters: filtersOf({
						search: searchFilter('campaigns'),
						status: text(
							{
								displayName: 'Status',
								placeholder: 'e.g. running',
								description: 'Only campaigns with this status, written as the API writes it',
							},
							optional(trimmed(nonBlank())),
						),
					}),
				}).check(({ filters }) => filters),
		},
		getStats: {
			name: 'Get Statistics',
			action: 'Get campaign statistics',
			description: 'Retrieve the results of one campaign',
			...sends('GET /campaigns/{campaign_id}/stats'),
			fields: () => form(about),
		},
		pause: move('Pause', 'paused'),
		resume: move('Resume', 'resumed', CALLS_PEOPLE),
		start: move('Start', 'started', CALLS_PEOPLE),
		stop: move('Stop', 'stopped'),
		waitForCompletion: operation({
			name: 'Wait for Completion',
			action: 'Wait for campaign to end',
			description:
				'Wait until one campaign has reached a final state, or neither its state nor a counter changes any more. The result says which. The execution stays open meanwhile.',
			hint: 'Branch on result: finished, unchanged (nothing changed for a while) or underWay. The execution stays open for up to waitAtMost minutes.',
			request: 'GET /campaigns/{campaign_id}',
			fields: () => form({ ...about, waitAtMost: waitAtMost(60), options: campaignEnd }),
			run: async ({ campaign_id, waitAtMost: minutes, options }, api) => {
				const read = async () => await api.get(pathTo('/campaigns/{campaign_id}', { campaign_id }));
				const campaign = await read();
				api.endTurn();
				const outcome = await waitForCampaign(api, read, campaign, options, minutes * MINUTE);
				if (outcome.result === 'underWay') api.tell(outcome.explanation);
				return outcome;
			},
		}),
	},
};
