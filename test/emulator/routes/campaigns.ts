import { CAMPAIGN_STATES } from '../assumed.ts';
import { invalid, notFound } from '../envelope.ts';
import { choice, pageOf, searchIn } from '../query.ts';
import type { Campaign, CampaignStatus } from '../records.ts';
import { PAGE } from '../route.ts';
import type { Exchange, Route } from '../route.ts';
import { campaignState } from '../shapes.ts';

/** Section "Campaign" shows the operations and none of the states. */
const MOVES: Record<string, { from: readonly CampaignStatus[]; to: CampaignStatus }> = {
	start: { from: ['draft', 'scheduled'], to: 'running' },
	pause: { from: ['running'], to: 'paused' },
	resume: { from: ['paused'], to: 'running' },
	stop: { from: ['running', 'paused'], to: 'stopped' },
};

function campaignOf({ store, params }: Exchange): Campaign {
	const campaign = store.campaigns.get(params['campaign_id']!);
	if (!campaign) throw notFound('campaign');
	return campaign;
}

function statsOf({ id, contacted, completed, failed }: Campaign) {
	const voicemail = Math.floor(failed / 2);
	const not_answered = failed - voicemail;
	const conversion_rate = contacted === 0 ? 0 : Math.round((completed / contacted) * 1000) / 1000;
	const counts = { answered: completed, not_answered, voicemail, busy: 0, failed };
	return {
		campaign_id: id,
		...counts,
		average_duration_seconds: completed === 0 ? 0 : 94,
		conversion_rate,
	};
}

function moveRoute(
	name: string,
	{ from, to }: { from: readonly CampaignStatus[]; to: CampaignStatus },
): Route {
	return {
		method: 'POST',
		path: `/campaigns/{campaign_id}/${name}`,
		kind: 'campaign',
		outcome: 'changed',
		handle(exchange) {
			const campaign = campaignOf(exchange);
			if (!from.includes(campaign.status))
				throw invalid(`cannot ${name} a campaign that is ${campaign.status}`);
			return { data: exchange.store.campaigns.change(campaign.id, { status: to }) };
		},
	};
}

/** Sections "Campaign" and "Other endpoints", the lines of /campaigns. */
export const campaignRoutes: Route[] = [
	{
		method: 'GET',
		path: '/campaigns',
		kind: 'campaign',
		query: ['status', 'search', ...PAGE],
		handle(exchange) {
			const { store, query, behaviour } = exchange;
			const states = CAMPAIGN_STATES.map((state) => campaignState.shown(state, behaviour.readings));
			const wanted = choice(query, 'status', states);
			const status = wanted && campaignState.understood(wanted, behaviour.readings);
			const only = status === undefined ? undefined : { field: 'status', value: status };
			const where = searchIn<Campaign>(query, 'name');
			return pageOf(exchange, store.campaigns, {
				sort: 'created_at',
				descending: true,
				only,
				where,
			});
		},
	},
	{
		method: 'GET',
		path: '/campaigns/{campaign_id}',
		kind: 'campaign',
		handle: (exchange) => ({ data: campaignOf(exchange) }),
	},
	{
		method: 'GET',
		path: '/campaigns/{campaign_id}/stats',
		kind: 'campaignStats',
		handle: (exchange) => ({ data: statsOf(campaignOf(exchange)) }),
	},
	...Object.entries(MOVES).map(([name, move]) => moveRoute(name, move)),
];
