import { z } from 'zod';

import { numberIn } from '../../json';
import { number } from '../../table/schema';
import { triggerEvent } from '../event';
import { ThresholdWatcher } from '../../watching/thresholdWatcher';
import { startsAgain } from './eventFields';

/** Reads the wallet with each poll, and compares the balance. */
export const lowBalance = triggerEvent({
	name: 'Low Balance',
	description: 'When the balance falls below an amount. Starts again only after it was above.',
	request: 'GET /wallet',
	fields: [
		{
			displayName: 'Balance Below',
			name: 'threshold',
			type: 'number',
			default: 10,
			description: startsAgain('The amount, in the currency of the wallet.'),
		},
	],
	input: () => z.object({ threshold: number().default(10) }),
	identity: ({ threshold }) => threshold,
	watch: ({ threshold }, watching) =>
		new ThresholdWatcher(watching, {
			path: '/wallet',
			threshold,
			item: { threshold },
			absent: 'the wallet has no balance',
			valueOf: ({ balance }) => numberIn(balance),
		}),
});
