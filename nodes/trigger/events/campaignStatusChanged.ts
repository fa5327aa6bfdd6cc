import { z } from 'zod';

import { ASSUMED } from '../../domain/assumed';
import { StatesWatcher } from '../kinds/states';
import { triggerEvent } from './event';
import { pollLimit, statusChanges } from './fields';

/** Reference: GET /campaigns, whose states and their field are not shown, and which takes no date. */
export const campaignStatusChanged = triggerEvent({
	name: 'Campaign Status Changed',
	description:
		'When a campaign shows another status than at the poll before, or is new. Reads all campaigns with each poll, up to 5,000, at one request per 100.',
	options: [pollLimit],
	input: () => z.object({}),
	watch: (_input, watching) =>
		new StatesWatcher(
			{ path: '/campaigns', ...statusChanges(ASSUMED.campaignState, (campaign) => campaign) },
			watching,
		),
});
