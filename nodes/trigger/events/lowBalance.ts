import { numberIn } from '../../json';
import { form } from '../../table/form';
import { number } from '../../table/kinds';
import { triggerEvent } from '../event';
import { thresholdWatcher } from '../../watching/thresholdWatcher';
import { eventOptions, startsAgain } from './eventFields';

/** Reads the wallet with each poll, and compares the balance. */
export const lowBalance = triggerEvent({
	name: 'Low Balance',
	description: 'When the balance falls below an amount. Starts again only after it was above.',
	request: 'GET /wallet',
	fields: () =>
		form({
			threshold: number({
				displayName: 'Balance Below',
				default: 10,
				description: startsAgain('The amount, in the currency of the wallet.'),
			}),
			options: eventOptions({}),
		}),
	identity: ({ threshold }) => threshold,
	watch: ({ threshold }, watching) =>
		thresholdWatcher(watching, {
			path: '/wallet',
			threshold,
			item: { threshold },
			absent: 'the wallet has no balance',
			valueOf: ({ balance }) => numberIn(balance),
		}),
});
