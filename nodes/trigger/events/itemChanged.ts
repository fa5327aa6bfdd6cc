import { simplifyItem } from '../../domain/simplify';
import { triggerEvent } from '../event';
import { StatesWatcher } from '../../watching/statesWatcher';
import { contentChanges } from './comparing';
import { contentEvent } from './eventFields';

/** Reference: GET /catalogues/items. It shows no date of a change. */
export const itemChanged = triggerEvent({
	...contentEvent,
	name: 'New or Changed Item',
	description:
		'When an item of a catalogue, or a standalone one, is new or differs from the last poll. Reads all items with each poll, up to 5,000.',
	hint: 'Writing items in this workflow starts it again: compare the values before writing.',
	request: 'GET /catalogues/items',
	watch: ({ options, simplify: isSimple }, watching) =>
		new StatesWatcher(watching, {
			path: '/catalogues/items',
			...contentChanges(options.ignoreFields, isSimple ? simplifyItem : (item) => item),
		}),
});
