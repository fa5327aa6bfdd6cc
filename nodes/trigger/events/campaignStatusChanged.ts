import { ASSUMED } from '../../domain/assumed';
import { form } from '../../table/form';
import { triggerEvent } from '../event';
import { StatesWatcher } from '../../watching/statesWatcher';
import { statusChanges } from './comparing';
import { eventOptions, pollLimit } from './eventFields';

/** Reference: GET /campaigns. It shows no states, and the list takes no date. */
export const campaignStatusChanged = triggerEvent({
	name: 'Campaign Status Changed',
	description:
		'When a campaign is new or has another status than at the last poll. Reads all campaigns with each poll, up to 5,000.',
	hint: 'For the end of a campaign, branch on new_status. It also starts when a campaign is new.',
	request: 'GET /campaigns',
	fields: () => form({ options: eventOptions({ pollLimit }) }),
	watch: (_input, watching) =>
		new StatesWatcher(watching, {
			path: '/campaigns',
			...statusChanges(ASSUMED.campaignState, (campaign) => campaign),
		}),
});
