import { invalid } from '../envelope.ts';
import { list } from '../list.ts';
import { CAMPAIGN_STATES, type Campaign, type CampaignStatus } from '../records.ts';
import { found, get, post, type Exchange, type Route } from '../route.ts';
import { campaignState } from '../wire.ts';

/** Section "Campaign" shows the operations and none of the states. */
const MOVES: Record<string, { from: readonly CampaignStatus[]; to: CampaignStatus }> = {
	start: { from: ['draft', 'scheduled'], to: 'running' },
	pause: { from: ['running'], to: 'paused' },
	resume: { from: ['paused'], to: 'running' },
	stop: { from: ['running', 'paused'], to: 'stopped' },
};

const campaignOf = ({ store, params }: Exchange): Campaign =>
	found(store.campaigns.get(params['campaign_id']!), 'campaign');

/** Sections "Campaign" and "Other endpoints", the lines of /campaigns. */
export const campaignRoutes: Route[] = [
	list<Campaign>('/campaigns', 'campaign', {
		rows: ({ store }) => store.campaigns,
		searched: ['name'],
		filters: {
			status(value, { readings }) {
				const state = CAMPAIGN_STATES.find((one) => campaignState(one, readings) === value);
				if (state === undefined) throw invalid(`status ${value} is unknown`);
				return ({ status }) => status === state;
			},
		},
	}),
	get('/campaigns/{campaign_id}', 'campaign', campaignOf),
	get('/campaigns/{campaign_id}/stats', 'other', (exchange) => {
		const { id, completed, failed } = campaignOf(exchange);
		const [not_answered, voicemail] = [10, 20].map((part) => Math.floor(completed / part));
		return { campaign_id: id, answered: completed, not_answered, voicemail, failed };
	}),
	...Object.entries(MOVES).map(([name, { from, to }]) =>
		post(`/campaigns/{campaign_id}/${name}`, 'campaign', (exchange) => {
			const { id, status } = campaignOf(exchange);
			if (!from.includes(status)) throw invalid(`cannot ${name} a campaign that is ${status}`);
			return exchange.store.campaigns.change(id, { status: to });
		}),
	),
];
