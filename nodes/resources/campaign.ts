import { readRecord } from '../api/readRecord';
import { filtersOf, recordPicker, searchFilter } from '../table/common';
import { form } from '../table/form';
import { getForm } from '../table/handling';
import { notice, text } from '../table/kinds';
import { operation, rowsAbout, type Operation, type Resource } from '../table/operation';
import { campaignEnd, waitForCampaign } from '../waiting/waitForCampaign';
import { waitAtMost } from '../waiting/waitingFields';
import { nonBlank, optional, trimmed } from '../table/schema';
import { MINUTE } from '../time';

const about = { campaign_id: recordPicker('Campaign', 'searchCampaigns') };

const byId = rowsAbout(about);

const CALLS_PEOPLE =
	'This lets the campaign call people, which costs money: only if the user asks for it.';

/** Reference: "Campaign" (lifecycle): a move that the present state does not allow answers 400. */
const move = (
	name: string,
	done: string,
	path: 'start' | 'pause' | 'resume' | 'stop',
	hint?: string,
): Operation => ({
	...byId({
		name,
		action: `${name} campaign${hint ? ' to call people' : ''}`,
		description: `${name} a campaign, if its current status allows it`,
		request: `POST /campaigns/{campaign_id}/${path}`,
		does: 'change',
	}),
	...(hint && {
		fields: () =>
			form({ ...about, cost: notice('The campaign then calls people, which costs money') }),
	}),
	hint,
	hints: () => ({
		400: `The campaign may not be ${done} in its current status. Get the campaign to see its status.`,
	}),
});

/** Reference: /campaigns and the paths below it. */
export const campaign: Resource = {
	name: 'Campaign',
	description: 'Outbound campaigns',
	operations: {
		get: {
			name: 'Get',
			description: 'Retrieve one campaign with its progress counters',
			request: 'GET /campaigns/{campaign_id}',
			fields: () => getForm(about),
		},
		getAll: {
			name: 'Get Many',
			description: 'Retrieve a list of campaigns',
			request: 'GET /campaigns',
			does: 'list',
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
		getStats: byId({
			name: 'Get Statistics',
			action: 'Get campaign statistics',
			description: 'Retrieve the results of one campaign',
			request: 'GET /campaigns/{campaign_id}/stats',
		}),
		pause: move('Pause', 'paused', 'pause'),
		resume: move('Resume', 'resumed', 'resume', CALLS_PEOPLE),
		start: move('Start', 'started', 'start', CALLS_PEOPLE),
		stop: move('Stop', 'stopped', 'stop'),
		waitForCompletion: operation({
			name: 'Wait for Completion',
			action: 'Wait for campaign to end',
			description:
				'Wait until one campaign has reached a final state, or neither its state nor a counter changes any more. The result says which. The execution stays open meanwhile.',
			hint: 'Branch on result: finished, unchanged (nothing changed for a while) or underWay. The execution stays open for up to waitAtMost minutes.',
			request: 'GET /campaigns/{campaign_id}',
			fields: () =>
				form({ ...about, waitAtMost: waitAtMost(60), options: campaignEnd }).check(
					({ campaign_id, waitAtMost: minutes, options }) => ({
						campaign_id,
						most: minutes * MINUTE,
						end: options,
					}),
				),
			run: async ({ most, end }, { api, request, endTurn, tell }) => {
				const campaign = await readRecord(api, request());
				endTurn();
				const outcome = await waitForCampaign(api, request(), campaign, end, most);
				if (outcome.result === 'underWay') tell(outcome.explanation);
				return outcome;
			},
		}),
	},
};
