import { CAMPAIGN_STATES } from '../assumed.ts';
import { invalid } from '../envelope.ts';
import { choice, NEWEST_FIRST, onlyWith, pageOf, searchIn } from '../query.ts';
import type { Campaign, CampaignStatus } from '../records.ts';
import { found, get, list, move } from '../route.ts';
import type { Exchange, Route } from '../route.ts';
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

function statsOf({ id, contacted, completed, failed }: Campaign) {
	const voicemail = Math.floor(completed / 20);
	const not_answered = Math.floor(completed / 10);
	const conversion_rate = contacted === 0 ? 0 : Math.round((completed / contacted) * 1000) / 1000;
	const counts = { answered: completed, not_answered, voicemail, busy: 0, failed };
	return {
		campaign_id: id,
		...counts,
		average_duration_seconds: completed === 0 ? 0 : 94,
		conversion_rate,
	};
}

/** Sections "Campaign" and "Other endpoints", the lines of /campaigns. */
export const campaignRoutes: Route[] = [
	list('/campaigns', 'campaign', ['status', 'search'], (exchange) => {
		const { store, query, readings } = exchange;
		const states = CAMPAIGN_STATES.map((state) => campaignState.shown(state, readings));
		const wanted = choice(query, 'status', states);
		return pageOf(exchange, store.campaigns, {
			...NEWEST_FIRST,
			only: onlyWith('status', wanted && campaignState.understood(wanted, readings)),
			where: searchIn<Campaign>(query, 'name'),
		});
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
