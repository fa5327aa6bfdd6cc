import type { INodeProperties } from 'n8n-workflow';

import { byText } from '../json';
import { optionalFields } from '../table/fields';
import { sharedFields } from '../table/sharedFields';
import * as EVENTS from './events';

/** The options of every event. */
const commonOptions: INodeProperties[] = [
	{
		displayName: 'On Activation',
		name: 'onActivation',
		type: 'options',
		options: [
			{
				name: 'Continue Where It Stopped',
				value: 'continue',
				description: 'Also start the workflow for what happened while it was inactive',
			},
			{
				name: 'Start From Now',
				value: 'now',
				description: 'Start the workflow only for what happens from now on',
			},
		],
		default: 'continue',
		description: 'What happens when the workflow is activated again',
	},
];

/** The table of events as n8n's properties. */
export const properties: INodeProperties[] = [
	{
		displayName: 'Trigger On',
		name: 'event',
		type: 'options',
		noDataExpression: true,
		options: Object.entries(EVENTS)
			.map(([value, { name, description }]) => ({ name, value, description }))
			.sort(byText(({ name }) => name)),
		default: 'newCall',
		hint: 'If you change this, the trigger starts again from now and skips earlier records',
	},
	...shownFor('event', ({ fields = [] }) => fields),
	...shownFor('event', ({ filters = [] }) =>
		filters.length > 0 ? [optionalFields('Filters', 'filters', 'Add filter', filters)] : [],
	),
	optionalFields('Options', 'options', 'Add option', [
		...commonOptions,
		...shownFor('/event', ({ options = [] }) => options),
	]),
];

/** The fields of all events. Each is shown for the events that have it. */
function shownFor(
	selector: string,
	of: (event: (typeof EVENTS)[keyof typeof EVENTS]) => INodeProperties[],
): INodeProperties[] {
	const fields = Object.fromEntries(Object.entries(EVENTS).map(([event, row]) => [event, of(row)]));
	return sharedFields(fields).map(({ field, rows }) => ({
		...field,
		displayOptions: { show: { [selector]: rows } },
	}));
}
