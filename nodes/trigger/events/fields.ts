import type { INodeProperties } from 'n8n-workflow';

import { textIn } from '../../json';
import type { JsonObject } from '../../json';
import { simplifyContact, type Simplify } from '../../domain/simplify';
import type { WatchedStates } from '../kinds/states';
import { moveInFront } from '../kinds/statuses';

/** Whether to make the records smaller, for events that can. */
export const simplify: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** For events of which one poll may see many. */
export const pollLimit: INodeProperties = {
	displayName: 'Limit per Poll',
	name: 'pollLimit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 500,
	description:
		'How many items one poll may emit. The others are not lost: they come with the next polls. Defaults to 500.',
};

/** For events that follow a list by its dates. */
export const lookBack: INodeProperties = {
	displayName: 'Look Back (Hours)',
	name: 'lookBack',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 168 },
	default: 3,
	description:
		'How late a record may show up and is still emitted. Should exceed the longest call. Longer costs more requests per poll. Defaults to 3.',
};

/** What is followed of records with a status, under these names; null where they show that they have none. */
export const statusChanges = (
	names: readonly string[],
	shape: Simplify,
): Pick<WatchedStates, 'stateOf' | 'shows' | 'itemOf'> => ({
	stateOf(record) {
		const shown = names.map((name) => record[name]).filter((value) => value !== undefined);
		return (
			shown.map(textIn).find((text) => text !== undefined) ?? (shown.length > 0 ? null : undefined)
		);
	},
	shows: 'status',
	itemOf: (record, status, before) =>
		moveInFront({
			...shape(record),
			previous_status: before ?? null,
			new_status: status,
		}),
});

/** Of records that are new, nothing is followed but that they are there. */
export const arrivals = (isSimple: boolean): Pick<WatchedStates, 'stateOf' | 'itemOf'> => ({
	stateOf: () => '',
	itemOf: (record: JsonObject) => (isSimple ? simplifyContact(record) : record),
});
