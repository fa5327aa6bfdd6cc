import { triggerEvent } from '../event';
import { ListWatcher } from '../kinds/list';
import { callEvent, callList } from './calls';

export const newCall = triggerEvent({
	...callEvent,
	name: 'New Call',
	description: 'When a call has ended',
	watch: (input, watching) =>
		new ListWatcher(watching, callList({ input, patience: watching.lookBack, api: watching.api })),
});
