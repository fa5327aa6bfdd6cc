import { saysSomething, withParts } from '../../domain/callParts';
import type { JsonObject } from '../../json';
import { always } from '../../table/form';
import { wholeNumber } from '../../table/kinds';
import { MINUTE } from '../../time';
import { ListWatcher } from '../../watching/listWatcher';
import { triggerEvent } from '../event';
import { callEvent, callForm, callList } from './callEvents';

/** The reference shows `transfer_time` in a call's detail; it does not say whether the list has it. */
export const callTransferred = triggerEvent({
	...callEvent,
	name: 'Call Transferred',
	description:
		'When a call has ended that was handed to a person or an external number. Costs one request per ended call.',
	fields: () =>
		callForm({
			transferMinutes: always(
				wholeNumber({
					displayName: 'Look for a Transfer For (Minutes)',
					min: 0,
					max: 1440,
					default: 10,
					description:
						'How long to look again at a call without a transfer time, counted from the start of the call. Each poll takes one request per such call. Defaults to 10.',
				}),
			),
		}),
	watch(input, watching) {
		const { include, transferMinutes } = input.options;
		const { api } = watching;
		const patience = transferMinutes * MINUTE;
		const followed = callList({
			input: {
				...input,
				options: { ...input.options, include: include.filter((part) => part !== 'detail') },
			},
			patience,
			mustEnd: true,
			async decide(call, isLate) {
				// What the list shows is enough, unless the user wants the rest of the detail.
				const isShown = wasTransferred(call) && !include.includes('detail');
				const whole = isShown ? call : await withParts(call, ['detail'], api);
				if (wasTransferred(whole)) return whole;
				return isLate ? 'unwanted' : 'waiting';
			},
			api,
		});
		const lookBack = Math.max(watching.lookBack, patience);
		const cost = 1 + (followed.cost ?? 0);
		return new ListWatcher({ ...watching, lookBack }, { ...followed, cost });
	},
});

const wasTransferred = ({ transfer_time: time }: JsonObject) => saysSomething(time);
