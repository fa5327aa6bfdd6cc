import type { IDataObject } from 'n8n-workflow';

import type { Emulator } from '../emulator/index.ts';
import { Poller } from '../support/poller.ts';
import { short, table } from './print.ts';
import type { Step } from './steps.ts';

/** The trigger node, polled as n8n polls it, while calls and orders arrive. */
export function watchArrivals(emulator: Emulator): Step {
	const credentials = { ykVoiceApi: { baseUrl: emulator.url, apiKey: emulator.keys.read } };
	const watch = (event: string) =>
		new Poller({ emulator, credentials, parameters: { event, simplify: false } });
	const calls = watch('newCall');
	const orders = watch('newOrder');
	const poll = async () => [await calls.tick(), await orders.tick()] as const;

	const row = (when: string, [newCalls, newOrders]: readonly IDataObject[][]) => [
		when,
		newCalls!.length,
		newOrders!.length,
		[...newCalls!, ...newOrders!]
			.map((record) => short(record.phone_number ?? record.order_number))
			.join(', ') || '-',
	];

	return {
		title: 'Wait for new calls and orders with the trigger',
		run: async () => {
			const rows = [row('Activated', [await calls.activate(), await orders.activate()])];
			rows.push(row('Nothing new', await poll()));
			for (let count = 0; count < 3; count++) emulator.store.addCall();
			emulator.store.addOrder();
			rows.push(row('3 calls and an order came', await poll()));
			rows.push(row('Nothing new', await poll()));
			return {
				items: calls.items.length + orders.items.length,
				lines: table(['Poll', 'Calls', 'Orders', 'Emitted'], rows),
			};
		},
	};
}
