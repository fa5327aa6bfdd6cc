import { z } from 'zod';

import { numberIn } from '../../json';
import { listAll } from '../../api/lists';
import type { Api } from '../../api/session';
import type { JsonObject } from '../../json';
import { number } from '../../table/schema';
import { wasAbove } from '../balance';
import { ThresholdWatcher } from '../kinds/threshold';
import { since } from '../../api/moment';
import { triggerEvent } from './event';

/** Reference: GET /wallet and GET /wallet/transactions. */
export const lowBalance = triggerEvent({
	name: 'Low Balance',
	description: 'Once when the balance falls below an amount, and again after it was above',
	fields: [
		{
			displayName: 'Balance Below',
			name: 'threshold',
			type: 'number',
			default: 10,
			description:
				'The amount, in the currency of the wallet. A change starts anew: what happened before it does not fire.',
		},
	],
	input: () => z.object({ threshold: number().default(10) }),
	identity: ({ threshold }) => threshold,
	watch: ({ threshold }, watching) =>
		new ThresholdWatcher(
			{
				path: '/wallet',
				threshold,
				item: { threshold },
				absent: 'the wallet has no balance',
				valueOf: ({ balance }) => numberIn(balance),
				async hasRisen(from, read) {
					const booked = await transactionsSince(from, watching.api);
					const balance = await read();
					// One that was booked between the readings is in one of them, and not in the other.
					const again = await transactionsSince(from, watching.api);
					const isOneMoment = JSON.stringify(again) === JSON.stringify(booked);
					return isOneMoment && balance < threshold && wasAbove(balance, threshold, booked, from);
				},
			},
			watching,
		),
});

const transactionsSince = async (from: number, api: Api): Promise<JsonObject[]> => {
	const query = { created_after: since(from) };
	return await listAll(api, { method: 'GET', path: '/wallet/transactions', query }, Infinity);
};
