import { triggerEvent } from '../event';
import { ListWatcher } from '../../watching/listWatcher';
import { callEvent } from './callEvents';
import { callList } from '../../watching/followedCalls';

/** Follows the call history. A call waits until it has ended. */
export const newCall = triggerEvent({
	...callEvent,
	name: 'New Call',
	description: 'When a call has ended',
	watch: (input, watching) => new ListWatcher(watching, callList({ input, api: watching.api })),
});
