import { z } from 'zod';

import { readRecord } from '../api/record';
import { rowsFor } from '../table/byId';
import { optionalFields, picker, searchFilter } from '../table/fields';
import { nothing, operation, type Operation, type Resource } from '../table/operation';
import { CampaignWatch, campaignOutcome } from '../waiting/campaigns';
import {
	campaignEndInput,
	campaignEndOf,
	campaignStateFields,
	finalStates,
	unchangedFor,
	waitAtMost,
	waitAtMostInput,
} from '../waiting/fields';
import { collection, nonBlank, id, optional, searchText, trimmed } from '../table/schema';
import { plainFields } from '../domain/simplify';

const campaignPicker = picker({
	displayName: 'Campaign',
	name: 'campaign_id',
	search: 'searchCampaigns',
	description: 'Campaign to work with',
});

const byId = rowsFor(campaignPicker, id);

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
		action: `${name} campaign${hint ? ' which calls people' : ''}`,
		description: `${name} a campaign, if its current status allows it`,
		request: `POST /campaigns/{campaign_id}/${path}`,
	}),
	...(hint && {
		fields: [{ ...campaignPicker, hint: 'The campaign then calls people, which costs money' }],
	}),
	hint,
	hints: {
		400: `The campaign cannot be ${done} in its current status. Get the campaign to see its status.`,
	},
});

/** Reference: /campaigns and the paths below it. */
export const campaign: Resource = {
	name: 'Campaign',
	description: 'Outbound campaigns: start, pause, stop, progress and statistics',
	operations: {
		get: byId({
			name: 'Get',
			action: 'Get campaign',
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
						placeholder: 'e.g. running',
						description: 'Only campaigns with this status, written as the API writes it',
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
			fields: [
				campaignPicker,
				waitAtMost(60),
				optionalFields('Options', 'options', 'Add option', [
					finalStates,
					campaignStateFields,
					unchangedFor,
				]),
			],
			input: () =>
				z
					.object({
						campaign_id: id,
						waitAtMost: waitAtMostInput(60),
						options: collection(campaignEndInput),
					})
					.transform(({ campaign_id, waitAtMost, options }) => ({
						campaign_id,
						most: waitAtMost,
						end: campaignEndOf(options),
					})),
			payload: nothing,
			run: async ({ campaign_id, most, end }, { api, request, share, endTurn }) => {
				const campaign = await readRecord(api, request());
				const watch = share((reader) => new CampaignWatch(reader));
				endTurn();
				const state = await watch.wait(campaign_id, campaign, end, most);
				if (state.verdict instanceof Error) throw state.verdict;
				return campaignOutcome(state);
			},
			notice: (_input, [record]) =>
				record?.result === 'underWay' ? String(record.explanation) : undefined,
		}),
	},
};
