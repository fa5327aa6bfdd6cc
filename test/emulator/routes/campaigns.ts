import { CAMPAIGN_STATES } from '../assumed.ts';
import { invalid } from '../envelope.ts';
import { choice, NEWEST_FIRST, onlyWith, pageOf, searchIn } from '../query.ts';
import type { Campaign, CampaignStatus } from '../records.ts';
import { found, get, list, move, type Exchange, type Route } from '../route.ts';
import { campaignState } from '../shapes.ts';

/** Section "Campaign" shows the operations and none of the states. */
const MOVES: Record<string, { from: readonly CampaignStatus[]; to: CampaignStatus }> = {
	start: { from: ['draft', 'scheduled'], to: 'running' },
	pause: { from: ['running'], to: 'paused' },
	resume: { from: ['paused'], to: 'running' },
	stop: { from: ['running', 'paused'], to: 'stopped' },
};

const campaignOf = ({ store, params }: Exchange): Campaign =>
	found(store.campaigns.get(params['campaign_id']!), 'campaign');

const statsOf = ({ id, completed, failed }: Campaign) => ({
	campaign_id: id,
	answered: completed,
	not_answered: Math.floor(completed / 10),
	voicemail: Math.floor(completed / 20),
	failed,
});

/** Sections "Campaign" and "Other endpoints", the lines of /campaigns. */
export const campaignRoutes: Route[] = [
	list('/campaigns', 'campaign', ['status', 'search'], (exchange) => {
		const { store, query, readings } = exchange;
		const states = CAMPAIGN_STATES.map((state) => campaignState.shown(state, readings));
		const status = choice(query, 'status', states);
		const wanted = status && campaignState.understood(status, readings);
		const where = [onlyWith<Campaign>('status', wanted), searchIn<Campaign>(query, 'name')];
		return pageOf(exchange, store.campaigns, { ...NEWEST_FIRST, where });
	}),
	get('/campaigns/{campaign_id}', 'campaign', campaignOf),
	get('/campaigns/{campaign_id}/stats', 'campaignStats', (exchange) =>
		statsOf(campaignOf(exchange)),
	),
	...Object.entries(MOVES).map(([name, { from, to }]) =>
		move('POST', `/campaigns/{campaign_id}/${name}`, 'campaign', (exchange) => {
			const { id, status } = campaignOf(exchange);
			if (!from.includes(status)) throw invalid(`cannot ${name} a campaign that is ${status}`);
			return exchange.store.campaigns.change(id, { status: to });
		}),
	),
];
