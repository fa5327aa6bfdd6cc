import { z } from 'zod';

import { textIn } from '../../resources/waiting/identity';
import { ASSUMED } from '../../table/assumed';
import { StatesWatcher } from '../kinds/states';
import { triggerEvent } from './event';

/** The most campaigns that a poll reads, at one request per 100. */
const MOST = 2000;

/** Reference: GET /campaigns, whose states and their field are not shown, and which takes no date. */
export const campaignStatusChanged = triggerEvent({
	name: 'Campaign Status Changed',
	description:
		'When a campaign shows another status than at the poll before, or is new. Reads all campaigns, up to 2,000, with each poll.',
	input: () => z.object({}),
	watch: (_input, watching) =>
		new StatesWatcher(
			{
				path: '/campaigns',
				stateOf: (campaign) =>
					ASSUMED.campaignState
						.map((name) => textIn(campaign[name]))
						.find((state) => state !== undefined),
				most: MOST,
			},
			watching,
		),
});
