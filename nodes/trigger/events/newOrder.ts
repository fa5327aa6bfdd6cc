import { presentLines } from '../../domain/order';
import { filtersOf } from '../../table/common';
import { form } from '../../table/form';
import { simplify } from '../../table/handling';
import { lineItemsWanted, lineSettings } from '../../table/lineItems';
import { followedOrderFilters, orderList } from '../../watching/followedOrders';
import { ListWatcher } from '../../watching/listWatcher';
import { triggerEvent } from '../event';
import { eventOptions, lookBack, pollLimit } from './eventFields';

/** Follows the orders by date. Line items may take one more request for each order. */
export const newOrder = triggerEvent({
	name: 'New Order',
	description: 'When an order shows up',
	request: 'GET /orders',
	fields: () =>
		form({
			simplify,
			filters: filtersOf(followedOrderFilters),
			options: eventOptions({ lookBack, ...lineSettings('Limit per Poll'), pollLimit }),
		}).check((input) => ({ ...input, lines: lineItemsWanted(input.options) })),
	present: ({ lines }) => presentLines(lines),
	watch: ({ filters: { status: statuses }, simplify: isSimple, lines }, watching) => {
		const { api } = watching;
		return new ListWatcher(watching, orderList({ statuses, simplify: isSimple, lines, api }));
	},
});
