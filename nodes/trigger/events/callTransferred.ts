import { saysSomething, withParts } from '../../domain/callParts';
import type { JsonObject } from '../../json';
import { always } from '../../table/form';
import { wholeNumber } from '../../table/kinds';
import { MINUTE } from '../../time';
import { ListWatcher } from '../../watching/listWatcher';
import { triggerEvent } from '../event';
import { callEvent, callForm } from './callEvents';
import { callList } from '../../watching/followedCalls';

/** The reference shows `transfer_time` in a call's detail; it does not say whether the list has it. */
export const callTransferred = triggerEvent({
	...callEvent,
	name: 'Call Transferred',
	description:
		'When a call has ended that was handed to a person or an external number. Costs one or two requests per ended call.',
	fields: () =>
		callForm({
			transferMinutes: always(
				wholeNumber({
					displayName: 'Look for a Transfer For (Minutes)',
					min: 0,
					max: 1440,
					default: 10,
					description:
						'How long to wait for a transfer time that shows up after the end of the call. Then the call is read a second time. Defaults to 10.',
				}),
			),
		}),
	watch(input, watching) {
		const { include, transferMinutes } = input.options;
		const { api } = watching;
		const waitFor = transferMinutes * MINUTE;
		const calls = callList({
			input: {
				...input,
				options: { ...input.options, include: include.filter((part) => part !== 'detail') },
			},
			async decide(call, waited, itemOf) {
				// What the list shows is enough, unless the user wants the rest of the detail.
				if (wasTransferred(call) && !include.includes('detail'))
					return { item: await itemOf(call) };
				// Between the first time and the last, the detail is not read again.
				if (waited > 0 && waited < waitFor) return { waitFor, verdict: 'unwanted' };
				const whole = await withParts(call, ['detail'], api);
				if (wasTransferred(whole)) return { item: await itemOf(whole) };
				return { waitFor, verdict: 'unwanted' };
			},
			api,
		});
		return new ListWatcher(watching, { ...calls, cost: 1 + (calls.cost ?? 0) });
	},
});

const wasTransferred = ({ transfer_time: time }: JsonObject) => saysSomething(time);
